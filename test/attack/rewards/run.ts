import type { Failpoint } from '../../../core/failpoints.ts';
import { microUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { addHits, type Hits } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startDiscord } from '../../fakes/discord/server.ts';
import { createLives, type Lives } from '../chat-kills/lives.ts';
import { countOpen, readRewardBooks } from './books.ts';
import { createCommunity, type Community } from './community.ts';
import { namesOfPost, openInstallation, POST_URL, START, type Installation } from './installation.ts';
import { createRewardPayer, type RewardPayer } from './payer.ts';
import { makePlan, type RewardPlan } from './plan.ts';
import {
  FEE_BPS,
  findWrongPeople,
  holdingOf,
  isExact,
  isNotPaid,
  isPaidOnce,
  isSpentTwice,
  isStuck,
  judgeRewards,
  type RewardChain,
  type RewardOutcome,
} from './verdict.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';

const DELIVERIES = 3;

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
  /** Of the Discord that they talk on; its limits make presses pile up. */
  discord?: Parameters<typeof startDiscord>[0];
  areOver?: (outcomes: readonly RewardOutcome[]) => boolean;
  log?: (text: string) => void;
};

export type RewardVerdict = {
  exact: number;
  paid: number;
  notPaid: number;
  spentTwice: number;
  stuck: number;
  wrongPeople: readonly string[];
  /** Of those that are not exact, in words. */
  wrong: readonly string[];
};

export type RewardKills = RewardVerdict & {
  kills: number;
  hits: Hits;
  violations: readonly string[];
  /** The same question once more, after each payer and one person were given a bit too much. */
  meddled: RewardVerdict;
};

type World = {
  plans: readonly RewardPlan[];
  communities: readonly Community[];
  installation: Installation;
  lives: Lives;
  /** Whose money each reward is, by the plan's index. */
  purses: readonly string[];
  /** Where everybody's money goes, by name. */
  addresses: ReadonlyMap<string, ReadonlyMap<Network, string>>;
};

/** Communities decide about rewards while the service dies again and again; then it lives, and everything must come true. */
export async function runRewardKills(options: Options): Promise<RewardKills> {
  const { networks, count, seed, sabotage } = options;
  const dataDir = createDiskFolder('pennypost-reward-kills-');
  const discord = await startDiscord({ deliveries: DELIVERIES, ...options.discord });
  const installation = await openInstallation(dataDir, networks);
  const { token, applicationId, apiUrl } = discord;
  const env = { NETWORKS: networks.join(','), FEE_BPS: String(FEE_BPS) };
  const onDiscord = { DISCORD_TOKEN: token, DISCORD_APP_ID: applicationId, DISCORD_API_URL: apiUrl };
  const lives = createLives({ dataDir, envOf: () => ({ ...env, ...onDiscord }) });
  const names = namesOfPost();
  const plans = makePlan({ count, seed, networks, names });
  const payers = new Map<RewardPlan, RewardPayer>();
  const communities = plans.map((plan) =>
    createCommunity(discord, plan, { url: POST_URL, names }, () => payers.get(plan) ?? null),
  );
  try {
    for (const plan of plans) {
      if (plan.way !== 'link') continue;
      payers.set(plan, createRewardPayer(await installation.newPayer(plan.network), lives.url));
    }
    const purses = await fillPurses(plans, communities, { installation, payers });
    const addresses = await giveAddresses(plans, installation);
    const world: World = { plans, communities, installation, lives, purses, addresses };
    if (sabotage !== undefined) await installation.sabotage(sabotage);
    const kills = await liveAndDie(world, options);
    const again = await endAgain(world, options);
    const injected = [...payers.values(), ...communities].map((one) => one.hits());
    const hits = [lives.hits(), again, ...injected].reduce(addHits);
    return { kills, hits, ...(await audit(world)) };
  } finally {
    await lives.kill();
    await discord.close();
    await installation.close();
  }
}

/** Fills the treasuries, which follow from the communities, except where another payer pays. */
async function fillPurses(
  plans: readonly RewardPlan[],
  communities: readonly Community[],
  { installation, payers }: { installation: Installation; payers: ReadonlyMap<RewardPlan, RewardPayer> },
): Promise<string[]> {
  const purses: string[] = [];
  for (const [index, plan] of plans.entries()) {
    const walletId = communities[index]?.walletId ?? '';
    const payer = payers.get(plan);
    if (payer === undefined) await installation.fundTreasury(walletId, plan.network);
    purses.push(payer?.address ?? installation.treasuryOf(walletId, plan.network));
  }
  return purses;
}

