import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chainNamesOf } from '../../../worker/paid-before.ts';
import type { ObservedTransfer } from '../../../core/observed.ts';
import { settlePaidBefore } from '../../../db/operator/paid-before.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const OTHER = `0x${'77'.repeat(20)}`;
const ALICE = { name: 'alice', stableId: '1' };
let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** A payout that waits to be signed. */
async function newPayout(): Promise<TransferRow> {
  await books.link(await books.meet('alice', '1'));
  await books.pay({ payees: [ALICE] });
  return queuedOnly();
}

async function queuedOnly(): Promise<TransferRow> {
  const [payout, ...others] = (await books.payouts()).filter(({ status }) => status === 'queued');
  if (payout === undefined || others.length > 0) throw new Error('expected one payout that waits');
  return payout;
}

/** The chain shows a transfer of ours that these books know nothing of. */
async function seeOutflow(to: string, value: bigint, nonce: string): Promise<void> {
  const place = { transaction: '0xlost', logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
  const transfer: ObservedTransfer = { ...place, from: TREASURY, to, value, authorizer: TREASURY, nonce };
  const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: START_MS };
  const seen = { network: 'base' as const, transfers: [transfer], ownAddresses: [TREASURY] };
  await applyTransfers(books.store, seen, settle);
}

const settle = async (queued: TransferRow) =>
  settlePaidBefore(books.store, [queued], chainNamesOf, START_MS).then((settled) => settled.get(queued.id) ?? null);

async function stateOf({ id }: TransferRow) {
  const { transfers } = books.store.tables;
  const [row] = await books.store.read.select().from(transfers).where(eq(transfers.id, id));
  return [row?.status, row?.heldReason];
}

const nonceOf = (id: string) => chainNamesOf(id).nonce;

describe('a payout that is about to be signed in restored books', () => {
  test('is booked as paid where the chain shows it under its own nonce', async () => {
    const payout = await newPayout();
    await seeOutflow(payout.toAddress, payout.amountMicroUsdc, nonceOf(payout.id));
    expect(await settle(payout)).toBe('landed');
    expect(await stateOf(payout)).toEqual(['confirmed', null]);
    expect(await books.owed('outflight:base')).toBe(0n);
    await books.store.tx((db) => db.delete(books.store.tables.signingStops));
    await books.assertSound();
  });

  test.each([
    ['another amount', (payout: TransferRow) => ({ to: payout.toAddress, value: payout.amountMicroUsdc - 1n })],
    [
      'another recipient, as when it was given back',
      (payout: TransferRow) => ({ to: OTHER, value: payout.amountMicroUsdc }),
    ],
  ])('is held where its nonce was used for %s', async (_what, lost) => {
    const payout = await newPayout();
    const { to, value } = lost(payout);
    await seeOutflow(to, value, nonceOf(payout.id));
    expect(await settle(payout)).toBe('held');
    expect(await stateOf(payout)).toEqual(['held', 'paid_before']);
  });

  test('goes out where the chain shows the same amount to the same person under another name', async () => {
    const payout = await newPayout();
    await seeOutflow(payout.toAddress, payout.amountMicroUsdc, nonceOf('another'));
    expect(await settle(payout)).toBeNull();
    expect((await stateOf(payout))[0]).toBe('queued');
  });

  test('is held where its payer got a transfer that may have gathered it', async () => {
    const payout = await newPayout();
    await seeOutflow(PAYER, 5_000_000n, nonceOf('another'));
    expect(await settle(payout)).toBe('held');
  });

  test('goes out where nothing is unexplained', async () => {
    expect(await settle(await newPayout())).toBeNull();
  });
});

test('a refund is held while its payer has a transfer of ours that is in no book', async () => {
  const { lines } = await books.pay({ payees: [ALICE] });
  await refundLine(books.store, lines[0]?.txnId ?? 0, START_MS);
  const owed = { network: 'base' as const, payer: PAYER, payerAccount: null, minMicroUsdc: 0n };
  await createRefundPayout(books.store, owed, books.transferIdOf, START_MS);
  await seeOutflow(PAYER, 3_000_000n, nonceOf('another'));
  expect(await settle(await queuedOnly())).toBe('held');
  expect((await signingStops(books.store)).map(({ reason }) => reason)).toEqual(['unexplained_outflow']);
});
