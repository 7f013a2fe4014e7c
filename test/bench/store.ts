/**
 * Two-row money transactions a second: two postings of one entry, durable before the answer (synchronous=FULL).
 * With `database=postgres` the same on an empty PostgreSQL database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../db/store/open.ts';
import { placeholder, prepare } from '../../db/store/prepare.ts';
import type { Db, Store } from '../../db/store/store.ts';
import { quantile, type Sample } from '../../scripts/bench/figures.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { openDatabase } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const roundMs = settings.number('roundMs', 2_000);
const WAITING = 50;
const OTHER = 'built each time';

type Write = (db: Db, store: Store, cause: number) => Promise<unknown>;

let entryId = 0;
const posting = (position: number, amount: bigint) => ({ position, account: 'bench', unit: 'usdc' as const, amount });

const insertPostings = prepare((db, { postings }) =>
  db.insert(postings).values([
    { ...posting(0, 1n), entryId: placeholder('entryId'), amountWei: '0' },
    { ...posting(1, -1n), entryId: placeholder('entryId'), amountWei: '0' },
  ]),
);

const prepared: Write = (db, _, id) => insertPostings(db, { entryId: id });
const built: Write = (db, { tables }, id) =>
  db.insert(tables.postings).values([
    { ...posting(0, 1n), entryId: id, amountWei: '0' },
    { ...posting(1, -1n), entryId: id, amountWei: '0' },
  ]);

async function measure(store: Store, write: Write, waiting: number) {
  const latencies: number[] = [];
  const start = performance.now();
  const work = async () => {
    while (performance.now() - start < roundMs) {
      const before = performance.now();
      await store.tx((db) => write(db, store, (entryId += 1)));
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: waiting }, work));
  return { rate: latencies.length / ((performance.now() - start) / 1000), p99: quantile(latencies, 0.99) };
}

async function compare(store: Store, waiting: number): Promise<Sample[]> {
  const [ours, other] = [await measure(store, prepared, waiting), await measure(store, built, waiting)];
  const at = `${waiting} waiting`;
  return [
    {
      what: `prepared, ${at}`,
      unit: '/s',
      better: 'more',
      ours: ours.rate,
      beside: { name: OTHER, value: other.rate },
    },
    { what: `p99, ${at}`, unit: 'ms', better: 'less', ours: ours.p99, beside: { name: OTHER, value: other.p99 } },
  ];
}

await runRow({
  name: settings.row,
  about: `two rows a transaction, ${settings.text('database', 'sqlite') === 'sqlite' ? 'SQLite' : 'PostgreSQL with fsync'}`,
  read: 'A statement that is prepared once beside the same that is built for each call.',
  rounds: settings.number('rounds', 3),
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
    const closers: (() => Promise<void>)[] = [];
    const url = await openDatabase(settings, closers);
    const store = await openStore(
      url === null ? { kind: 'sqlite', path: join(folder, 'bench.db') } : { kind: 'postgres', url },
    );
    return { folder, store, closers };
  },
  round: async ({ store }) => [...(await compare(store, 1)), ...(await compare(store, WAITING))],
  async close({ folder, store, closers }) {
    await store.close();
    for (const close of closers) await close();
    rmSync(folder, { recursive: true });
  },
});
process.exit();
