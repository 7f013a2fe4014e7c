import { setTimeout as sleep } from 'node:timers/promises';
import type { Failpoint } from '../../../core/failpoints.ts';
import type { Network } from '../../../core/networks.ts';
import { addHits, countHits, type Hits } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { createLives, type Lives } from '../chat-kills/lives.ts';
import { createDice, type Dice } from '../solana/dice.ts';
import { openInstallation, type Installation } from './installation.ts';
import { createMarks } from './marks.ts';
import { createOwner, type Owner } from './owner.ts';
import { makePlan, type PursePlan } from './plan.ts';
import { findBrokenBooks, findWrongLines, judgePurses, type PurseOutcome } from './verdict.ts';

export type Death = Failpoint | 'by chance' | 'as money leaves';

type Options = {
  count: number;
  seed: number;
  networks: readonly Network[];
  /** One life of the service for each. */
  deaths: readonly Death[];
  /** How long one step of a person may take, over all deaths. */
  patienceMs: number;
  /** For controls: a statement that takes a rule out of the books. */
  sabotage?: string;
  log?: (text: string) => void;
};

export type PurseKills = {
  outcomes: readonly PurseOutcome[];
  kills: number;
  hits: Hits;
  exact: number;
  /** How often people saw a page of their own money. */
  looks: number;
  /** What people saw of others, or could do there. */
  leaks: readonly string[];
  wrong: readonly string[];
};

type World = { owners: readonly Owner[]; installation: Installation; lives: Lives; dice: Dice };

/** So many at once look back; each look asks the chains. */
const SIDE_BY_SIDE = 12;
const PAID_AT_ONCE = 40;

/**
 * People collect, sign in elsewhere, send and take out while the service dies again and again. Then it lives: everybody
 * reads all that is theirs, asks for what is not, and delivers once more what was agreed to, to another process.
 */
export async function runPurseKills(options: Options): Promise<PurseKills> {
  const { networks, count, seed } = options;
  const installation = await openInstallation(networks);
  const { dataDir } = installation;
  const lives = createLives({ dataDir, envOf: () => ({ NETWORKS: networks.join(',') }) });
  try {
    const owners = await prepare(makePlan(count, seed, networks), installation, lives, options);
    const world: World = { owners, installation, lives, dice: createDice(seed) };
    await payAll(world);
    if (options.sabotage !== undefined) await installation.sabotage(options.sabotage);
    const lived = await liveAndDie(world, options);
    await lives.kill();
    await lives.start();
    const unread = options.sabotage === undefined ? await lookBack(world) : [];
    return await audit(world, { ...lived, wrong: [...lived.wrong, ...unread] });
  } finally {
    await lives.kill();
    await installation.close();
  }
}

async function prepare(
  plans: readonly PursePlan[],
  installation: Installation,
  lives: Lives,
  { patienceMs }: Options,
): Promise<Owner[]> {
  const addresses: string[][] = [];
  for (const { network, walletId } of plans) {
    const [purse, out] = [installation.addressesOf(walletId), installation.newAddress(network)];
    for (const owner of [purse.solana, out]) await installation.ensureAccount(network, owner);
    addresses.push([out, purse.base, purse.solana]);
  }
  const marks = createMarks(plans, addresses);
  return plans.map((plan) => {
    const outAddress = addresses[plan.index]?.[0] ?? '';
    return createOwner(plan, { url: lives.url, patienceMs, outAddress, marks });
  });
}

/** Before the first death: payers are another story. */
async function payAll({ owners, installation, lives }: World): Promise<void> {
  await lives.start();
  for (const network of new Set(owners.map(({ plan }) => plan.network))) {
    const people = owners.flatMap(({ plan }) => (plan.network === network ? [plan] : []));
    for (let start = 0; start < people.length; start += PAID_AT_ONCE)
      await installation.pay(lives.url() ?? '', network, people.slice(start, start + PAID_AT_ONCE));
  }
  await lives.kill();
}

