/** PostgreSQL behind a pooler in transaction mode: each transaction may be on another connection. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counterLock } from '../../db/store/locks.ts';
import { openStore } from '../../db/store/open.ts';
import { placeholder, prepare } from '../../db/store/prepare.ts';
import type { Store } from '../../db/store/store.ts';
import { findPgBouncer, startPgBouncer } from '../support/databases/pgbouncer.ts';
import { findPostgres, startPostgres, type Postgres } from '../support/postgres.ts';

const [bin, pooler] = [findPostgres(), findPgBouncer()];
const isMissing = bin === null || pooler === null;
if (isMissing && !process.env['CI']) console.warn('PostgreSQL or PgBouncer is not installed: their tests are left out');

const byName = prepare((db, { counters }) =>
  db
    .select()
    .from(counters)
    .where(eq(counters.name, placeholder('name'))),
);
const byUse = prepare((db, { counters }) =>
  db
    .select()
    .from(counters)
    .where(eq(counters.used, placeholder('used'))),
);

describe.skipIf(isMissing && !process.env['CI'])('through PgBouncer in transaction mode', () => {
  let server: Postgres;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let store: Store;
  beforeAll(async () => {
    if (bin === null || pooler === null) throw new Error('CI needs the packages postgresql and pgbouncer');
    server = await startPostgres(bin);
    bouncer = await startPgBouncer(pooler, server.folder);
    store = await openStore({ kind: 'postgres', url: bouncer.url('postgres'), pooled: true });
    await store.tx((db) => db.insert(store.tables.counters).values({ name: 'a', used: 0n }));
  });
  afterAll(async () => {
    await store?.close();
    await bouncer?.close();
    await server?.close();
  });

  /** Both prepared queries on many connections at once, inside transactions and outside. */
  async function askPrepared(opened: Store): Promise<void> {
    const once = async () => {
      await byName(opened.read, { name: 'a' });
      await opened.tx(async (db) => {
        await byUse(db, { used: -1n });
        await byName(db, { name: 'a' });
      });
    };
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 12 }, once));
  }

  test('the migrations have run, and 40 at once on one row are all kept', async () => {
    const { counters } = store.tables;
    const add = () =>
      store.tx((db) => db.update(counters).set({ used: sql`${counters.used} + 1` }), [counterLock('a')]);
    await Promise.all(Array.from({ length: 40 }, add));
    expect(await byName(store.read, { name: 'a' })).toEqual([{ name: 'a', used: 40n }]);
  });

  test('prepared queries run on whichever connection there is', async () => {
    await expect(askPrepared(store)).resolves.toBeUndefined();
  });

  test('CONTROL: with statements kept by name, a connection is asked for one that it does not know', async () => {
    const named = await openStore({ kind: 'postgres', url: bouncer.url('postgres') });
    await expect(askPrepared(named)).rejects.toThrow(/prepared statement|Failed query/);
    await named.close();
  });

  test('a transaction leaves no setting behind on its connection', async () => {
    await store.tx((db) => db.select().from(store.tables.counters));
    const shown = sql<string>`current_setting('statement_timeout') || current_setting('idle_in_transaction_session_timeout') || current_setting('default_transaction_isolation')`;
    const read = async () => (await store.read.select({ shown }).from(store.tables.counters))[0]?.shown;
    for (let round = 0; round < 8; round += 1) expect(await read()).toBe('00read committed');
  });
});
