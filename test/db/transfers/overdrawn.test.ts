/** What the chain says is read on, whatever the books know: where an account would be overdrawn signing stops instead. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { explainOutflows } from '../../../db/operator/outflows.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
  await books.link(await books.meet('alice', '1'));
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

/** Lands the only payout in a block that stays. */
async function land(): Promise<void> {
  const [payout] = await books.payouts();
  if (payout === undefined) throw new Error('there is no payout');
  if (payout.status === 'queued') {
    const signed = { ...payout, nonce: '0xn', validBefore: 1, signature: 's', exposed: false };
    await assignTransfers(books.store, [signed], { counter: 'c', capMicroUsdc: 0n }, START_MS);
  }
  const { fromAddress: from, toAddress: to, amountMicroUsdc: value } = payout;
  const place = { transaction: '0xout', logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
  const transfer = { ...place, from, to, value, authorizer: from, nonce: '0xn' };
  const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: START_MS };
  await applyTransfers(books.store, { network: 'base', transfers: [transfer], ownAddresses: [TREASURY] }, settle);
}

/** As if the books knew less of the treasury than the chain: positive takes away, negative gives back. */
async function hide(amount: bigint): Promise<void> {
  const entry = {
    cause: `hidden:${amount}`,
    postings: [
      { account: 'reorg_loss:base', unit: 'usdc', side: 'asset', amount } as const,
      { account: `chain:base:${TREASURY}`, unit: 'usdc', side: 'asset', amount: -amount } as const,
    ],
  };
  await books.store.tx((db) => postEntry(db, books.store.tables, entry, START_MS));
}

test('a payout that spent what the books do not know is unexplained, until they know it', async () => {
  await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
  await hide(1n);
  await land();
  expect(await signingStops(books.store)).toMatchObject([{ reason: 'unexplained_outflow' }]);
  expect(await findViolations(books.store)).toMatchObject([{ rule: 'every outflow is explained' }]);
  expect(await explainOutflows(books.store, 'base', START_MS)).toEqual({ explained: 0, left: 1 });
  await hide(-1n);
  expect(await explainOutflows(books.store, 'base', START_MS)).toEqual({ explained: 1, left: 0 });
  expect(await explainOutflows(books.store, 'base', START_MS)).toEqual({ explained: 0, left: 0 });
  expect((await books.payouts()).map(({ status }) => status)).toEqual(['confirmed']);
});

test('a payment whose money is spent stays settled when its block goes, stops signing, and may land again', async () => {
  const { paymentId } = await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
  await land();
  expect(await books.reorganise()).toEqual([paymentId]);
  expect((await books.paymentOf(paymentId)).status).toBe('settled');
  expect(await signingStops(books.store)).toMatchObject([{ reason: 'books_behind_chain' }]);
  expect(await findViolations(books.store)).toMatchObject([{ rule: 'settled means landed' }]);
  await books.mine([paymentId]);
});
