/**
 * One of several processes that write on one PostgreSQL: `writer.ts URL`. Reads a job a line, answers with what it
 * measured, and ends with its input.
 */
import { createInterface } from 'node:readline';
import { accounts, type Entry } from '../../../core/ledger.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { ledgerLock } from '../../../db/store/locks.ts';
import { openStore } from '../../../db/store/open.ts';

/** `waiting`: how many callers there are at a time. `stopAtMs`: stops itself in the middle of the first transaction after that, until someone lets it go on. */
export type Job = { named: boolean; waiting: number; forMs: number; stopAtMs: number | null };
/** `failed`: what gave up, such as what had waited for a connection when its process was stopped. */
export type Measured = {
  commits: number;
  runs: number;
  failed: number;
  /** Until its function began: in the memory of its process, and for the lock. */
  longestWaitMs: number;
  slowestMs: number;
  longestGapMs: number;
};

const [url = ''] = process.argv.slice(2);
const store = await openStore({ kind: 'postgres', url });
let causes = 0;

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line) as Job))}\n`);
}
await store.close();

async function measure({ named, waiting, forMs, stopAtMs }: Job): Promise<Measured> {
  const measured = { commits: 0, runs: 0, failed: 0, longestWaitMs: 0, slowestMs: 0, longestGapMs: 0 };
  const startedMs = performance.now();
  let lastMs = startedMs;
  let stops = stopAtMs !== null;
  const stopOnce = () => {
    if (!stops || performance.now() - startedMs < (stopAtMs ?? 0)) return;
    stops = false;
    process.kill(process.pid, 'SIGSTOP');
  };
  const write = async () => {
    const beganMs = performance.now();
    const entry = nextEntry();
    const post = store.tx(
      async (db) => {
        measured.runs += 1;
        measured.longestWaitMs = Math.max(measured.longestWaitMs, performance.now() - beganMs);
        await postEntry(db, store.tables, entry, 0);
        stopOnce();
      },
      named ? [ledgerLock('base')] : [],
    );
    try {
      await post;
    } catch {
      measured.failed += 1;
      return;
    }
    const nowMs = performance.now();
    measured.commits += 1;
    measured.slowestMs = Math.max(measured.slowestMs, nowMs - beganMs);
    measured.longestGapMs = Math.max(measured.longestGapMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const writeAll = async () => {
    while (performance.now() - startedMs < forMs) await write();
  };
  await Promise.all(Array.from({ length: waiting }, writeAll));
  return measured;
}

/** Two accounts that every entry of the network shares. */
function nextEntry(): Entry {
  causes += 1;
  return {
    cause: `bench:${process.pid}:${causes}`,
    postings: [
      { account: accounts.chain('base', 'treasury'), unit: 'usdc', side: 'asset', amount: 1n },
      { account: accounts.fees('base'), unit: 'usdc', side: 'liability', amount: -1n },
    ],
  };
}
