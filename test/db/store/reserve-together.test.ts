import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { counterOf, RESOLVING_MAX } from '../../../db/identities/lookups.ts';
import { reservePayment, type Reservation } from '../../../db/payments/reserve.ts';
import { addWithin } from '../../../db/store/counters.ts';
import type { Lock } from '../../../db/store/locks.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';

const PAYERS = Array.from({ length: 8 }, (_, index) => `0x${String(index).repeat(40)}`);

onPostgres((fresh) => {
  let books: Books;

  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(() => books.close());

  /** What each of eight payers gets who reserve in the same moment, how often each. */
  const reserveAll = async (stableId: string | null, more: Partial<Reservation> = {}) => {
    const all = PAYERS.map((payer) => ({
      ...books.toClaim({ payer, payees: [{ name: 'alice', stableId }] }),
      ...more,
    }));
    const results = await Promise.all(all.map((reservation) => reservePayment(books.store, reservation)));
    const counts = new Map<string, number>();
    for (const { kind } of results) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return Object.fromEntries(counts);
  };
  const payments = () => books.store.read.select({ by: sql<string>`xmin::text` }).from(books.store.tables.payments);

  test('payers who reserve in the same moment share transactions, and a person whom nobody knew is one', async () => {
    expect(await reserveAll('1')).toEqual({ reserved: 8 });
    const rows = await payments();
    expect(rows).toHaveLength(8);
    expect(new Set(rows.map(({ by }) => by)).size).toBeLessThan(4);
    expect(await books.store.read.select().from(books.store.tables.identities)).toHaveLength(1);
    const lines = await books.store.read.select().from(books.store.tables.lines);
    expect(new Set(lines.map(({ identityId }) => identityId)).size).toBe(1);
    await books.assertSound();
  });

  test('of payers who buy the same in the same moment one does', async () => {
    expect(await reserveAll('1', { orderId: 'order-1' })).toEqual({ reserved: 1, 'order-taken': 7 });
    expect(await payments()).toHaveLength(1);
    expect(await books.store.read.select().from(books.store.tables.proofs)).toHaveLength(1);
    await books.assertSound();
  });

  test('the last places for names that wait for their platform are given once', async () => {
    const { store } = books;
    await store.tx((db) => addWithin(db, store, counterOf('x'), BigInt(RESOLVING_MAX - 3)));
    expect(await reserveAll(null)).toEqual({ reserved: 3, 'too-many-resolving': 5 });
    expect(await store.read.select().from(store.tables.lookups)).toHaveLength(3);
  });

  test('what the chain has used already is refused by itself, and undoes nobody', async () => {
    const { store } = books;
    const runs = new Map<string, number>();
    const reserveCounted = (payer: string, landedBefore: boolean) => {
      const tx = (work: Parameters<typeof store.tx>[0], locks?: readonly Lock[]) =>
        store.tx((db) => {
          runs.set(payer, (runs.get(payer) ?? 0) + 1);
          return work(db);
        }, locks);
      const reservation = { ...books.toClaim({ payer, payees: [{ name: payer, stableId: payer }] }), landedBefore };
      return reservePayment({ ...store, tx: tx as typeof store.tx }, reservation);
    };
    const results = await Promise.all(PAYERS.map((payer, index) => reserveCounted(payer, index === 0)));
    expect(results.map(({ kind }) => kind)).toEqual(
      PAYERS.map((_, index) => (index === 0 ? 'used-before' : 'reserved')),
    );
    expect(PAYERS.slice(1).map((payer) => runs.get(payer))).toEqual(PAYERS.slice(1).map(() => 1));
  });
});
