/** The payments of a block are booked together: as if each had come alone, and with statements that do not grow with them. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ObservedTransfer } from '../../../core/observed.ts';
import { addEndpoint } from '../../../db/events/endpoints.ts';
import type { PaymentRow } from '../../../db/payments/records/find.ts';
import type { SettledLine } from '../../../db/payments/settle.ts';
import { releaseClaim } from '../../../db/payments/reject.ts';
import { applyBlocks, applyTransfers } from '../../../db/scan/apply.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';
import { countStatements } from '../../support/databases/recorded.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const ENDPOINT = 'ep_AAAAAAAAAAAAAAAAAAAAAA';
const [FEW, MANY] = [5, 45];
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;

/** The same in all books that are opened with a new one. */
function drawAnew() {
  let drawn = 0;
  return (bytes: number) =>
    createHash('sha512')
      .update(String((drawn += 1)))
      .digest()
      .subarray(0, bytes);
}

/** Known and unknown, one payer twice, a fee, a name without an answer, and one whose reservation was released. */
async function reserveAll(books: Books): Promise<PaymentRow[]> {
  const { store, claim } = books;
  await addEndpoint(store, { id: ENDPOINT, network: 'base', payer: addressOf(3), url: 'https://a.example/', nowMs: 1 });
  for (const [name, address] of [
    ['known', 0xa],
    ['also', 0xb],
  ] as const)
    await books.link(await books.meet(name, name), addressOf(address));
  const to = (name: string, amount = 1_000_000n, stableId: string | null = name) => ({ name, stableId, amount });
  const wanted = [
    { payer: addressOf(1), payees: [to('known')] },
    { payer: addressOf(1), payees: [to('known', 2_000_000n), to('stranger'), to('also')] },
    { payer: addressOf(2), payees: [to('stranger')], fee: 3_000n },
    { payer: addressOf(3), payees: [to('unresolved', 4_000_000n, null)], endpointId: ENDPOINT },
    { payer: addressOf(4), payees: [to('short')] },
    { payer: addressOf(5), payees: [to('released')] },
    { payer: addressOf(6), payees: [to('also', 5_000_000n)] },
  ];
  const payments: PaymentRow[] = [];
  for (const one of wanted) {
    const reserved = await claim(one);
    if (reserved.kind !== 'reserved') throw new Error(`expected a reservation, found ${reserved.kind}`);
    payments.push(await books.paymentOf(reserved.paymentId));
  }
  await releaseClaim(store, payments[5]?.id ?? '', 'payment_expired', START_MS);
  return payments;
}

const placeAt = (position: number) => ({
  transaction: hashOf(Math.floor(position / 2)),
  logIndex: position,
  position,
  block: 2,
  blockHash: hashOf(2),
});

const paidBy = (payment: PaymentRow, position: number, less = 0n): ObservedTransfer => ({
  ...placeAt(position),
  from: payment.payer,
  to: payment.payTo,
  value: payment.sumMicroUsdc + payment.feeMicroUsdc - less,
  authorizer: payment.payer,
  nonce: payment.nonce,
});

/** One brings too little; strangers send too, one of them is shown twice; nothing explains what leaves in between. */
function transfersOf(payments: readonly PaymentRow[]): ObservedTransfer[] {
  const paid = payments.map((payment, position) => paidBy(payment, position, position === 4 ? 1n : 0n));
  const plain = { ...placeAt(20), from: addressOf(7), to: TREASURY, value: 7n };
  const signed = {
    ...placeAt(21),
    from: addressOf(8),
    to: TREASURY,
    value: 8n,
    authorizer: addressOf(8),
    nonce: '0x8',
  };
  const leaving = { ...placeAt(22), from: TREASURY, to: addressOf(9), value: 9n };
  const nothing = { ...plain, position: 30, value: 0n };
  return [...paid.slice(0, 3), plain, nothing, signed, leaving, ...paid.slice(3), signed];
}

/** Answers how many payments have settled. */
async function take({ store, transferIdOf }: Books, transfers: readonly ObservedTransfer[]): Promise<number> {
  const answerFor = ({ id }: PaymentRow, lines: readonly SettledLine[]) => ({
    paid: id,
    lines: lines.map(({ txnId, status, payoutStatus, payoutId }) => [txnId, status, payoutStatus, payoutId]),
  });
  const settle = { transferIdOf, answerFor, nowMs: START_MS };
  const seen = { network: 'base' as const, transfers, ownAddresses: [TREASURY] };
  return (await applyTransfers(store, seen, settle)).changedPayments.length;
}

const SHOWN = ['payments', 'lines', 'transfers', 'accounts', 'observedTransfers', 'payerLoads', 'counters'] as const;
const ALSO_SHOWN = ['wallets', 'signingStops', 'eventDeliveries'] as const;

