import { eq, like, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { payerLock } from '../../../db/store/locks.ts';
import { openPgStore } from '../../../db/store/store-pg.ts';
import type { Db, Store } from '../../../db/store/store.ts';
import { onPostgres } from '../../support/postgres.ts';
import { startLossyProxy } from '../lossy-proxy.ts';

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

  /** Each writes a row of its own, and those of the payer `failing` refuse or fail in the database. Answers how often each ran. */
  const runsWith = async (payers: readonly string[], fail: 'refuse' | 'divide') => {
    const { counters } = store.tables;
    const runs = payers.map(() => 0);
    const isFailing = (index: number) => payers[index] === 'failing';
    const results = await Promise.allSettled(
      payers.map((payer, index) =>
        store.tx(
          async (db) => {
            runs[index] = (runs[index] ?? 0) + 1;
            await db.insert(counters).values({ name: `own ${index}`, used: 1n });
            if (!isFailing(index)) return;
            if (fail === 'refuse') throw new Error('refused');
            await db.select({ never: sql`1 / 0` }).from(counters);
          },
          [payerLock(payer)],
        ),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      payers.map((_, index) => (isFailing(index) ? 'rejected' : 'fulfilled')),
    );
    const kept = await store.read.select().from(counters).where(like(counters.name, 'own %'));
    expect(kept).toHaveLength(payers.filter((payer) => payer !== 'failing').length);
    return runs;
  };
  const others = Array.from({ length: 7 }, (_, index) => `0x${index}`);

  test('one that refuses beside others is asked again alone, and they come again without it', async () => {
    expect(await runsWith(['failing', ...others], 'refuse')).toEqual(Array.from({ length: 8 }, () => 2));
  });

  test('a row of those that refuse undoes nobody more than once', async () => {
    const runs = await runsWith([...others, ...Array.from({ length: 12 }, () => 'failing')], 'refuse');
    expect(runs.slice(0, others.length)).toEqual(others.map(() => 2));
  });

  test('one that refuses by itself has refused', async () => {
    expect(await runsWith(['failing'], 'refuse')).toEqual([1]);
  });

  test('where one fails in the database, the others are kept, and only that one fails', async () => {
    expect((await runsWith([...others, 'failing'], 'divide')).at(-1)).toBe(2);
  });

  test('a connection that no longer says anything holds nobody up for good', async () => {
    const folder = new URL(url).searchParams.get('host') ?? '';
    const { proxied, fallSilent, close } = await startLossyProxy(folder);
    const patient = await openPgStore({ url: proxied(new URL(url).pathname.slice(1)), replyLimitMs: 1_000 });
    await patient.tx(transactionOf, [payerLock('0xa')]);
    fallSilent();
    const after = await times(2, (index) => patient.tx(transactionOf, [payerLock(`0x${index}`)]));
    expect(after).toEqual([expect.any(String), expect.any(String)]);
    await patient.close();
    await close();
  });
});
