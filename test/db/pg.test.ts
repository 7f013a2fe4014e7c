import { eq, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPgClient } from '../../db/store/migrate.ts';
import { openExistingStore, openStore } from '../../db/store/open.ts';
import { CONNECTIONS_MAX, openPgStore } from '../../db/store/store-pg.ts';
import { answers, aside, conflictLock, counterLock, marks, wantLock, type Lock } from '../../db/store/locks.ts';
import type { Db, Store } from '../../db/store/store.ts';
import { copyOf, findPostgres, startPostgres, type Postgres } from '../support/postgres.ts';
import { conformance, type Fresh } from './conformance.ts';
import { startLossyProxy } from './lossy-proxy.ts';

const bin = findPostgres();
/** Of the tests of transactions, which write nothing but counters. */
const KEPT = 'kept';
const EMPTY = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid();
  DELETE FROM counters`;
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

  /** They go with the server. */
  const fresh: Fresh = async (isEmpty = false) => {
    databases += 1;
    const name = `test_${databases}`;
    await execute(copyOf(bin, name, isEmpty ? 'template0' : 'migrated'));
    return { address: { kind: 'postgres', url: server.url(name) }, remove: async () => undefined };
  };

  async function execute(statement: string, database = 'postgres'): Promise<void> {
    const client = new Client({ connectionString: server.url(database) });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  conformance('the store', fresh);

  test('a command beside the service makes no database and no table', async () => {
    const here = (name: string) => openExistingStore({ kind: 'postgres', url: server.url(name) });
    await expect(here('nowhere')).rejects.toThrow('There is no database of this service behind DATABASE_URL');
    await execute('CREATE DATABASE untouched');
    await expect(here('untouched')).rejects.toThrow('There is no database of this service');
    const client = new Client({ connectionString: server.url('untouched') });
    await client.connect();
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    await client.end();
    expect(rows).toEqual([]);
    await (await here('migrated')).close();
  });

  test('a connection of a start that the server ends while nothing is asked ends nothing here', async () => {
    const client = createPgClient(server.url('migrated'));
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise<void>((resolve) => void client.once('end', resolve));
    await execute(`SELECT pg_terminate_backend(${rows[0]?.pid})`);
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  describe('a transaction', () => {
    let store: Store;
    const database = KEPT;

    beforeAll(() => execute(copyOf(bin, database, 'migrated')));
    beforeEach(async () => {
      store = await openPgStore({ url: server.url(database) });
      await store.tx((db) => db.insert(store.tables.counters).values({ name: 'a', used: 0n }));
    });
    afterEach(async () => {
      await store.close();
      await execute(EMPTY, database);
    });

    const increment = (db: Db) =>
      db.update(store.tables.counters).set({ used: sql`${store.tables.counters.used} + 1` });
    const used = async () => (await store.read.select().from(store.tables.counters))[0]?.used;

    /** Both have read before either writes, so one of them is sure to lose. */
    const meetOf = (count: number) => {
      let goOn = () => {};
      const all = new Promise<void>((resolve) => (goOn = resolve));
      let readers = 0;
      return async (db: Db) => {
        await db.select().from(store.tables.counters);
        readers += 1;
        if (readers === count) goOn();
        await all;
      };
    };

    test.each([
      ['with the lock that it wants', [counterLock('a')]],
      ['beside no other that met one', []],
    ])('that met a conflict runs again %s, and hardly ever a third time', async (_, locks) => {
      const runs = Array.from({ length: 60 }, () => 0);
      const meet = meetOf(2);
      const count = async (_: number, index: number) =>
        store.tx(async (db) => {
          runs[index] = (runs[index] ?? 0) + 1;
          if (index < 2 && runs[index] === 1) await meet(db);
          for (const lock of locks) wantLock(db, lock);
          await increment(db);
        });
      await Promise.all(runs.map(count));
      expect(await used()).toBe(60n);
      expect(Math.max(...runs.slice(0, 2))).toBeGreaterThan(1);
      // Those that run for the first time hold no lock yet, so a second run may lose as well; without locks some of 60 on
      // one row lose ten times.
      expect(Math.max(...runs)).toBeLessThan(8);
    });

    test('that names its lock runs beside others and never beside one that holds it', async () => {
      let inside = 0;
      let most = 0;
      const alone = (lock: Lock) =>
        store.tx(
          async (db) => {
            inside += 1;
            most = Math.max(most, inside);
            await db.select().from(store.tables.counters);
            await increment(db);
            inside -= 1;
          },
          [lock],
        );
      await Promise.all(Array.from({ length: 20 }, () => alone(counterLock('a'))));
      expect(most).toBe(1);
      expect(await used()).toBe(20n);

      const meet = meetOf(2);
      const together = (lock: Lock) => store.tx(meet, [lock]);
      await Promise.all([together(counterLock('a')), together(counterLock('b'))]);
    });

    const transactionOf = async (db: Db) => {
      const [row] = await db.select({ id: sql<string>`pg_current_xact_id()::text` }).from(store.tables.counters);
      return row?.id;
    };

    /** Which functions ran, and in how many transactions they were kept. */
    const addMany = async (count: number, holdLimitMs: number) => {
      const holding = await openPgStore({ url: server.url(database), holdLimitMs });
      const ran: number[] = [];
      const add = (_: unknown, index: number) =>
        holding.tx(
          async (db) => {
            ran.push(index);
            await increment(db);
            return transactionOf(db);
          },
          [counterLock('a')],
        );
      const transactions = await Promise.all(Array.from({ length: count }, add));
      await holding.close();
      return { ran, transactions: new Set(transactions).size };
    };

    test('that waits for a lock is kept together with all that wait for the same, in few transactions', async () => {
      const { transactions } = await addMany(64, 60_000);
      expect(await used()).toBe(64n);
      expect(transactions).toBeLessThan(8);
    });

    /** A crowd that comes after a conflict, on the same row. */
    const crowdAfterConflict = async (conflictsLastMs: number) => {
      const crowded = await openPgStore({ url: server.url(database), conflictsLastMs, holdLimitMs: 60_000 });
      const meet = meetOf(2);
      const meets = [0, 1].map(async () => {
        let isFirst = true;
        await crowded.tx(async (db) => {
          if (isFirst) await meet(db);
          isFirst = false;
          await increment(db);
        });
      });
      await Promise.all(meets);
      let runs = 0;
      const transactions = await Promise.all(
        Array.from({ length: 40 }, () =>
          crowded.tx(async (db) => {
            runs += 1;
            await increment(db);
            return transactionOf(db);
          }),
        ),
      );
      await crowded.close();
      expect(await used()).toBe(42n);
      return { runs, transactions: new Set(transactions).size };
    };

    test('that begins soon after a conflict comes along with others, and loses to none', async () => {
      const { runs, transactions } = await crowdAfterConflict(60_000);
      expect(runs).toBe(40);
      expect(transactions).toBeLessThan(8);
    });

    test('CONTROL: where nobody expects another conflict, many of a crowd lose', async () => {
      expect((await crowdAfterConflict(0)).runs).toBeGreaterThan(40);
    });

    /** How often those thirty ran that waited for a connection, while all who had one met a conflict. */
    const runsOfWaiting = async (conflictsLastMs: number) => {
      const crowded = await openPgStore({ url: server.url(database), conflictsLastMs });
      const meet = meetOf(CONNECTIONS_MAX);
      const runs = Array.from({ length: CONNECTIONS_MAX + 30 }, () => 0);
      const add = async (_: number, index: number) =>
        crowded.tx(async (db) => {
          runs[index] = (runs[index] ?? 0) + 1;
          if (index < CONNECTIONS_MAX && runs[index] === 1) await meet(db);
          await increment(db);
        });
      await Promise.all(runs.map(add));
      await crowded.close();
      expect(await used()).toBe(BigInt(runs.length));
      return runs.slice(CONNECTIONS_MAX).reduce((sum, count) => sum + count, 0);
    };

    test('that waits for a connection while others meet a conflict begins later, and loses to none', async () => {
      // The connection of the one that won may have been taken before the first has lost.
      expect(await runsOfWaiting(60_000)).toBeLessThan(35);
    });

    test('CONTROL: where it begins all the same, it loses', async () => {
      expect(await runsOfWaiting(0)).toBeGreaterThan(34);
    });

    test.each<[string, Lock, (transactions: number) => void]>([
      ['of answers', answers, (transactions) => expect(transactions).toBeLessThan(8)],
      ['of marks', marks, (transactions) => expect(transactions).toBeLessThan(8)],
      ['aside (CONTROL)', aside, (transactions) => expect(transactions).toBe(40)],
    ])('%s waits for no lock, and shares with its kind', async (_, lock, expectFew) => {
      const holding = await openPgStore({ url: server.url(database) });
      const run = () => store.tx(transactionOf, [lock]);
      const all = () => Promise.all(Array.from({ length: 40 }, run));
      expectFew(new Set(await holding.tx(all, [conflictLock])).size);
      await holding.close();
    });

    /** How often sixty functions ran that two processes had on the same row, at once. */
    const runsBesideAnother = async (lock: Lock) => {
      const other = await openPgStore({ url: server.url(database) });
      let runs = 0;
      const add = (_: unknown, index: number) =>
        (index % 2 === 0 ? store : other).tx(
          (db) => {
            runs += 1;
            return increment(db);
          },
          [lock],
        );
      await Promise.all(Array.from({ length: 60 }, add));
      await other.close();
      expect(await used()).toBe(60n);
      return runs;
    };

    test.each([answers, marks])(
      'whose statements decide by themselves (%s) loses to no other process',
      async (lock) => {
        expect(await runsBesideAnother(lock)).toBe(60);
      },
    );

    test('CONTROL: where they decide on one snapshot, it loses', async () => {
      expect(await runsBesideAnother(aside)).toBeGreaterThan(60);
    });

    test.each<[string, Lock, string]>([
      ['by themselves', answers, 'kept'],
      ['by themselves', marks, 'kept'],
      ['on one snapshot (CONTROL)', aside, 'lost'],
    ])('whose statements decide %s, beside one that has read what they write', async (_, lock, expected) => {
      const { counters } = store.tables;
      const reader = new Client({ connectionString: server.url(database) });
      await reader.connect();
      await reader.query('BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT * FROM counters');
      // It asks as well for what the reader has not written yet, so that neither can have come first.
      await store.tx(
        async (db) => {
          await db.update(counters).set({ used: 7n }).where(eq(counters.name, 'mine'));
          await db.update(counters).set({ used: 7n }).where(eq(counters.name, 'a'));
        },
        [lock],
      );
      const written = reader.query("INSERT INTO counters (name, used) VALUES ('mine', 0); COMMIT");
      expect(
        await written.then(
          () => 'kept',
          () => 'lost',
        ),
      ).toBe(expected);
      await reader.end();
    });

    test.each<[string, Lock, Lock, string]>([
      ['holds up no answer', marks, answers, 'other'],
      ['soon waits by itself', marks, marks, 'other'],
      ['soon waits by itself', answers, answers, 'other'],
      ['under a lock holds up who needs it (CONTROL)', conflictLock, conflictLock, 'row is free'],
    ])('that waits for a row %s (%s, then %s)', async (_, lock, otherLock, first) => {
      const holder = new Client({ connectionString: server.url(database) });
      // Where nobody lets go of the row, the server does, and `waiting` comes first.
      holder.on('error', () => undefined);
      await holder.connect();
      await holder.query('SET idle_in_transaction_session_timeout = 3000');
      await holder.query('BEGIN; UPDATE counters SET used = used + 1');
      const ended: string[] = [];
      const waiting = store.tx(increment, [lock]).then(() => ended.push('waiting'));
      const isWaiting = sql<boolean>`EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)`;
      await vi.waitFor(async () => {
        const [row] = await store.read.select({ isWaiting }).from(store.tables.counters);
        expect(row?.isWaiting).toBe(true);
      }, 4_000);
      const other = store.tx(transactionOf, [otherLock]).then(() => ended.push('other'));
      if (first === 'other') await other;
      ended.push('row is free');
      await holder.query('COMMIT');
      await Promise.all([waiting, other]);
      expect(ended[0]).toBe(first);
      await holder.end();
    });

    test('whose statements decide by themselves is undone with a neighbour that fails, and runs again alone', async () => {
      const run = (index: number) =>
        store.tx(
          (db) =>
            Promise.all([
              increment(db),
              ...(index === 3 ? [db.select({ never: sql`1 / 0` }).from(store.tables.counters)] : []),
            ]),
          [marks],
        );
      const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => run(index)));
      expect(results.map(({ status }) => status)).toEqual(
        results.map((_, index) => (index === 3 ? 'rejected' : 'fulfilled')),
      );
      expect(await used()).toBe(9n);
    });

    test('that is over its time leaves the others to later ones, and forgets none', async () => {
      const { ran, transactions } = await addMany(40, 0);
      expect(await used()).toBe(40n);
      expect(transactions).toBe(40);
      expect(ran.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    });

    test('that was undone with others, because one of them failed, runs again without that one', async () => {
      // On a busy machine the first of them would use up the usual time, and leave each other one to a transaction of its own.
      const patient = await openPgStore({ url: server.url(database), holdLimitMs: 60_000 });
      const run = (index: number) =>
        patient.tx(
          async (db) => {
            await increment(db);
            if (index === 3) throw new Error('this one');
            return transactionOf(db);
          },
          [counterLock('a')],
        );
      const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => run(index)));
      const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(kept).toHaveLength(9);
      // The first may have begun before the others came.
      expect(new Set(kept).size).toBeLessThan(4);
      expect(results[3]).toMatchObject({ reason: { message: 'this one' } });
      expect(await used()).toBe(9n);
      await patient.close();
    });

    test('whose function is silent for long is ended by the server; others wait a second, however many wait behind it', async () => {
      let goOn = () => {};
      const othersAreDone = new Promise<void>((resolve) => (goOn = resolve));
      let runs = 0;
      const silent = () =>
        store.tx(
          async (db) => {
            runs += 1;
            await increment(db);
            await othersAreDone;
            await increment(db);
          },
          [counterLock('a')],
        );
      const all = Promise.all(Array.from({ length: 8 }, silent));
      await vi.waitFor(() => expect(runs).toBe(1));
      // Of another process: those of one process wait in its memory.
      const other = await openStore({ kind: 'postgres', url: server.url(database) });
      const startedMs = performance.now();
      await other.tx(increment, [counterLock('a')]);
      // The server's own limit is 0.6 s; a machine that is busy may be slow to notice. Eight limits are 4.8 s.
      expect(performance.now() - startedMs).toBeLessThan(4_000);
      await other.close();
      goOn();
      await all;
      expect(runs).toBe(9);
      expect(await used()).toBe(17n);
    });

    test('whose connection is lost before COMMIT has kept nothing and runs again', async () => {
      let runs = 0;
      await store.tx(async (db) => {
        runs += 1;
        await increment(db);
        if (runs > 1) return;
        await execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
        await increment(db);
      });
      expect(runs).toBe(2);
      expect(await used()).toBe(1n);
    });

    /** Ends the connection inside COMMIT, before it is kept, the first so many times. */
    const dieInCommit = (times: number) =>
      execute(
        `CREATE SEQUENCE deaths;
         CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN IF nextval('deaths') <= ${times} THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER die AFTER UPDATE ON counters DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION die()`,
        database,
      );

    test('whose connection is lost in COMMIT runs again only when the server says that it was not kept', async () => {
      await dieInCommit(2);
      onTestFinished(() => execute('DROP FUNCTION die() CASCADE; DROP SEQUENCE deaths', database));
      let runs = 0;
      await store.tx(async (db) => {
        runs += 1;
        await increment(db);
      });
      expect([runs, await used()]).toEqual([3, 1n]);
    });

    test('whose COMMIT was kept and whose reply was lost is answered, and not run again', async () => {
      let runs = 0;
      const { proxied, loseNextCommit, close } = await startLossyProxy(server.folder);
      const behind = await openStore({ kind: 'postgres', url: proxied(database) });
      const kept = await behind.tx(async (db) => {
        runs += 1;
        loseNextCommit();
        return db.update(store.tables.counters).set({ used: 7n }).returning();
      });
      expect(kept).toEqual([{ name: 'a', used: 7n }]);
      expect([runs, await used()]).toEqual([1, 7n]);
      await behind.close();
      await close();
    });

    test('that is late is cut from the server, whatever that has still to answer', async () => {
      const { proxied, isConnected, close } = await startLossyProxy(server.folder);
      const hasty = await openStore({ kind: 'postgres', url: proxied(database) }, { itemLimitMs: 100 });
      const late = hasty.tx((db) =>
        Promise.all([db.select({ slept: sql`pg_sleep(8)` }).from(store.tables.counters), increment(db)]),
      );
      await expect(late).rejects.toThrow('did not finish');
      await vi.waitFor(() => expect(isConnected()).toBe(false), 4_000);
      expect(await used()).toBe(0n);
      await hasty.close();
      await close();
    });

    test('asks the server once for statements that are asked together', async () => {
      const { proxied, roundTrips, close } = await startLossyProxy(server.folder);
      const behind = await openStore({ kind: 'postgres', url: proxied(database) });
      const tripsOf = async (work: (db: Db) => Promise<unknown>) => {
        const before = roundTrips();
        await behind.tx(work);
        return roundTrips() - before;
      };
      await behind.tx(increment);
      const all = [1, 2, 3, 4, 5];
      const inTurn = async (db: Db) => {
        for (const _ of all) await increment(db);
      };
      // BEGIN and COMMIT are the other two.
      expect(await tripsOf(inTurn)).toBe(7);
      expect(await tripsOf((db) => Promise.all(all.map(() => increment(db))))).toBe(3);
      const before = roundTrips();
      await Promise.all(Array.from({ length: 30 }, () => behind.tx(increment, [answers])));
      expect(roundTrips() - before).toBe(3);
      expect(await used()).toBe(41n);
      await behind.close();
      await close();
    });

    test('has one of a few connections, which stay open while nothing is asked', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const backend = async (db: Db) => {
        const asked = await db.select({ pid: sql<number>`pg_backend_pid()` }).from(store.tables.counters);
        return asked[0]?.pid;
      };
      const crowd = () => Promise.all(Array.from({ length: 40 }, () => store.tx(backend, [aside])));
      const first = new Set(await crowd());
      expect(first.size).toBe(CONNECTIONS_MAX);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(first).toEqual(new Set(await crowd()));
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
