import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBooks } from '../../../db/audit/books.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Failpoint } from '../../../core/failpoints.ts';
import { addHits, type Hits } from '../../../scripts/torture/faults.ts';
import { SOLANA_POINTS } from '../../../scripts/torture/points.ts';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import { createDice, type Dice } from './dice.ts';
import { createWorld, link, type World } from './world.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKER = join(import.meta.dirname, 'worker-process.ts');
/** Until then things go wrong, and longer while a fault has not fired; afterwards what was promised must come true by itself. */
const STORM_MS = 45_000;
const STORM_MAX_MS = 150_000;
/** For all of it. */
const LIMIT_MS = STORM_MAX_MS + 105_000;
const TICK_MS = 100;
/** Longer than a blockhash lives. */
const SLOTS_TO_THE_END = 200;
/** Once a worker is to die at a point, it lives until it gets there, or for as long as this. */
const TO_THE_POINT_MS = 6_000;
/** In each life before the storm ends only one in so many recipients says where the money goes, so that some are left for the next. */
const LATER = 6;
/** So many are left for lives that must end at a point that has not been reached; there is nothing to pay otherwise. */
const KEPT_BACK = 8;
export const FAULTS = ['drop', 'late', 'hold', 'lose_reply', 'unavailable'] as const;

export type Ordeal = {
  payouts: number;
  seed: number;
  control: '' | 're-sign';
  /** How often the worker dies before the storm ends. */
  deaths: number;
  /** The storm goes on until each of these has fired, as long as it may. */
  untilFired: readonly (Failpoint | (typeof FAULTS)[number])[];
};

export type OrdealResult = {
  exact: number;
  missing: number;
  /** Recipients who got more than they were owed. */
  paidTwice: number;
  kills: number;
  failpoints: number;
  killedAt: Hits;
  faults: Record<string, number>;
  attempts: Record<string, number>;
  violations: string[];
};

/**
 * Payouts while the node loses replies, drops and delays transactions and refuses to serve, and the worker is killed
 * again and again. At the end the chain is asked what everybody has.
 */
export async function endure(ordeal: Ordeal): Promise<OrdealResult> {
  const { payouts, seed } = ordeal;
  const dice = createDice(seed);
  const world = await createWorld(payouts, dice);
  try {
    await raiseStorm(world, ordeal);
    const storm = await surviveStorm(world, dice, ordeal);
    await world.rpc('local_clearFaults');
    // Whatever is still on its way lands now, or its blockhash is too old.
    await world.rpc('local_releaseTransactions');
    await world.chain.warpSlots(SLOTS_TO_THE_END);
    return { ...storm, ...(await judge(world)) };
  } finally {
    await world.close();
  }
}

/** The control needs late landings above all: that is what a time-out mistakes for a loss. */
async function raiseStorm({ rpc }: World, { seed, control }: Ordeal): Promise<void> {
  const isControl = control === 're-sign';
  await rpc('local_setFault', { kind: 'drop', percent: 20, seed });
  await rpc('local_setFault', {
    kind: 'late',
    percent: isControl ? 70 : 40,
    blocks: isControl ? 130 : 90,
    seed: seed + 1,
  });
  await rpc('local_setFault', { kind: 'hold', percent: 15, seed: seed + 2 });
  await rpc('local_setFault', { kind: 'lose_reply', percent: 10, seed: seed + 3 });
  await rpc('local_setFault', { kind: 'unavailable', percent: 10, seed: seed + 4 });
}

/** What the worker's processes went through. */
type Storm = { kills: number; failpoints: number; killedAt: Hits };

async function surviveStorm(world: World, dice: Dice, { control, deaths, untilFired }: Ordeal): Promise<Storm> {
  const store = await openMigrated({ kind: 'sqlite', path: world.databasePath });
  const storm: Storm = { kills: 0, failpoints: 0, killedAt: {} };
  const startedMs = Date.now();
  let isStormOver = false;
  let linksLeft = Number.POSITIVE_INFINITY;
  const waiting = [...world.recipients];
  /** Recipients come one by one, so that there are many transactions and not a few full ones. */
  const tick = async () => {
    await world.rpc('local_releaseTransactions');
    if (control === 're-sign') await liftStops(store);
    const now = waiting.splice(0, Math.min(1 + dice.below(2), linksLeft));
    linksLeft -= now.length;
    for (const recipient of now) await link(store, recipient, dice);
    return waiting.length === 0 && (await isOver(store));
  };
  const findSilent = async () => {
    const { fired } = (await world.rpc('local_faults')) as { fired: Record<string, number> };
    const hits = { ...fired, ...storm.killedAt };
    return untilFired.filter((fault) => (hits[fault] ?? 0) === 0);
  };
  try {
    while (!(await tick()) && Date.now() - startedMs < LIMIT_MS) {
      const silent = await findSilent();
      const agedMs = Date.now() - startedMs;
      const hasDiedEnough = deaths > 0 && storm.kills + storm.failpoints >= deaths;
      const isLong = agedMs > STORM_MS || hasDiedEnough;
      const isPast = isLong && (silent.length === 0 || agedMs > STORM_MAX_MS);
      if (isPast && !isStormOver) await world.rpc('local_clearFaults');
      isStormOver ||= isPast;
      const isEndless = isStormOver || deaths === 0;
      const isForPoint = isLong || dice.below(2) > 0;
      const point = isEndless || !isForPoint ? undefined : pickPoint(dice, silent);
      linksLeft = isEndless ? Number.POSITIVE_INFINITY : beginsNow(waiting.length, silent.length > 0, point);
      const lifeMs = isEndless ? STORM_MS : point === undefined ? 100 + dice.below(1_400) : TO_THE_POINT_MS;
      const program = await compileProgram(WORKER);
      await liveOnce(startWorkerProcess(program, world, control, point ?? ''), { point, lifeMs, tick, storm });
    }
  } finally {
    await store.close();
  }
  return storm;
}

