/** How long it takes to read thousands of reactions from the local hub, and to share a budget out among them. */
import { microUsdc } from '../../core/money.ts';
import type { Engagement } from '../../core/rewards/engagement.ts';
import { shareOut } from '../../core/rewards/share-out.ts';
import { DEFAULT_WEIGHTS } from '../../core/rewards/weights.ts';
import { openHub } from '../../identity/hub/hub.ts';
import { BUSY_CAST_HASH, createCommunityPosts } from '../../local/identity/farcaster-community.ts';
import { startHubStandIn } from '../../local/identity/farcaster-hub.ts';
import { seriesOf } from '../../scripts/bench/figures.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';

const settings = readSettings(process.argv.slice(2));
const REPEATED = 20;
const BUDGET = microUsdc(250_000_000n);

function share({ people, authorId }: Engagement) {
  const leftOut = { author: new Set([authorId]) };
  return shareOut({ budget: BUDGET, recipientsMax: 100, weights: DEFAULT_WEIGHTS, people, leftOut });
}

async function timed<T>(work: () => T | Promise<T>): Promise<{ value: T; ms: number }> {
  const beganMs = performance.now();
  return { value: await work(), ms: performance.now() - beganMs };
}

await runRow({
  name: settings.row,
  about: 'a post with 5,400 people, read from the local hub; no database',
  read: 'The hub runs in the same process, so its own time is in what is read.',
  rounds: settings.number('rounds', 3),
  async open() {
    const fids = new Map<string, number>();
    const fidOf = (name: string) => {
      const fid = fids.get(name) ?? fids.size + 1_000;
      fids.set(name, fid);
      return fid;
    };
    const posts = createCommunityPosts({ fidOf });
    const standIn = await startHubStandIn({ find: (name) => ({ name, fid: fidOf(name) }), posts });
    return { standIn, hub: openHub({ hubUrl: standIn.url }, { log: { warn: console.error }, now: Date.now }) };
  },
  async round({ hub }) {
    const signal = new AbortController().signal;
    const read = await timed(() => hub.readEngagement(BUSY_CAST_HASH, signal));
    const first = share(read.value).recipients.map(({ userId }) => userId);
    const named = await timed(() => hub.describePeople(first, signal));
    const times: number[] = [];
    for (let time = 0; time < REPEATED; time += 1) times.push((await timed(() => share(read.value))).ms);
    const less = { unit: 'ms', better: 'less' } as const;
    return [
      { what: 'reactions read', ...less, ours: read.ms },
      { what: 'names and addresses of those who are paid', ...less, ours: named.ms },
      { what: 'shared out', ...less, ours: seriesOf(times).median },
    ];
  },
  async close({ hub, standIn }) {
    await hub.close();
    await standIn.close();
  },
});
process.exit();
