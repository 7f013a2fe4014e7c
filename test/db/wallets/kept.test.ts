import { afterEach, beforeEach, expect, test } from 'vitest';
import { toHeldLink } from '../../../api/claims/receipt-link.ts';
import { findReceipt } from '../../../db/payments/records/find.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { testTransferIds } from '../../support/transfers/transfer-ids.ts';

const DOLLAR = 1_000_000n;
const WALLET = `0x${'ab'.repeat(20)}`;
const OWNER = { platform: 'email', name: 'owner@example.com', stableId: 'owner@example.com' };

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

/** What the holder of the link of a receipt has, once the money went to a wallet of this kind. */
async function receiptOf(source: 'keep' | 'claim') {
  const identityId = await books.meet(OWNER.name, OWNER.stableId, OWNER.platform);
  const wallet = { identityId, network: 'base', address: WALLET, source } as const;
  await linkWallet(books.store, wallet, testTransferIds, books.clock.nowMs);
  const { lines } = await books.pay({ payees: [OWNER] });
  const slug = lines[0]?.slug ?? '';
  return async () =>
    (await toHeldLink(books.store, await findReceipt(books.store, slug, books.clock.nowMs)))?.waitingMicroUsdc;
}

test('money that is kept here counts for the holder of its receipt until it has left', async () => {
  const waiting = await receiptOf('keep');
  expect(await waiting()).toBe(DOLLAR);
  const spend = (amount: bigint) => books.pay({ payer: WALLET, payees: [{ name: 'bob', stableId: '2', amount }] });
  await spend(400_000n);
  expect(await waiting()).toBe(600_000n);
  await spend(600_000n);
  expect(await waiting()).toBe(0n);
});

test('of money that left for its owner’s own address there are receipts for nothing', async () => {
  expect(await (await receiptOf('claim'))()).toBe(0n);
});