/** How many recipients say in this life where their money goes. */
function beginsNow(waiting: number, isSilent: boolean, point: Failpoint | undefined): number {
  if (!isSilent || waiting > KEPT_BACK) return Math.ceil(waiting / LATER);
  return point === undefined ? 0 : 1;
}

/** One that has not fired yet, as long as there is one. */
function pickPoint(dice: Dice, silent: readonly string[]): Failpoint | undefined {
  const left = SOLANA_POINTS.filter((point) => silent.includes(point));
  const points = left.length > 0 ? left : SOLANA_POINTS;
  return points[dice.below(points.length)];
}

type Life = { point: Failpoint | undefined; lifeMs: number; tick: () => Promise<boolean>; storm: Storm };

/** One process of the worker, from its start to its death by its own failpoint or by our hand. */
async function liveOnce(worker: ChildProcess, { point, lifeMs, tick, storm }: Life): Promise<void> {
  const died = once(worker, 'exit');
  await Promise.race([once(worker, 'message'), died]);
  const untilMs = Date.now() + lifeMs;
  const isAlive = () => worker.exitCode === null && worker.signalCode === null;
  while (isAlive() && Date.now() < untilMs && !(await tick())) await Promise.race([sleep(TICK_MS), died]);
  if (isAlive()) {
    worker.kill('SIGKILL');
    storm.kills += 1;
  } else if (point !== undefined && worker.signalCode === 'SIGKILL') {
    storm.failpoints += 1;
    storm.killedAt = addHits(storm.killedAt, { [point]: 1 });
  } else {
    throw new Error(`the worker ended by itself with ${worker.exitCode ?? worker.signalCode}`);
  }
  await died;
}

function startWorkerProcess(
  program: string,
  { chain, databasePath, keys }: World,
  control: string,
  failpoint: string,
): ChildProcess {
  return spawn(process.execPath, [program], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      RPC_URL: chain.rpcUrl,
      DATABASE: databasePath,
      TREASURY_KEY: keys.treasuryKey,
      FEE_PAYER_KEY: keys.feePayerKey,
      FAILPOINT: failpoint,
      CONTROL: control,
    },
  });
}

type Books = Awaited<ReturnType<typeof openMigrated>>;

/** Everybody has been paid for good. */
async function isOver(store: Books): Promise<boolean> {
  const rows = await store.read.select({ status: store.tables.transfers.status }).from(store.tables.transfers);
  return rows.every(({ status }) => status === 'final');
}

/** A usual worker has no books that would stop it at the first transfer that they cannot explain. */
async function liftStops(store: Books): Promise<void> {
  await store.tx((db) => db.delete(store.tables.signingStops));
}

async function judge({ chain, databasePath, keys, recipients, rpc }: World) {
  const store = await openMigrated({ kind: 'sqlite', path: databasePath });
  try {
    const balances = await Promise.all(recipients.map(({ wallet }) => chain.usdcBalance(wallet)));
    const surplus = recipients.map(({ amount, before }, index) => (balances[index] ?? 0n) - before - amount);
    const violations = (await findViolations(store)).map(({ rule, detail }) => `${rule}: ${detail}`);
    const treasury = readSolanaKey(keys.treasuryKey).address;
    const [books, held] = [
      (await readBooks(store, 'solana', [treasury]))?.held.get(treasury),
      await chain.usdcBalance(treasury),
    ];
    if (books !== held) violations.push(`books say ${books}, the chain says ${held}`);
    const carriers = await store.read.select().from(store.tables.carriers);
    const { fired } = (await rpc('local_faults')) as { fired: Record<string, number> };
    return {
      exact: surplus.filter((amount) => amount === 0n).length,
      missing: surplus.filter((amount) => amount < 0n).length,
      paidTwice: surplus.filter((amount) => amount > 0n).length,
      faults: fired,
      attempts: countBy(carriers.filter(({ kind }) => kind === 'payout').map(({ status }) => status)),
      violations,
    };
  } finally {
    await store.close();
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
