import { rmSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { parseConfig } from '../../../core/config/config.ts';
import type { Failpoint } from '../../../core/failpoints.ts';
import type { Network } from '../../../core/networks.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { openStore } from '../../../db/store/open.ts';
import { startLocalMode, stopLocalMode } from '../../../local/mode.ts';
import { addHits, type Hits } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { localKeysOf } from '../../../service/networks/keys.ts';
import { createLives, type Lives } from '../chat-kills/lives.ts';
import { createLinkPayer, type LinkPayer } from './payer.ts';
import { makePlan, type LinkPlan } from './plan.ts';
import { isExact, judgeLinks, type LinkOutcome, type LinkWorld } from './verdict.ts';
import { createVisitor, type Visitor } from './visitor.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';
import { localChainsOf, type LocalChains } from '../../support/served.ts';

const BLOCK_TIME_MS = 250;

type Options = {
  count: number;
  seed: number;
  networks: readonly Network[];
  /** One life of the service for each. */
  points: readonly Failpoint[];
  /** Whether what is delivered again at the end meets another process. */
  endsAnew?: boolean;
  /** How long everything may take to come true after the last death. */
  settleMs: number;
  /** For the control: a statement that takes a rule out of the books, and what to wait for instead. */
  sabotage?: string;
  areOver?: (outcomes: readonly LinkOutcome[]) => boolean;
  log?: (text: string) => void;
};

export type LinkKills = {
  outcomes: readonly LinkOutcome[];
  kills: number;
  hits: Hits;
  exact: number;
  paidTwice: number;
  violations: readonly string[];
  wrong: readonly string[];
};

/** Links are made and paid while the service dies again and again; then it lives, and everything must come true. */
export async function runLinkKills(options: Options): Promise<LinkKills> {
  const { networks, count, seed } = options;
  const dataDir = createDiskFolder('pennypost-link-kills-');
  const config = parseConfig({ DATA_DIR: dataDir, NETWORKS: networks.join(',') });
  const keys = localKeysOf(config);
  const chains = localChainsOf(await startLocalMode({ dataDir, networks, keys, blockTimeMs: BLOCK_TIME_MS }));
  const store = await openStore(config.databaseUrl);
  const lives = createLives({ dataDir, envOf: () => ({ NETWORKS: networks.join(',') }) });
  const plan = makePlan(count, seed, networks);
  try {
    const payers: LinkPayer[] = [];
    for (const { network } of plan) payers.push(await createLinkPayer(chains, network));
    const visitors = plan.map((link, index) => {
      const payer = payers[index];
      if (payer === undefined) throw new Error(`nobody pays ${link.handle}`);
      return createVisitor(link, { store, url: lives.url, payer });
    });
    const world = { store, visitors, payers };
    await openAccounts(chains, keys.chatWalletSeed, visitors);
    if (options.sabotage) await store.tx((db) => db.run(sql.raw(options.sabotage ?? '')));
    const kills = await liveAndDie(plan, world, lives, options);
    const again = await endAgain(plan, world, lives, options);
    const injected = visitors.reduce<Hits>((sum, { hits }) => addHits(sum, hits()), { 'delivered again': again });
    return { kills, hits: addHits(lives.hits(), injected), ...(await audit(plan, world)) };
  } finally {
    await lives.kill();
    await store.close();
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Where a second payment on Solana goes back to: without an account it would wait until there is enough for one. */
async function openAccounts({ solana }: LocalChains, seed: string, visitors: readonly Visitor[]): Promise<void> {
  if (solana === null) return;
  const wallets = createSolanaPersonalWallets({ seed: Buffer.from(seed, 'hex'), profile: solanaProfile('local') });
  for (const { chatId } of visitors) await solana.ensureUsdcAccount(wallets.addressOf(chatId));
}

/** In each life some more links are asked for, most of them before it has fully begun. */
async function liveAndDie(
  plan: readonly LinkPlan[],
  world: LinkWorld,
  lives: Lives,
  options: Options,
): Promise<number> {
  const { points, log } = options;
  const running: Promise<void>[] = [];
  let kills = 0;
  // One share is for the life that ends by itself.
  const perLife = Math.ceil(plan.length / (points.length + 1));
  const begin = (life: number) => {
    const some = world.visitors.slice(life * perLife, (life + 1) * perLife);
    const started = some.map((visitor) => visitor.run());
    // A rejection is looked at where all are awaited; a life that fails before that says more.
    for (const one of started) one.catch(() => undefined);
    running.push(...started);
  };
  for (const [life, point] of points.entries()) {
    begin(life);
    const hasFired = await lives.dieAt(point);
    if (hasFired) kills += 1;
    log?.(`life ${life + 1} of ${points.length} ${hasFired ? 'ended' : 'did not end'} at ${point}`);
  }
  begin(points.length);
  await lives.start();
  await Promise.all(running);
  return kills;
}

/** Once all is as it should be, everything is delivered again, and nothing may come of it. Answers how much that was. */
async function endAgain(plan: readonly LinkPlan[], world: LinkWorld, lives: Lives, options: Options): Promise<number> {
  await settle(plan, world, options);
  if (options.sabotage) return 0;
  if (options.endsAnew === true) {
    await lives.kill();
    await lives.start();
  }
  await Promise.all(world.visitors.map((visitor) => visitor.deliverAgain()));
  await settle(plan, world, options);
  return world.visitors.length;
}

async function settle(plan: readonly LinkPlan[], world: LinkWorld, { settleMs, areOver }: Options): Promise<void> {
  const isOver = areOver ?? ((outcomes: readonly LinkOutcome[]) => outcomes.every(isExact));
  const check = async () => {
    if (!isOver(await judgeLinks(plan, world))) throw new Error('not every link is where it belongs');
  };
  // What is not exact by then is what the verdict counts.
  await eventually(check, settleMs).catch(() => undefined);
}

async function audit(plan: readonly LinkPlan[], world: LinkWorld): Promise<Omit<LinkKills, 'kills' | 'hits'>> {
  const outcomes = await judgeLinks(plan, world);
  const violations = (await findViolations(world.store)).map(({ rule, detail }) => `${rule}: ${detail}`);
  const isWrong = (outcome: LinkOutcome) => !isExact(outcome);
  return {
    outcomes,
    violations,
    exact: outcomes.filter(isExact).length,
    paidTwice: outcomes.filter(({ returned }) => returned > 0n).length,
    wrong: outcomes.filter(isWrong).map((outcome) => describe(world, outcome)),
  };
}

function describe({ visitors }: LinkWorld, { link, ...rest }: LinkOutcome): string {
  const found = JSON.stringify(rest, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return `${visitors[link.index]?.describe()}: ${found}`;
}
