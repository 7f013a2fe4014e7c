import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { payerLock } from '../../../db/store/locks.ts';
import { openPgStore } from '../../../db/store/store-pg.ts';
import type { Db, Store } from '../../../db/store/store.ts';
import { onPostgres } from '../../support/postgres.ts';

onPostgres((fresh) => {
  let url: string;
  let store: Store;

  beforeEach(async () => {
    const database = await fresh();
    if (database.kind !== 'postgres') throw new Error('this is for PostgreSQL');
    ({ url } = database);
    // On a busy machine a few functions would use up the usual time.
    store = await openPgStore({ url, holdLimitMs: 60_000 });
    await store.tx((db) => db.insert(store.tables.counters).values({ name: 'a', used: 0n }));
  });
  afterEach(() => store.close());

  const times = <T>(count: number, run: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index)));
  const used = async () => (await store.read.select().from(store.tables.counters))[0]?.used;

  const transactionOf = async (db: Db) => {
    const [row] = await db.select({ id: sql<string>`pg_current_xact_id()::text` }).from(store.tables.counters);
    return row?.id;
  };

  /** What two that run side by side would both do from the same beginning. */
  const readAndAdd = async (db: Db) => {
    const { counters } = store.tables;
    const [row] = await db.select().from(counters);
    await db
      .update(counters)
      .set({ used: (row?.used ?? 0n) + 1n })
      .where(eq(counters.name, 'a'));
    return transactionOf(db);
  };

  test('functions of different payers run side by side in one transaction', async () => {
    let allHaveBegun = () => {};
    const begun = new Promise<void>((resolve) => (allHaveBegun = resolve));
    let count = 0;
    const transactions = await times(8, (index) =>
      store.tx(
        async (db) => {
          count += 1;
          if (count === 8) allHaveBegun();
          await begun;
          return transactionOf(db);
        },
        [payerLock(`0x${index}`)],
      ),
    );
    expect(new Set(transactions).size).toBe(1);
  });

  test('functions of one payer run one after the other in one transaction', async () => {
    const transactions = await times(10, () => store.tx(readAndAdd, [payerLock('0xa')]));
    expect(await used()).toBe(10n);
    expect(new Set(transactions).size).toBe(1);
  });

  test('CONTROL: those of different payers that write what another has read would lose it', async () => {
    await times(8, (index) => store.tx(readAndAdd, [payerLock(`0x${index}`)]));
    expect(await used()).toBe(1n);
  });

  test('functions of one payer in two processes lose nothing', async () => {
    const other = await openPgStore({ url });
    await times(20, (index) => (index % 2 === 0 ? store : other).tx(readAndAdd, [payerLock('0xa')]));
    await other.close();
    expect(await used()).toBe(20n);
  });

  test('a transaction of payers takes up no more of them once its time is over, and forgets none', async () => {
    const hurried = await openPgStore({ url, holdLimitMs: 0 });
    const transactions = await times(40, (index) => hurried.tx(transactionOf, [payerLock(`0x${index}`)]));
    await hurried.close();
    expect(new Set(transactions).size).toBe(5);
  });

  /** How often each of so many ran, of which one refuses without any failed statement. */
  const runsWithRefusal = async (count: number) => {
    const runs = Array.from({ length: count }, () => 0);
    const results = await Promise.allSettled(
      runs.map((_, index) =>
        store.tx(
          async (db) => {
            runs[index] = (runs[index] ?? 0) + 1;
            await db.update(store.tables.counters).set({ used: sql`${store.tables.counters.used} + 1` });
            if (index === 0) throw new Error('refused');
          },
          [payerLock(`0x${index}`)],
        ),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      runs.map((_, index) => (index === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(await used()).toBe(BigInt(count - 1));
    return runs;
  };

  test('one that refuses beside others is asked again alone, and they come again without it', async () => {
    expect(await runsWithRefusal(8)).toEqual(Array.from({ length: 8 }, () => 2));
  });

  test('one that refuses by itself has refused', async () => {
    expect(await runsWithRefusal(1)).toEqual([1]);
  });

  test('where one fails in the database, each runs by itself', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        store.tx(
          async (db) => {
            if (index === 3) await db.select({ never: sql`1 / 0` }).from(store.tables.counters);
            await db.update(store.tables.counters).set({ used: sql`${store.tables.counters.used} + 1` });
          },
          [payerLock(`0x${index}`)],
        ),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      results.map((_, index) => (index === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(await used()).toBe(7n);
  });
});
