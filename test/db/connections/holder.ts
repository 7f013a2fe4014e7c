/**
 * A process that holds a lock inside a transaction: `holder.ts URL stopped|busy`. It says `holding`, then it is stopped, or its
 * one thread is busy for two seconds. At its end it says how often its function ran.
 */
import { sql } from 'drizzle-orm';
import { counterLock } from '../../../db/store/locks.ts';
import { openPgStore } from '../../../db/store/store-pg.ts';
import { untilWatched } from './watched.ts';

const BUSY_MS = 2_000;
const [url = '', how] = process.argv.slice(2);
const store = await openPgStore({ url, watchAfterMs: 0 });
const { counters } = store.tables;
await store.tx((db) => db.insert(counters).values({ name: 'warm', used: 0n }).onConflictDoNothing());
await untilWatched(url, 2);
let runs = 0;
await store.tx(
  async (db) => {
    runs += 1;
    await db.update(counters).set({ used: sql`${counters.used} + 1` });
    if (runs === 1) {
      await new Promise<void>((resolve) => process.stdout.write('holding\n', () => resolve()));
      if (how === 'stopped') process.kill(process.pid, 'SIGSTOP');
      const endMs = performance.now() + BUSY_MS;
      while (how === 'busy' && performance.now() < endMs) Atomics.load(new Int32Array(1), 0);
    }
    await db.update(counters).set({ used: sql`${counters.used} + 1` });
  },
  [counterLock('a')],
);
process.stdout.write(`${runs}\n`);
await store.close();
