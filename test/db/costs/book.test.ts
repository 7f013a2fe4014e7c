import { afterEach, beforeEach, expect, test } from 'vitest';
import { bookCost, type Rent } from '../../../db/costs/book.ts';
import { costCounters } from '../../../db/costs/counters.ts';
import { payerAccountId } from '../../../db/ledger/payer-account.ts';
import { dayOf } from '../../../db/limits/daily.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { openBooks, type Books } from '../../support/books.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const OWNER = `0x${'77'.repeat(20)}`;
let books: Books;

beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** As a carrier that has taken these items and landed. */
async function book(
  kind: 'inbound' | 'payout',
  itemIds: readonly string[],
  amount: bigint,
  rents: readonly Rent[] = [],
) {
  const { store, clock } = books;
  const id = `carrier of ${itemIds.join()}`;
  const carrier = { id, network: 'base' as const, kind, sender: 'lane' };
  await store.tx(async (db) => {
    const rows = itemIds.map((itemId) => ({ carrierId: id, itemId }));
    if (rows.length > 0) await db.insert(store.tables.carrierItems).values(rows);
    await bookCost(db, store, { carrier, transaction: `hash of ${id}`, amount, rents }, clock.nowMs);
  });
}

const costs = () => books.store.read.select().from(books.store.tables.nativeCosts);

test('each payment of a batch has its part, with its payer and the one it paid', async () => {
  const [one, two] = await Promise.all(
    ['alice', 'bob'].map((name) => books.pay({ payer: PAYER, payees: [{ name, stableId: name }] })),
  );
  const ids = [one?.paymentId ?? '', two?.paymentId ?? ''].toSorted();
  await book('inbound', ids, 7n);
  const recipients = new Set([...(one?.lines ?? []), ...(two?.lines ?? [])].map(({ identityId }) => identityId));
  const rows = await costs();
  expect(rows.map(({ itemId, amount }) => [itemId, amount])).toEqual([
    [ids[0], '4'],
    [ids[1], '3'],
  ]);
  expect(rows.map(({ kind, payer }) => [kind, payer])).toEqual(ids.map(() => ['settlement', payerAccountId(PAYER)]));
  expect(new Set(rows.map(({ recipient }) => recipient))).toEqual(recipients);
});

test('rent is booked against the payout whose account was opened, and has a counter of its own', async () => {
  await books.link(await books.meet('alice', '1'));
  await books.link(await books.meet('bob', '2'), OWNER);
  await books.pay({ payer: PAYER, payees: [{ name: 'alice', stableId: '1' }] });
  await books.pay({ payer: PAYER, payees: [{ name: 'bob', stableId: '2' }] });
  const payouts = await books.payouts();
  const rent = { owner: OWNER, amount: 2_000_000_000_000n };
  await book(
    'payout',
    payouts.map(({ id }) => id),
    rent.amount + 10_000_000_000n,
    [rent],
  );
  const opened = payouts.find(({ toAddress }) => toAddress === OWNER)?.id;
  const rows = await costs();
  expect(rows.filter(({ kind }) => kind === 'payout').map(({ amount }) => amount)).toEqual([
    '5000000000',
    '5000000000',
  ]);
  expect(rows.filter(({ kind }) => kind === 'rent').map(({ itemId, amount }) => [itemId, amount])).toEqual([
    [opened, rent.amount.toString()],
  ]);
  const day = dayOf(books.clock.nowMs);
  expect(await readCounter(books.store, costCounters.gas('base', day))).toBe(10n);
  expect(await readCounter(books.store, costCounters.rent('base', day))).toBe(2_000n);
});

test('a batch to several is of no one recipient, and one that carried nothing known is booked all the same', async () => {
  const payees = ['alice', 'bob'].map((name) => ({ name, stableId: name }));
  const { paymentId } = await books.pay({ payer: PAYER, payees });
  await book('inbound', [paymentId], 5n);
  await book('payout', [], 3n);
  const rows = await costs();
  expect(rows.map(({ recipient, amount }) => [recipient, amount])).toEqual([
    [null, '5'],
    [null, '3'],
  ]);
});

test('what comes back counts back', async () => {
  await book('payout', ['gone'], 5_000_000_000n);
  await book('payout', ['back'], -2_000_000_000n);
  expect(await readCounter(books.store, costCounters.gas('base', dayOf(books.clock.nowMs)))).toBe(3n);
});
