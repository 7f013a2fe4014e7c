/** Who is ended for their silence inside a transaction, and who is not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { counterLock } from '../../../db/store/locks.ts';
import { openPgStore } from '../../../db/store/store-pg.ts';
import type { Store } from '../../../db/store/store.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import { onPostgres } from '../../support/postgres.ts';
import { untilWatched } from './watched.ts';

/** Half of what the server's own limit is; a waiting process ends a silent session after 0.6 s. */
const LONG_MS = 5_000;

onPostgres((fresh) => {
  const open: { store?: Store; child?: ChildProcess } = {};
  afterEach(async () => {
    open.child?.kill('SIGKILL');
    await open.store?.close();
  });

  /** A second process holds the lock; resolves once this one has had it, with what the other said at its end. */
  async function waitBehind(how: 'stopped' | 'busy') {
    const address = await fresh();
    if (address.kind !== 'postgres') throw new Error('this needs PostgreSQL');
    const store = await openPgStore({ url: address.url, watchAfterMs: 0 });
    open.store = store;
    const { counters } = store.tables;
    await store.tx((db) => db.insert(counters).values({ name: 'a', used: 0n }));
    await untilWatched(address.url, 1);
    const program = await compileProgram(join(import.meta.dirname, 'holder.ts'));
    const child = spawn(process.execPath, [program, address.url, how], { stdio: ['ignore', 'pipe', 'inherit'] });
    open.child = child;
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('holding');
    const startedMs = performance.now();
    const increment = sql`${counters.used} + 1`;
    await store.tx((db) => db.update(counters).set({ used: increment }), [counterLock('a')]);
    const waitedMs = performance.now() - startedMs;
    child.kill('SIGCONT');
    const runs = Number((await lines.next()).value);
    const [row] = await store.read
      .select()
      .from(counters)
      .where(sql`${counters.name} = 'a'`);
    return { waitedMs, runs, used: row?.used };
  }

  test('a process that is stopped loses its locks to those that wait, and runs again', async () => {
    const { waitedMs, runs, used } = await waitBehind('stopped');
    expect(waitedMs).toBeLessThan(LONG_MS);
    expect(runs).toBe(2);
    expect(used).toBe(3n);
  });

  test('a process that is only busy keeps them, however long others wait', async () => {
    const { runs, used } = await waitBehind('busy');
    expect(runs).toBe(1);
    expect(used).toBe(3n);
  });
});