/** `fired`: the deaths that came as they were meant to. */
type Lived = { fired: readonly string[]; wrong: readonly string[] };

/** In each life some more people begin; those by chance end when all who began before are through. */
async function liveAndDie(world: World, { deaths, log }: Options): Promise<Lived> {
  const { owners, lives } = world;
  const [wrong, fired, running]: [string[], string[], Promise<void>[]] = [[], [], []];
  // One share is for the life that ends by itself.
  const perLife = Math.ceil(owners.length / (deaths.length + 1));
  let done = 0;
  const live = async (owner: Owner) => {
    await owner.live().catch((error: unknown) => wrong.push(String(error)));
    done += 1;
  };
  const begin = (life: number) => running.push(...owners.slice(life * perLife, (life + 1) * perLife).map(live));
  for (const [life, death] of deaths.entries()) {
    begin(life);
    const hasDied = await dieOf(death, world, () => done >= life * perLife);
    if (hasDied) fired.push(death);
    log?.(
      `life ${life + 1} of ${deaths.length} ${hasDied ? 'ended' : 'did not end'} ${death}; ${done} people are through`,
    );
  }
  begin(deaths.length);
  await lives.start();
  await Promise.all(running);
  return { fired, wrong };
}

const LOOK_MS = 50;
/** A life in which nobody gets on is over as well. */
const LIFE_MS = 300_000;
const LATER_MS = 2_000;

async function dieOf(death: Death, { owners, lives, dice }: World, isDue: () => boolean): Promise<boolean> {
  if (death !== 'by chance' && death !== 'as money leaves') return lives.dieAt(death);
  await lives.start();
  const isNow = () => (death === 'by chance' ? isDue() : owners.some((owner) => owner.isTakingOut()));
  const untilMs = Date.now() + LIFE_MS;
  while (!isNow() && Date.now() < untilMs) await sleep(LOOK_MS);
  const hasCome = isNow();
  await sleep(dice.below(death === 'by chance' ? LATER_MS : LATER_MS / 4));
  await lives.kill();
  return hasCome;
}

/** All that was seen and agreed to before, in another process; answers what is wrong. */
async function lookBack(world: World): Promise<string[]> {
  const { owners } = world;
  const wrong: string[] = [];
  const each = (step: (owner: Owner, next: Owner) => Promise<unknown>) =>
    inTurns(owners, async (owner) => {
      const next = owners[(owner.plan.index + 1) % owners.length] ?? owner;
      await step(owner, next).catch((error: unknown) => wrong.push(String(error)));
    });
  await each((owner) => owner.deliverAgain());
  if (owners.length > 1) await each((owner, next) => owner.prowl(next.places()));
  await each(async (owner) => {
    for (const table of await owner.read()) wrong.push(...findWrongLines(table, owner));
  });
  await each((owner) => owner.signOut());
  return wrong;
}

async function inTurns<T>(items: readonly T[], step: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const turn = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await step(item);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, turn));
}

const BOOKS_MS = 60_000;

async function audit({ owners, installation, lives }: World, { fired, wrong }: Lived): Promise<PurseKills> {
  const outcomes = await judgePurses(owners, installation);
  const broken = await eventually(async () => {
    const found = await findBrokenBooks(installation);
    if (found.length > 0) throw new Error(found.join('; '));
    return [];
  }, BOOKS_MS).catch((error: unknown) => [String(error)]);
  const byChance = fired.filter((death) => !death.includes('.')).map((death) => `killed ${death}`);
  const notExact = outcomes.filter(({ isExact }) => !isExact);
  return {
    outcomes,
    kills: fired.length,
    hits: [lives.hits(), countHits(byChance), ...owners.map((owner) => owner.hits())].reduce(addHits),
    exact: outcomes.length - notExact.length,
    looks: owners.reduce((sum, owner) => sum + owner.looks(), 0),
    leaks: owners.flatMap((owner) => owner.leaks()),
    wrong: [...notExact.map(describe), ...broken, ...wrong],
  };
}

const describe = (outcome: PurseOutcome): string =>
  JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
