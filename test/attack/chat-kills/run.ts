import type { Failpoint } from '../../../core/failpoints.ts';
import type { Network } from '../../../core/networks.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { addHits, type Hits } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { countOpen, readBooks, type Books } from './books.ts';
import { makePlan, type Plan, type Transport } from './plan.ts';
import { countVerdict, isExact, judgeTips, type Chain, type Outcome, type Verdict } from './verdict.ts';
import { openChatWorld, type ChatWorld } from './world.ts';

export type ChatKills = Verdict & {
  kills: number;
  hits: Hits;
  /** Commands on Discord that nobody had answered in time, as the person was told there. */
  retyped: number;
  violations: number;
  /** Orders that were begun in one life and ended in a later one, by transport. */
  survivors: Readonly<Record<string, number>>;
  outcomes: readonly Outcome[];
  /** Of those that are not exact, some, in words. */
  wrong: readonly string[];
};

type Settled = (outcomes: readonly Outcome[]) => boolean;
const areExact: Settled = (outcomes) => outcomes.every(isExact);

type Options = {
  count: number;
  seed: number;
  networks: readonly Network[];
  transports?: readonly Transport[];
  /** One life of the bot for each. */
  points: readonly Failpoint[];
  /** How long everything may take to come true after the last death. */
  settleMs: number;
  /** For controls: statements that take a rule out of the books. */
  sabotage?: readonly string[];
  /** For controls, where not every tip gets anywhere: what to wait for instead before the last delivery, and after it. */
  areOver?: Settled;
  areTold?: Settled;
  log?: (text: string) => void;
};

/**
 * People tip over three transports while the bot dies again and again; then it lives, and everything must come true. At
 * the end all that was ever said is delivered once more, to another process, and nothing may come of it.
 */
export async function runChatKills(options: Options): Promise<ChatKills> {
  const plan = makePlan(options);
  const world = await openChatWorld(plan, options.networks);
  try {
    const wallets = await prepare(plan, world);
    for (const statement of options.sabotage ?? []) await world.installation.sabotage(statement);
    const { kills, said } = await liveAndDie(plan, world, options);
    await world.lives.start();
    await said;
    await settle(plan, world, wallets, options, options.areOver ?? areExact);
    if (!options.sabotage) {
      await world.lives.kill();
      await world.lives.start();
    }
    const again = await deliverAgain(plan, world, wallets);
    await settle(plan, world, wallets, options, options.areTold ?? areExact);
    const chain = await readChain(plan, world, wallets);
    // The chains end with it; what it has heard by then is in the books, and an order too many would be as well.
    await world.lives.stop();
    const hits = addHits(world.lives.hits(), { 'delivered again': again });
    return { ...(await audit(plan, world, chain)), kills, hits, retyped: world.retyped() };
  } finally {
    await world.close();
  }
}

type Hex = `0x${string}`;
const WRONG_SHOWN_MAX = 20;
type Wallets = ReadonlyMap<number, Hex>;

/** Answers the wallets that recipients have, by tip. */
async function prepare(plan: Plan, { installation, people }: ChatWorld): Promise<Wallets> {
  for (const [index, person] of people.entries()) {
    await installation.fund(person.walletId, plan.payers[index]?.network ?? 'base');
  }
  const wallets = new Map<number, Hex>();
  for (const { index, handle, hasWallet } of plan.tips) {
    if (hasWallet) wallets.set(index, await installation.link(handle));
  }
  return wallets;
}

/** In each life some more people say something, most of them before it has fully begun. */
async function liveAndDie({ tips }: Plan, { people, lives }: ChatWorld, { points, log }: Options) {
  const said: Promise<unknown>[] = [];
  let kills = 0;
  // One share is for the life that ends by itself.
  const perLife = Math.ceil(tips.length / (points.length + 1));
  const tell = (life: number) => {
    const some = tips.slice(life * perLife, (life + 1) * perLife);
    said.push(...some.map(async (tip) => people[tip.payer]?.say(tip)));
  };
  for (const [life, point] of points.entries()) {
    tell(life);
    const hasFired = await lives.dieAt(point);
    if (hasFired) kills += 1;
    log?.(`life ${life + 1} of ${points.length} ${hasFired ? 'ended' : 'did not end'} at ${point}`);
  }
  tell(points.length);
  // A rejection is looked at where it is awaited, after the next start.
  const all = Promise.all(said);
  all.catch(() => undefined);
  return { kills, said: all };
}

