/**
 * Ledger entries on two hot account rows of one PostgreSQL, written by one process and by four, each row of the table in the
 * same run; and what the others lose when one of the four is stopped for 20 s inside a transaction.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import type { Job, Measured } from './processes/writer.ts';

const WRITER = join(import.meta.dirname, 'processes', 'writer.ts');
const FOR_MS = 5_000;
const STOPPED_MS = 20_000;
const WAITING = 48;

type Writer = { child: ChildProcess; run: (job: Job) => Promise<Measured>; close: () => Promise<void> };

const bin = findPostgres();
if (bin === null) throw new Error('this needs PostgreSQL in /usr/lib/postgresql');
const server = await startPostgres(bin);

async function compare(): Promise<void> {
  console.log(`${WAITING} callers wait, ${FOR_MS / 1000} s each; synchronous_commit on, fsync off`);
  const rates = [];
  for (const { processes, named } of [
    { processes: 1, named: true },
    { processes: 4, named: true },
    { processes: 4, named: false },
  ]) {
    const writers = startWriters(processes);
    await runAll(writers, { named, forMs: 500, stopAtMs: null });
    const rate = report(
      `${processes} process${processes === 1 ? ' ' : 'es'}, ${named ? 'with the lock    ' : 'without the lock '}`,
      await runAll(writers, { named, forMs: FOR_MS, stopAtMs: null }),
    );
    rates.push(rate);
    await closeAll(writers);
  }
  console.log(`4 processes with the lock reach ${((rates[1] ?? 0) / (rates[0] ?? 1)).toFixed(2)} × of one`);
  await stopOne();
}

async function stopOne(): Promise<void> {
  const writers = startWriters(4);
  await runAll(writers, { named: true, forMs: 500, stopAtMs: null });
  const [stopped, ...others] = writers;
  if (stopped === undefined) throw new Error('there are four');
  const forMs = STOPPED_MS + 3_000;
  const ofOthers = runAll(others, { named: true, forMs, stopAtMs: null });
  const ofStopped = stopped.run({ named: true, forMs, stopAtMs: 1_000 });
  await sleep(1_000 + STOPPED_MS);
  stopped.child.kill('SIGCONT');
  report('3 beside one that is stopped    ', await ofOthers);
  const { commits, runs, failed } = await ofStopped;
  console.log(`the stopped one: ${commits} commits in ${runs} runs, ${failed} gave up after its pause`);
  await closeAll(writers);
}

function report(name: string, all: readonly Measured[]): number {
  const sum = (value: (one: Measured) => number) => all.reduce((total, one) => total + value(one), 0);
  const most = (value: (one: Measured) => number) => Math.round(Math.max(...all.map(value)));
  const commits = sum((one) => one.commits);
  const again = (100 * (sum((one) => one.runs) - commits)) / commits;
  const longest = `slowest ${most((one) => one.slowestMs)} ms, longest pause ${most((one) => one.longestGapMs)} ms`;
  const rate = Math.round((commits / FOR_MS) * 1000);
  const shown = name.startsWith('3') ? `${commits} commits` : `${rate.toLocaleString('en')}/s`;
  console.log(`${name} ${shown}, ${again.toFixed(1)} % run again, ${longest}`);
  return rate;
}

const startWriters = (count: number): Writer[] => Array.from({ length: count }, () => startWriter(WAITING / count));

function startWriter(waiting: number): Writer {
  const args = ['--import', 'tsx', WRITER, server.url('postgres'), String(waiting)];
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
} finally {
  await server.close();
}
