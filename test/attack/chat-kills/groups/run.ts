import type { Failpoint } from '../../../../core/failpoints.ts';
import type { Network } from '../../../../core/networks.ts';
import { findViolations } from '../../../../db/audit/invariants.ts';
import { eventually } from '../../../../scripts/torture/eventually.ts';
import { addHits, type Hits } from '../../../../scripts/torture/faults.ts';
import { countOpen } from '../books.ts';
import { openChatWorld, type ChatWorld } from '../world.ts';
import { admit, passTime, readGroupBooks, readTop } from './books.ts';
import { createDiscordScreen } from './discord-screen.ts';
import { half, makeGroupPlans, type GroupPlan } from './plan.ts';
import { KINDS, type Kind, type Screen } from './screen.ts';
import { play, type Story } from './script.ts';
import { createTelegramScreen } from './telegram-screen.ts';
import { billsTwice, isExactGroup, judgeGroup, sharesTwice, type GroupOutcome } from './verdict.ts';

export type GroupKills = {
  kills: number;
  hits: Hits;
  exact: number;
  sharesTwice: number;
  billsTwice: number;
  /** Of those who paid, whose money on the chain went down by anything but what they owed. */
  wrongPayers: number;
  violations: number;
  /** Of those that are not exact, in words. */
  wrong: readonly string[];
};

type Options = {
  count: number;
  seed: number;
  networks: readonly Network[];
  /** One life of the bot for each. */
  points: readonly Failpoint[];
  settleMs: number;
  /** For the control: statements that take a rule out of the books, and how long its people try. */
  sabotage?: readonly string[];
  triesMs?: number;
  log?: (text: string) => void;
};

type Group = { plan: GroupPlan; screen: Screen };

const ALL_DAY_MS = 24 * 3_600_000;

/** Groups drop, take, ask, pay, block and are listed while the bot dies again and again; then it lives, and each sum must have gone once. */
export async function runGroupKills(options: Options): Promise<GroupKills> {
  const plans = makeGroupPlans(options);
  const world = await openChatWorld({ payers: [], tips: [] }, options.networks);
  try {
    const groups = await openGroups(plans, world);
    for (const statement of options.sabotage ?? []) await world.installation.sabotage(statement);
    const kills = await liveAndDie(groups, world, options);
    if (!options.sabotage) await world.lives.kill().then(() => world.lives.start());
    const again = await deliverAgain(groups);
    if (!options.sabotage) await settle(groups, world, options);
    const wrongPayers = await findWrongPayers(groups, world);
    await world.lives.stop();
    return { kills, hits: addHits(world.lives.hits(), again), wrongPayers, ...(await audit(groups, world)) };
  } finally {
    await world.close();
  }
}

async function openGroups(plans: readonly GroupPlan[], world: ChatWorld): Promise<Group[]> {
  const { discord, telegram, installation } = world;
  const groups: Group[] = [];
  for (const plan of plans) {
    const onDiscord = plan.transport === 'discord' ? createDiscordScreen(discord, plan.index) : null;
    const screen = onDiscord ?? createTelegramScreen(telegram, plan.index);
    await admit(installation.store, screen, onDiscord?.roleId ?? null);
    for (const member of ['giver', 'second', 'loud'] as const)
      await installation.fund(screen.userId(member), plan.network);
    groups.push({ plan, screen });
  }
  return groups;
}

/** In each life some more groups begin, most of them before it has fully begun. */
async function liveAndDie(groups: readonly Group[], world: ChatWorld, options: Options): Promise<number> {
  const { points, log, triesMs = ALL_DAY_MS } = options;
  const signal = AbortSignal.timeout(triesMs);
  const stories: Promise<void>[] = [];
  const lives = points.length + 1;
  // One each as long as there are any, where there are fewer than lives; else some in every life.
  const firstOf = (life: number) =>
    groups.length < lives ? Math.min(life, groups.length) : Math.floor((life * groups.length) / lives);
  const begin = (life: number) => {
    const some = groups.slice(firstOf(life), firstOf(life + 1));
    stories.push(...some.map((group) => play(storyOf(group, world, { signal, log }))));
  };
  let kills = 0;
  for (const [life, point] of points.entries()) {
    begin(life);
    const hasFired = await world.lives.dieAt(point);
    if (hasFired) kills += 1;
    log?.(`life ${life + 1} of ${points.length} ${hasFired ? 'ended' : 'did not end'} at ${point}`);
  }
  begin(points.length);
  await world.lives.start();
  await Promise.all(stories);
  await settle(groups, world, options);
  return kills;
}

function storyOf({ plan, screen }: Group, { installation }: ChatWorld, rest: Pick<Story, 'signal' | 'log'>): Story {
  return { plan, screen, ...rest, pass: () => passTime(installation.store, screen.userId('giver')) };
}

/** By this name a torture counts them. */
export const againOf = (kind: Kind): string => `${kind} delivered again`;

async function deliverAgain(groups: readonly Group[]): Promise<Hits> {
  const all = await Promise.all(groups.map(({ screen }) => screen.deliverAgain()));
  const sum = (kind: Kind) => all.reduce((total, one) => total + one[kind], 0);
  return Object.fromEntries(KINDS.map((kind) => [againOf(kind), sum(kind)]));
}

/** Waits until all is settled, or as long as it may take: what is not exact then is what the verdict counts. */
async function settle(groups: readonly Group[], world: ChatWorld, { settleMs, sabotage }: Options): Promise<void> {
  const until = async () => {
    const open = await countOpen(world.installation.store);
    if (open > 0) throw new Error(`${open} orders are not over`);
    const outcomes = await outcomesOf(groups, world);
    if (!sabotage && !outcomes.every(isExactGroup)) throw new Error('not every sum is where it belongs');
    if (world.telegram.unconfirmed().length > 0) throw new Error('Telegram still has updates');
  };
  await eventually(until, settleMs).catch(() => undefined);
}

async function outcomesOf(groups: readonly Group[], { installation }: ChatWorld): Promise<GroupOutcome[]> {
  const books = await readGroupBooks(installation.store);
  const judge = async ({ plan, screen }: Group) =>
    judgeGroup(plan, screen, { books, top: await readTop(installation.store, screen) });
  return Promise.all(groups.map(judge));
}

/** As the chain says, which knows nothing of our books. */
async function findWrongPayers(groups: readonly Group[], { installation }: ChatWorld): Promise<number> {
  let wrong = 0;
  for (const { plan, screen } of groups) {
    const spent = (member: 'giver' | 'second' | 'loud') => installation.spentBy(screen.userId(member), plan.network);
    if ((await spent('giver')) !== plan.drop + half(plan.bill)) wrong += 1;
    if ((await spent('second')) !== half(plan.bill)) wrong += 1;
    if ((await spent('loud')) !== 0n) wrong += 1;
  }
  return wrong;
}

async function audit(groups: readonly Group[], world: ChatWorld) {
  const outcomes = await outcomesOf(groups, world);
  const violations = await findViolations(world.installation.store);
  const total = (of: (outcome: GroupOutcome) => number) => outcomes.reduce((sum, one) => sum + of(one), 0);
  const wrong = outcomes.filter((outcome) => !isExactGroup(outcome));
  return {
    exact: outcomes.length - wrong.length,
    sharesTwice: total(sharesTwice),
    billsTwice: total(billsTwice),
    violations: violations.length,
    wrong: wrong.map((outcome) =>
      JSON.stringify(outcome, (_, value) => (typeof value === 'bigint' ? value.toString() : (value as unknown))),
    ),
  };
}