/** Says where the money of everybody goes. */
async function giveAddresses(plans: readonly RewardPlan[], installation: Installation): Promise<World['addresses']> {
  const addresses = new Map<string, ReadonlyMap<Network, string>>();
  for (const name of new Set(plans.flatMap(({ people }) => people))) {
    addresses.set(name, await installation.link(name));
  }
  return addresses;
}

/** In each life some more communities begin, most of them before it has fully begun. */
async function liveAndDie({ communities, lives }: World, { points, log }: Options): Promise<number> {
  const running: Promise<void>[] = [];
  let kills = 0;
  // One share is for the life that ends by itself.
  const perLife = Math.ceil(communities.length / (points.length + 1));
  const begin = (life: number) => {
    const some = communities.slice(life * perLife, (life + 1) * perLife);
    const started = some.map((community) => community.run());
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

/** Once all is as it should be, everything is delivered again, and nothing may come of it. */
async function endAgain(world: World, options: Options): Promise<Hits> {
  await settle(world, options);
  if (options.sabotage !== undefined) return {};
  if (options.endsAnew === true) {
    await world.lives.kill();
    await world.lives.start();
  }
  await Promise.all(world.communities.map((community) => community.deliverAgain()));
  await settle(world, options);
  return { 'delivered again': world.communities.length };
}

async function settle(world: World, { settleMs, areOver }: Options): Promise<void> {
  const { plans, communities, installation } = world;
  const check = async () => {
    const open = await countOpen(installation.store);
    if (open > 0 && areOver === undefined) throw new Error(`${open} rewards are not over`);
    const books = await readRewardBooks(installation.store);
    const outcomes = judgeRewards(plans, communities, books, await readChain(world));
    if (!(areOver ?? ((all) => all.every(isExact)))(outcomes)) throw new Error('not every reward is where it belongs');
  };
  // What is not exact by then is what the verdict counts.
  await eventually(check, settleMs).catch(() => undefined);
}

async function readChain({ plans, purses, installation, addresses }: World): Promise<RewardChain> {
  const spent: bigint[] = [];
  for (const [index, { network }] of plans.entries()) {
    spent.push(START - (await installation.onChain(network, purses[index] ?? '')));
  }
  const held = new Map<string, bigint>();
  for (const [name, own] of addresses) {
    for (const [network, address] of own)
      held.set(holdingOf(network, name), await installation.onChain(network, address));
  }
  return { spent, held };
}

async function audit(world: World): Promise<Omit<RewardKills, 'kills' | 'hits'>> {
  const { store } = world.installation;
  const chain = await readChain(world);
  await meddle(world);
  const meddled = await readChain(world);
  // The chains end with it; what it has heard by then is in the books, and a card or a payment too many would be as well.
  await world.lives.stop();
  const violations = (await findViolations(store)).map(({ rule, detail }) => `${rule}: ${detail}`);
  return { ...(await judge(world, chain)), violations, meddled: await judge(world, meddled) };
}

/** As if each payer had been charged one millionth too little, and one person had been paid once more. */
async function meddle({ plans, purses, installation, addresses }: World): Promise<void> {
  const mite = microUsdc(1n);
  for (const [index, { network }] of plans.entries()) {
    await installation.give(network, purses[index] ?? '', mite);
  }
  const [own] = addresses.values();
  for (const [network, address] of [...(own ?? [])].slice(0, 1)) await installation.give(network, address, mite);
}

async function judge({ plans, communities, installation }: World, chain: RewardChain): Promise<RewardVerdict> {
  const books = await readRewardBooks(installation.store);
  const outcomes = judgeRewards(plans, communities, books, chain);
  const count = (is: (outcome: RewardOutcome) => boolean) => outcomes.filter((outcome) => is(outcome)).length;
  return {
    exact: count(isExact),
    paid: count(isPaidOnce),
    notPaid: count(isNotPaid),
    spentTwice: count(isSpentTwice),
    stuck: count(isStuck),
    wrongPeople: findWrongPeople(outcomes, books, chain),
    wrong: outcomes.filter((outcome) => !isExact(outcome)).map(describe),
  };
}

function describe(outcome: RewardOutcome): string {
  return JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
