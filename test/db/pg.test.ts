import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../db/store/open.ts';
import type { Db, Store } from '../../db/store/store.ts';
import { findPostgres, startPostgres, type Postgres } from '../support/postgres.ts';
import { conformance, type Fresh } from './conformance.ts';

const bin = findPostgres();

// A machine without PostgreSQL may leave this out, with a word about it; CI may not.
if (!bin && !process.env['CI'])
  console.warn('PostgreSQL is not installed (/usr/lib/postgresql): its tests are left out');

describe.skipIf(!bin && !process.env['CI'])('PostgreSQL', () => {
  let server: Postgres;
  let databases = 0;

  beforeAll(async () => {
    if (!bin) throw new Error('CI needs PostgreSQL in /usr/lib/postgresql; install the package postgresql');
    server = await startPostgres(bin);
    await execute('CREATE DATABASE migrated');
    const template = await openStore({ kind: 'postgres', url: server.url('migrated') });
    await template.close();
  });
  afterAll(() => server?.close());

  // Copies of a migrated database, ten times quicker than migrations; they go with the server.
  const fresh: Fresh = async (isEmpty = false) => {
    databases += 1;
    const name = `test_${databases}`;
    await execute(`CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : 'migrated'}`);
    return { address: { kind: 'postgres', url: server.url(name) }, remove: async () => undefined };
  };

  async function execute(statement: string, database = 'postgres'): Promise<void> {
    const client = new Client({ connectionString: server.url(database) });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  conformance('the store', fresh);

  describe('a transaction', () => {
    let store: Store;
    let database: string;

    beforeEach(async () => {
      const { address } = await fresh();
      database = `test_${databases}`;
      store = await openStore(address);
      await store.tx((db) => db.insert(store.tables.counters).values({ name: 'a', used: 0n }));
    });
    afterEach(() => store.close());

    const increment = (db: Db) =>
      db.update(store.tables.counters).set({ used: sql`${store.tables.counters.used} + 1` });
    const used = async () => (await store.read.select().from(store.tables.counters))[0]?.used;

    test('that met a conflict runs again, alone, and is kept before its five attempts are over', async () => {
      const runs = Array.from({ length: 60 }, () => 0);
      // The first two have both read before either writes, so one of them is sure to lose.
      let readers = 0;
      let goOn = () => {};
      const bothHaveRead = new Promise<void>((resolve) => (goOn = resolve));
      const meet = async (db: Db) => {
        await db.select().from(store.tables.counters);
        readers += 1;
        if (readers === 2) goOn();
        await bothHaveRead;
      };
      const count = async (_: number, index: number) =>
        store.tx(async (db) => {
          runs[index] = (runs[index] ?? 0) + 1;
          if (index < 2 && runs[index] === 1) await meet(db);
          await increment(db);
        });
      await Promise.all(runs.map(count));
      expect(await used()).toBe(60n);
      expect(Math.max(...runs.slice(0, 2))).toBeGreaterThan(1);
      // Without running alone, some of 60 on one row lose five times.
      expect(Math.max(...runs)).toBeLessThan(5);
    });

    test('whose connection is lost in COMMIT is reported and not run again: it may have been kept', async () => {
      await execute(
        `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER die AFTER UPDATE ON counters DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION die()`,
        database,
      );
      let runs = 0;
      const lost = store.tx(async (db) => {
        runs += 1;
        await increment(db);
      });
      await expect(lost).rejects.toThrow('terminating connection');
      expect(runs).toBe(1);
      await execute('DROP TRIGGER die ON counters', database);
      await store.tx(increment);
      expect(await used()).toBe(1n);
    });

    test('finds a connection after all of them were cut', async () => {
      await execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
      // The pool hears of the cut on its sockets; a transaction that was quicker would be rejected, not lost.
      await store.tx(increment).catch(() => 'cut');
      await store.tx(increment);
      expect(await used()).toBeGreaterThan(0n);
    });
  });
});
