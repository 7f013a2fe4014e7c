/**
 * Ledger entries on two hot account rows of one PostgreSQL, written one after another, by one process and by four, in the
 * same run; and what the others lose when one of the four is stopped for 20 s inside a transaction.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import { gate } from './processes/gate.ts';
import { LOCK_WAIT_SETTINGS, LONG_WAIT_MS, countLockWaits } from './processes/lock-waits.ts';
import type { Job, Measured } from './processes/writer.ts';

const WRITER = join(import.meta.dirname, 'processes', 'writer.ts');
const ROUNDS = 6;
const ROUND_MS = 1_000;
const WARM_UP_MS = 3_000;
const STOPPED_MS = 20_000;
const CALLERS = 48;

/** Who writes in a round: so many of the four processes, so many callers in each. */
const SHAPES = [
  { name: 'one at a time          ', processes: 1, waiting: 1, named: true },
  { name: 'one process            ', processes: 1, waiting: CALLERS, named: true },
  { name: 'four processes         ', processes: 4, waiting: CALLERS / 4, named: true },
  { name: 'four, without the lock ', processes: 4, waiting: CALLERS / 4, named: false },
] as const;

type Writer = { child: ChildProcess; run: (job: Job) => Promise<Measured>; close: () => Promise<void> };

const bin = findPostgres();
if (bin === null) throw new Error('this needs PostgreSQL in /usr/lib/postgresql');
const waits = countLockWaits();
const server = await startPostgres(bin, { settings: LOCK_WAIT_SETTINGS, onLog: waits.read });

/** In turn and again and again, so that what else the machine does meets all of them alike. */
async function compare(): Promise<void> {
  const seconds = (ROUNDS * ROUND_MS) / 1000;
  console.log(`${CALLERS} callers wait, ${seconds} s each in ${ROUNDS} rounds; synchronous_commit on, fsync off`);
  const writers = startWriters(4);
  await runAll(writers, { named: true, waiting: CALLERS / 4, forMs: WARM_UP_MS, stopAtMs: null });
  const measured = SHAPES.map((): Measured[] => []);
  const longWaits = SHAPES.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { processes, waiting, named }] of SHAPES.entries()) {
      const some = processes === 4 ? writers : writers.slice(round % 4, (round % 4) + 1);
      waits.reset();
      measured[index]?.push(...(await runAll(some, { named, waiting, forMs: ROUND_MS, stopAtMs: null })));
      longWaits[index] = (longWaits[index] ?? 0) + waits.count();
    }
  }
  const rates = SHAPES.map(({ name }, index) => report(name, measured[index] ?? [], seconds));
  const [alone = 1, single = 1, four = 0] = rates;
  gate(`four processes reach ${(four / alone).toFixed(2)} × of one at a time`, four >= alone, 'at least 1');
  console.log(`four processes reach ${(four / single).toFixed(2)} × of one process with as many callers`);
  const [, , long = 0] = longWaits;
  gate(`${long} of their waits for a lock were above ${LONG_WAIT_MS} ms`, long === 0, 'none');
  await closeAll(writers);
}

async function stopOne(): Promise<void> {
  const waiting = CALLERS / 4;
  const writers = startWriters(4);
  await runAll(writers, { named: true, waiting, forMs: WARM_UP_MS, stopAtMs: null });
  const [stopped, ...others] = writers;
  if (stopped === undefined) throw new Error('there are four');
  const forMs = STOPPED_MS + 3_000;
  const ofOthers = runAll(others, { named: true, waiting, forMs, stopAtMs: null });
  const ofStopped = stopped.run({ named: true, waiting, forMs, stopAtMs: 1_000 });
  await sleep(1_000 + STOPPED_MS);
  stopped.child.kill('SIGCONT');
  const beside = await ofOthers;
  report('three beside one that is stopped for 20 s', beside, forMs / 1000);
  const lostMs = Math.max(...beside.map(({ longestGapMs }) => longestGapMs));
  gate(`they lose ${Math.round(lostMs)} ms`, lostMs <= 1_000, 'at most 1,000 ms');
  const { commits, runs, failed } = await ofStopped;
  console.log(`the stopped one: ${commits} commits in ${runs} runs, ${failed} gave up after its pause`);
  await closeAll(writers);
}

function report(name: string, all: readonly Measured[], seconds: number): number {
  const sum = (value: (one: Measured) => number) => all.reduce((total, one) => total + value(one), 0);
  const most = (value: (one: Measured) => number) => Math.round(Math.max(...all.map(value)));
  const commits = sum((one) => one.commits);
  const again = (100 * (sum((one) => one.runs) - commits)) / commits;
  const rate = Math.round(commits / seconds);
  const [wait, slowest, pause] = [
    most((one) => one.longestWaitMs),
    most((one) => one.slowestMs),
    most((one) => one.longestGapMs),
  ];
  const longest = `longest wait ${wait} ms, slowest ${slowest} ms, longest pause ${pause} ms`;
  console.log(`${name} ${rate.toLocaleString('en')}/s, ${again.toFixed(1)} % run again, ${longest}`);
  return rate;
}

const startWriters = (count: number): Writer[] => Array.from({ length: count }, startWriter);

function startWriter(): Writer {
  const args = ['--import', 'tsx', WRITER, server.url('postgres')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async run(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error('a writer ended');
      return JSON.parse(value) as Measured;
    },
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

const runAll = (writers: readonly Writer[], job: Job) => Promise.all(writers.map((writer) => writer.run(job)));
const closeAll = (writers: readonly Writer[]) => Promise.all(writers.map((writer) => writer.close()));

try {
  await compare();
  await stopOne();
} finally {
  await server.close();
}