/** All rows, without the number that says which came first, and without what the database's own clock says. */
async function readAll({ store: { read, tables } }: Books): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const name of [...SHOWN, ...ALSO_SHOWN]) all[name] = await textsOf(read.select().from(tables[name]));
  const entries = await read.select().from(tables.entries);
  const postings = await read.select().from(tables.postings);
  const told = entries.map(({ id, cause }) => ({
    cause,
    postings: postings.filter(({ entryId }) => entryId === id).map((posting) => ({ ...posting, entryId: 0 })),
  }));
  all['ledger'] = await textsOf(told);
  const waking = await read.select({ topic: tables.outbox.topic, key: tables.outbox.key }).from(tables.outbox);
  all['outbox'] = await textsOf(waking);
  return all;
}

async function textsOf(rows: PromiseLike<readonly object[]> | readonly object[]): Promise<string[]> {
  const asText = (key: string, value: unknown) =>
    key === 'reservedAtMs' ? undefined : typeof value === 'bigint' ? `${value}n` : value;
  return (await rows).map((row) => JSON.stringify(row, asText)).toSorted();
}

/** The books after all of it, in steps of so many transfers. */
async function booksAfter(database: DatabaseAddress | undefined, atOnce: number) {
  const books = await openBooks(database, drawAnew());
  const transfers = transfersOf(await reserveAll(books));
  let settled = 0;
  for (let from = 0; from < transfers.length; from += atOnce)
    settled += await take(books, transfers.slice(from, from + atOnce));
  const all = await readAll(books);
  await books.close();
  return { all, settled };
}

onBothDatabases((fresh, isSqlite) => {
  describe('a block with many payments', () => {
    test('leaves the same books as each transfer alone', async () => {
      const together = await booksAfter(await fresh(), 100);
      expect(together.settled).toBe(5);
      expect(together.all['transfers']).toHaveLength(4);
      expect(together.all['signingStops']).toHaveLength(1);
      expect(together.all['eventDeliveries']).toHaveLength(1);
      expect(together).toEqual(await booksAfter(await fresh(), 1));
    });

    test('asks no more of the database for nine times as many, whose recipients have no address', async () => {
      const books = await openBooks(await fresh());
      const asked = async (count: number, block: number) => {
        const payments: PaymentRow[] = [];
        for (let number = 0; number < count; number += 1) {
          const payees = [{ name: `p${block}-${number}`, stableId: `${block}-${number}` }];
          const reserved = await books.claim({ payer: addressOf(block * 1_000 + number), payees });
          if (reserved.kind === 'reserved') payments.push(await books.paymentOf(reserved.paymentId));
        }
        const transfers = payments.map((payment) => ({ ...paidBy(payment, 0), transaction: hashOf(block) }));
        const counts = await countStatements(async () => expect(await take(books, transfers)).toBe(count));
        return [...counts.values()].reduce((sum, times) => sum + times, 0);
      };
      const few = await asked(FEW, 1);
      expect(few).toBeGreaterThan(10);
      expect(await asked(MANY, 2)).toBeLessThanOrEqual(few + 2);
      await books.assertSound();
      await books.close();
    });
  });

  if (!isSqlite) return;

  test('a second proof on another network, with the same number, pays for nothing here', async () => {
    const books = await openBooks(await fresh());
    const { store } = books;
    const [payment] = await reserveAll(books);
    if (payment === undefined) throw new Error('nothing was reserved');
    const { id: paymentId, payer, nonce, requestHash } = payment;
    const alias = {
      network: 'polygon',
      payer,
      nonce,
      payloadHash: 'other',
      requestHash,
      paymentId,
      alias: true,
    } as const;
    await store.tx((db) => db.insert(store.tables.proofs).values({ ...alias, claimedAtMs: START_MS }));
    const seen = { network: 'polygon' as const, transfers: [paidBy(payment, 0)], ownAddresses: [TREASURY] };
    const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: START_MS };
    expect(await applyTransfers(store, seen, settle)).toMatchObject({ changedPayments: [] });
    expect((await books.paymentOf(paymentId)).status).toBe('received');
    const [row] = await store.read.select().from(store.tables.observedTransfers);
    expect(row).toMatchObject({ network: 'polygon', consumedBy: null, returnWanted: false });
    await books.close();
  });

  test('what was missed in a block that was final when it was read is taken later', async () => {
    const books = await openBooks(await fresh());
    const { store } = books;
    const [payment] = await reserveAll(books);
    if (payment === undefined) throw new Error('nothing was reserved');
    const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: START_MS };
    const cursor = await readCursor(store, 'base');
    const blocks = [2, 3].map((number) => ({ number, hash: hashOf(number), time: number }));
    const from = { block: cursor?.block ?? 0, hash: cursor?.blockHash ?? '' };
    const step = { network: 'base' as const, from, blocks, transfers: [], sealed: [], safeBlock: 2, finalizedBlock: 2 };
    expect((await applyBlocks(store, { ...step, ownAddresses: [TREASURY] }, settle)).applied).toBe(true);
    const seen = { network: 'base' as const, transfers: [paidBy(payment, 0)], ownAddresses: [TREASURY] };
    const at = { block: 3, hash: hashOf(3) };
    expect(await applyTransfers(store, { ...seen, at }, settle)).toMatchObject({ changedPayments: [payment.id] });
    await books.close();
  });
});
