import { and, eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Holder } from '../../../db/processes/holdings.ts';
import { isAlive, type Hold, type Owner } from '../../../db/processes/owner.ts';
import { guardSigning, signingTx } from '../../../db/processes/signing.ts';
import type { Db, Store } from '../../../db/store/store.ts';
import { createHolder } from '../../../service/readiness/holder.ts';
import { startProcess, type RunningProcess } from '../../../service/readiness/process.ts';
import { createChance, type Chance } from '../joins/model.ts';
import { createVirtualBus, createVirtualProcess, type VirtualProcess, type VirtualTime } from '../joins/virtual.ts';

export type World = { seed: number; found: readonly string[]; hits: readonly string[]; worked: number; signed: number };

/** For controls, which take a rule away. */
export type Rules = {
  decorate?: (lease: RunningProcess) => RunningProcess;
  guard?: (store: Store, owner: () => Owner) => Store;
};

type Fault = 'fail' | 'lose the reply' | 'stop after it';
type Worker = { process: VirtualProcess; store: Store; lease: RunningProcess; holder: Holder };
type Setting = Omit<World, 'found' | 'hits'> & {
  time: VirtualTime;
  store: Store;
  chance: Chance;
  rules: Rules;
  bus: ReturnType<typeof createVirtualBus>;
  endMs: number;
  found: string[];
  hits: string[];
};

/** While things break. */
const BREAKING_MS = 70_000;
/** A lease, and the next beat of another process. */
const RECOVERING_MS = 15_000;
export const WORLD_MS = BREAKING_MS + RECOVERING_MS + 35_000;
const CLOCKS_APART_MS = 600_000;
const STOPPED_MS = [3_000, 12_000, 31_000];
const WORKERS_MAX = 8;
const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });

/**
 * Processes want the same things, work and sign under them, while they are stopped, killed, told to leave and lied to.
 * Resolves with what was wrong.
 */
export async function live(time: VirtualTime, store: Store, seed: number, rules: Rules = {}): Promise<World> {
  const chance = createChance(seed);
  const bus = createVirtualBus();
  const endMs = time.nowMs() + BREAKING_MS;
  const world: Setting = { time, store, seed, chance, rules, bus, endMs, found: [], hits: [], worked: 0, signed: 0 };
  const names = [`lane:${seed}`, `job:${seed}`];
  const workers: Worker[] = [];
  const start = async (): Promise<void> => {
    if (workers.length === WORKERS_MAX || time.nowMs() >= endMs) return;
    const worker = await startWorker(world, `${seed}-${workers.length}`);
    workers.push(worker);
    for (const name of names) void workOn(world, worker, name, worker.holder.want(name));
    breakIt(world, worker, start);
  };
  for (let index = 0; index < 2 + chance.below(3); index += 1) await start();
  await time.sleep(BREAKING_MS);
  for (const { process } of workers) process.resume();
  await time.sleep(RECOVERING_MS);
  const living = workers.filter(({ process }) => process.isRunning());
  for (const name of names) {
    const holders = living.filter(({ holder }) => holder.want(name).isHeld());
    if (holders.length !== 1) world.found.push(`in the end ${holders.length} processes hold the same`);
  }
  await Promise.all(living.map(leave));
  return { seed, found: world.found, hits: world.hits, worked: world.worked, signed: world.signed };
}

async function leave({ holder, lease, process }: Worker): Promise<void> {
  await holder.close();
  await lease.close();
  process.kill();
}

async function startWorker(world: Setting, address: string): Promise<Worker> {
  const { time, chance, rules, hits, bus } = world;
  const process = createVirtualProcess(time);
  const skewMs = chance.of([0, CLOCKS_APART_MS, -CLOCKS_APART_MS]);
  if (skewMs !== 0) hits.push('clocks apart');
  const timer = { ...process.timer, nowMs: () => time.nowMs() + skewMs };
  const faults = chance.of([0, 0.02, 0.1]);
  const conditions = { isStarted: false };
  const store = faultyStore(world, process, () => conditions.isStarted && chance.is(faults));
  const started = await startProcess({ store, roles: ['worker'], address, log, timer });
  conditions.isStarted = true;
  const lease = rules.decorate?.(started) ?? started;
  const { guard } = (rules.guard ?? guardSigning)(store, lease.owner);
  const guarded = withClock(time, { ...store, ...(guard && { guard }) });
  const holder = createHolder({ store: guarded, lease, announcer: bus(process, chance.is(0.5)), log, timer });
  return { process, store: guarded, lease, holder };
}

