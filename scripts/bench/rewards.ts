import type { Engagement } from '../../core/rewards/engagement.ts';
import { microUsdc } from '../../core/money.ts';
import { shareOut } from '../../core/rewards/share-out.ts';
import { DEFAULT_WEIGHTS } from '../../core/rewards/weights.ts';
import { openHub } from '../../identity/hub/hub.ts';
import { createCommunityPosts, CROWD_CAST_HASH } from '../../local/identity/farcaster-community.ts';
import { startHubStandIn } from '../../local/identity/farcaster-hub.ts';

const REPEATED = 20;
const BUDGET = microUsdc(250_000_000n);

/** How long it takes to read thousands of reactions from the local hub, and to share a budget out among them. */
export async function run(): Promise<void> {
  const fids = new Map<string, number>();
  const fidOf = (name: string) => fids.get(name) ?? register(fids, name);
  const posts = createCommunityPosts({ fidOf });
  const standIn = await startHubStandIn({ find: (name) => ({ name, fid: fidOf(name) }), posts });
  const hub = openHub({ hubUrl: standIn.url }, { log: { warn: console.error }, now: Date.now });
  try {
    const signal = new AbortController().signal;
    const engagement = await measure('read', () => hub.readEngagement(CROWD_CAST_HASH, signal));
    console.log(`  people: ${engagement.people.length}`);
    const first = share(engagement).recipients.map(({ userId }) => userId);
    await measure('names and addresses of those who are paid', () => hub.describePeople(first, signal));
    const times = Array.from({ length: REPEATED }, () => {
      const start = performance.now();
      share(engagement);
      return performance.now() - start;
    }).toSorted((a, b) => a - b);
    console.log(`share out: median ${format(times[REPEATED / 2])}, slowest ${format(times.at(-1))}`);
  } finally {
    await hub.close();
    await standIn.close();
  }
}

function share({ people, authorId }: Engagement) {
  const leftOut = { author: new Set([authorId]) };
  return shareOut({ budget: BUDGET, recipientsMax: 100, weights: DEFAULT_WEIGHTS, people, leftOut });
}

async function measure<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`${what}: ${format(performance.now() - start)}`);
  return result;
}

function format(ms: number | undefined): string {
  return `${(ms ?? 0).toFixed(1)} ms`;
}

function register(fids: Map<string, number>, name: string): number {
  const fid = fids.size + 1_000;
  fids.set(name, fid);
  return fid;
}
