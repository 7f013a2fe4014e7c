import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../db/store/open.ts';
import { placeholder, prepare } from '../../db/store/prepare.ts';
import type { Db, Store } from '../../db/store/store.ts';

const MEASURE_MS = 3_000;
const WAITING = 50;

type Write = (db: Db, store: Store, cause: number) => Promise<unknown>;

/**
 * Two-row money transactions a second: two postings of one entry, durable before the answer (synchronous=FULL).
 * With DATABASE_URL=postgres://… the same on an empty PostgreSQL database.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const url = process.env['DATABASE_URL'];
  const store = await openStore(url ? { kind: 'postgres', url } : { kind: 'sqlite', path: join(folder, 'bench.db') });
  try {
    for (const [name, write] of Object.entries(WRITES)) {
      for (const waiting of [1, WAITING]) await report(`${name}, ${waiting} waiting`, store, write, waiting);
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

let entryId = 0;
const posting = (position: number, amount: bigint) => ({ position, account: 'bench', unit: 'usdc' as const, amount });

const insertPostings = prepare((db, { postings }) =>
  db.insert(postings).values([
    { ...posting(0, 1n), entryId: placeholder('entryId'), amountWei: '0' },
    { ...posting(1, -1n), entryId: placeholder('entryId'), amountWei: '0' },
  ]),
);

const WRITES: Record<string, Write> = {
  'built for each call': (db, { tables }, id) =>
    db.insert(tables.postings).values([
      { ...posting(0, 1n), entryId: id, amountWei: '0' },
      { ...posting(1, -1n), entryId: id, amountWei: '0' },
    ]),
  prepared: (db, _, id) => insertPostings(db, { entryId: id }),
};

async function report(name: string, store: Store, write: Write, waiting: number): Promise<void> {
  const latencies: number[] = [];
  const start = performance.now();
  const work = async () => {
    while (performance.now() - start < MEASURE_MS) {
      const before = performance.now();
      await store.tx((db) => write(db, store, (entryId += 1)));
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: waiting }, work));
  const seconds = (performance.now() - start) / 1000;
  const sorted = latencies.toSorted((a, b) => a - b);
  const percentile = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  const rate = Math.round(latencies.length / seconds).toLocaleString('en');
  console.log(`${name}: ${rate}/s, p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms`);
}