/** What is lost stays lost: only what the bot has ended comes again. Answers how much that was. */
async function deliverAgain(plan: Plan, world: ChatWorld, wallets: Wallets): Promise<number> {
  const outcomes = await outcomesOf(plan, world, await readReceived(world, wallets));
  const over = outcomes.filter(({ isOver }) => isOver);
  await Promise.all(over.map(async ({ tip }) => world.people[tip.payer]?.deliverAgain(tip)));
  return over.length;
}

/** Waits until all is settled, or as long as it may take: what is not exact then is what the verdict counts. */
async function settle(
  plan: Plan,
  world: ChatWorld,
  wallets: Wallets,
  { settleMs }: Options,
  areSettled: Settled,
): Promise<void> {
  const until = async () => {
    const open = await countOpen(world.installation.store);
    if (open > 0) throw new Error(`${open} orders are not over`);
    const outcomes = await outcomesOf(plan, world, await readReceived(world, wallets));
    if (!areSettled(outcomes)) throw new Error('not every tip is where it belongs');
    if (world.telegram.unconfirmed().length > 0) throw new Error('Telegram still has updates');
  };
  await eventually(until, settleMs).catch(() => undefined);
}

async function outcomesOf(plan: Plan, world: ChatWorld, received: Chain['received']): Promise<Outcome[]> {
  return judgeTips(plan, world.people, await readShown(world), received);
}

/** What people see on a page of ours changes by that too. */
async function readShown({ installation, webChats }: ChatWorld): Promise<Books> {
  const books = await readBooks(installation.store);
  webChats.shown = books.webChats;
  return books;
}

function countSurvivors({ spans }: Books, deathsAtMs: readonly number[]): Record<string, number> {
  const survivors: Record<string, number> = {};
  for (const { transport, fromMs, toMs } of spans) {
    if (deathsAtMs.some((at) => fromMs < at && at < toMs)) survivors[transport] = (survivors[transport] ?? 0) + 1;
  }
  return survivors;
}

async function readReceived({ installation }: ChatWorld, wallets: Wallets): Promise<Chain['received']> {
  const received = new Map<number, bigint>();
  for (const [index, address] of wallets) received.set(index, await installation.onChain(address));
  return received;
}

async function readChain({ payers }: Plan, world: ChatWorld, wallets: Wallets): Promise<Chain> {
  const spent: bigint[] = [];
  for (const [index, { network }] of payers.entries()) {
    spent.push(await world.installation.spentBy(world.people[index]?.walletId ?? '', network));
  }
  return { received: await readReceived(world, wallets), spent };
}

async function audit(
  plan: Plan,
  world: ChatWorld,
  chain: Chain,
): Promise<Omit<ChatKills, 'kills' | 'hits' | 'retyped'>> {
  const books = await readShown(world);
  const outcomes = judgeTips(plan, world.people, books, chain.received);
  const violations = await findViolations(world.installation.store);
  const wrong = outcomes.filter((outcome) => !isExact(outcome)).map((outcome) => describe(plan, outcome));
  return {
    ...countVerdict(plan, world.people, outcomes, chain.spent),
    violations: violations.length,
    survivors: countSurvivors(books, world.lives.deathsAtMs()),
    outcomes,
    wrong: [...wrong, ...violations.map(({ rule, detail }) => `${rule}: ${detail}`)].slice(0, WRONG_SHOWN_MAX),
  };
}

function describe({ payers }: Plan, { tip, arrived, ...rest }: Outcome): string {
  const { transport, network, isPublic } = payers[tip.payer] ?? {};
  return JSON.stringify({ ...tip, transport, network, isPublic, ...rest, arrived, amount: tip.amount }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : (value as unknown),
  );
}
