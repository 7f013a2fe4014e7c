import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectedBalance, findViolations } from '../../../db/audit/invariants.ts';
import { openStore } from '../../../db/store/open.ts';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import { createDice, type Dice } from './dice.ts';
import { createWorld, link, type World } from './world.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKER = join(import.meta.dirname, 'worker-process.ts');
/** Until then things go wrong; afterwards what was promised must come true by itself. */
const STORM_MS = 45_000;
const LIMIT_MS = 150_000;
const TICK_MS = 100;
/** Longer than a blockhash lives. */
const SLOTS_TO_THE_END = 200;
const POINTS = [
  'payout.before-store',
  'payout.after-store',
  'payout.after-send',
  'scan.before-apply',
  'scan.after-apply',
] as const;

export type Ordeal = {
  payouts: number;
  seed: number;
  control: '' | 're-sign';
  /** How often the worker dies before the storm ends. */
  deaths: number;
};

export type OrdealResult = {
  exact: number;
  missing: number;
  /** Recipients who got more than they were owed. */
  paidTwice: number;
  kills: number;
  failpoints: number;
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
type Storm = { kills: number; failpoints: number };

async function surviveStorm(world: World, dice: Dice, { control, deaths }: Ordeal): Promise<Storm> {
  const store = await openStore({ kind: 'sqlite', path: world.databasePath });
  const storm: Storm = { kills: 0, failpoints: 0 };
  const startedMs = Date.now();
  let calm = false;
  const waiting = [...world.recipients];
  /** Recipients come one by one, so that there are many transactions and not a few full ones. */
  const tick = async () => {
    await world.rpc('local_releaseTransactions');
    if (control === 're-sign') await liftStops(store);
    for (const recipient of waiting.splice(0, 1 + dice.below(2))) await link(store, recipient, dice);
    return waiting.length === 0 && (await isOver(store));
  };
  try {
    while (!(await tick()) && Date.now() - startedMs < LIMIT_MS) {
      const isPast = Date.now() - startedMs > STORM_MS || (deaths > 0 && storm.kills + storm.failpoints >= deaths);
      if (isPast && !calm) await world.rpc('local_clearFaults');
      calm ||= isPast;
      const point = !calm && deaths > 0 && dice.below(3) === 0 ? POINTS[dice.below(POINTS.length)] : undefined;
      const lifeMs = calm || deaths === 0 ? STORM_MS : 100 + dice.below(1_400);
      const program = await compileProgram(WORKER);
      await liveOnce(startWorkerProcess(program, world, control, point ?? ''), lifeMs, tick, storm);
    }
  } finally {
    await store.close();
  }
  return storm;
}

/** One process of the worker, from its start to its death by its own failpoint or by our hand. */
async function liveOnce(
  worker: ChildProcess,
  lifeMs: number,
  tick: () => Promise<boolean>,
  storm: Storm,
): Promise<void> {
  const died = once(worker, 'exit');
  await Promise.race([once(worker, 'message'), died]);
  const untilMs = Date.now() + lifeMs;
  const isAlive = () => worker.exitCode === null && worker.signalCode === null;
  while (isAlive() && Date.now() < untilMs && !(await tick())) await Promise.race([sleep(TICK_MS), died]);
  if (isAlive()) {
    worker.kill('SIGKILL');
    storm.kills += 1;
  } else {
    storm.failpoints += 1;
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

type Books = Awaited<ReturnType<typeof openStore>>;

/** Everybody has been paid for good. */
async function isOver(store: Books): Promise<boolean> {
  const rows = await store.read.select({ status: store.tables.payouts.status }).from(store.tables.payouts);
  return rows.every(({ status }) => status === 'final');
}

/** A usual worker has no books that would stop it at the first transfer that they cannot explain. */
async function liftStops(store: Books): Promise<void> {
  await store.tx((db) => db.delete(store.tables.signingStops));
}

async function judge({ chain, databasePath, keys, recipients, rpc }: World) {
  const store = await openStore({ kind: 'sqlite', path: databasePath });
  try {
    const balances = await Promise.all(recipients.map(({ wallet }) => chain.usdcBalance(wallet)));
    const surplus = recipients.map(({ amount, before }, index) => (balances[index] ?? 0n) - before - amount);
    const violations = (await findViolations(store)).map(({ rule, detail }) => `${rule}: ${detail}`);
    const treasury = readSolanaKey(keys.treasuryKey).address;
    const [books, held] = [await expectedBalance(store, 'solana', treasury), await chain.usdcBalance(treasury)];
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