/** The database's clock is the virtual one, at the moment at which a statement is made. */
function withClock(time: VirtualTime, store: Store): Store {
  return {
    ...store,
    get clock() {
      return sql<number>`${time.nowMs()}`;
    },
  };
}

function faultyStore(
  { time, store, chance, hits, endMs }: Setting,
  process: VirtualProcess,
  isHit: () => boolean,
): Store {
  return withClock(time, {
    ...store,
    async tx(work, locks) {
      await process.gate();
      const fault: Fault | null =
        time.nowMs() < endMs && isHit() ? chance.of(['fail', 'lose the reply', 'stop after it']) : null;
      if (fault !== null) hits.push(fault);
      if (fault === 'fail') throw new Error('the database went away');
      const value = await time.during(() => store.tx(work, locks));
      if (fault === 'stop after it') stopFor(time, process, chance.of(STOPPED_MS));
      await process.gate();
      if (fault === 'lose the reply') throw new Error('the reply of COMMIT was lost');
      return value;
    },
  });
}

function stopFor(time: VirtualTime, process: VirtualProcess, ms: number): void {
  process.stop();
  time.after(ms, process.resume);
}

function breakIt({ time, chance, hits, endMs }: Setting, worker: Worker, startNext: () => Promise<void>): void {
  const inTime = (ms: number, then: () => void) =>
    time.after(ms, () => {
      if (time.nowMs() < endMs && !worker.process.isDead()) then();
    });
  if (chance.is(0.6)) {
    inTime(chance.ms(40_000), () => {
      hits.push('stop');
      stopFor(time, worker.process, chance.of(STOPPED_MS));
    });
  }
  const end = chance.of(['kill', 'leave', null] as const);
  if (end === null) return;
  inTime(chance.ms(50_000), () => {
    hits.push(end);
    if (end === 'kill') worker.process.kill();
    else worker.process.whenRunning(() => void leave(worker));
    time.after(1_000, () => void startNext());
  });
}

/** A job of a worker: it does something that only its holder may do, then stores what it has signed, then sends it. */
async function workOn(world: Setting, { process, store, lease }: Worker, name: string, hold: Hold): Promise<void> {
  const { time, chance, found } = world;
  const pause = (ms: number) => new Promise<void>((resolve) => void process.timer.after(ms, resolve));
  for (;;) {
    await pause(500 + chance.ms(2_000));
    if (!hold.isHeld()) continue;
    world.worked += 1;
    if (!(await time.during(() => isHolder(store.read, store, lease.owner(), name))))
      found.push('a process worked on what it did not hold');
    await pause(chance.ms(1_500));
    const isStored = await signingTx(store, { under: name, carrier: null }, async (db) => {
      if (!(await isHolder(db, store, lease.owner(), name))) found.push('a signature was stored under nothing');
      return true;
    }).catch(() => false);
    if (!isStored) continue;
    world.signed += 1;
    await process.gate();
    if (lease.holds() && !(await time.during(() => isLiving(store, lease.owner()))))
      found.push('a process sent without its lease');
  }
}

/** What the database says at this moment. */
async function isHolder(db: Db, store: Store, { process, epoch }: Owner, name: string): Promise<boolean> {
  const { holdings, processes } = store.tables;
  const owner = and(eq(processes.id, holdings.process), eq(processes.epoch, holdings.epoch), isAlive(store));
  const mine = and(eq(holdings.name, name), eq(holdings.process, process), eq(holdings.epoch, epoch));
  return (await db.select({ name: holdings.name }).from(holdings).innerJoin(processes, owner).where(mine)).length > 0;
}

async function isLiving(store: Store, { process, epoch }: Owner): Promise<boolean> {
  const { processes } = store.tables;
  const mine = and(eq(processes.id, process), eq(processes.epoch, epoch), isAlive(store));
  return (await store.read.select({ id: processes.id }).from(processes).where(mine)).length > 0;
}
