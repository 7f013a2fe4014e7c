import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiDependencies, ApiNetwork } from '../../../api/environment/dependencies.ts';
import { awaitOutcome } from '../../../api/payments/outcome.ts';
import { releaseClaim } from '../../../db/payments/reject.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** What a caller hears whose payment is let go for the pause, at once or while they wait. */
async function hear(replayed: boolean, isReleasedMeanwhile: boolean, state: 'unused' | 'used' = 'unused') {
  const claimed = await books.claim({ payees: [{ name: 'alice', stableId: '1' }] });
  if (claimed.kind !== 'reserved') throw new Error(`expected a reservation, found ${claimed.kind}`);
  const release = () => releaseClaim(books.store, claimed.paymentId, 'token_paused', books.clock.nowMs);
  if (!isReleasedMeanwhile) await release();
  const dependencies = {
    store: books.store,
    now: () => START_MS,
    settings: { settlementWaitMs: 1_000 },
    responses: { end: async () => undefined },
    waitForChange: async () => (isReleasedMeanwhile ? release() : false),
  } as unknown as ApiDependencies;
  const network = { checker: { lookUp: async () => state } } as unknown as ApiNetwork;
  const terms = {
    from: '0x1',
    to: TREASURY,
    value: 1n,
    validAfter: 0,
    validBefore: 2,
    nonce: '0x2',
    payerAccount: null,
  };
  const connection = { id: 'one', signal: new AbortController().signal, destroy: () => undefined };
  const proof = { network, authorization: terms };
  return awaitOutcome(dependencies, claimed.paymentId, { replayed, proof, connection });
}

test('a pause that let a payment go earlier is no pause of now: its aliases are told that they never settle', async () => {
  expect(await hear(true, false)).toEqual({ kind: 'refused', reason: 'invalid_transaction_state' });
});

test('a caller who waits when the pause releases the payment is told so, and about a charge what the chain shows', async () => {
  await expect(hear(false, true)).rejects.toMatchObject({ code: 'service_paused' });
  await expect(hear(false, false)).rejects.toMatchObject({ code: 'service_paused' });
});

test('what the chain shows as used is not called unsent', async () => {
  await expect(hear(false, true, 'used')).rejects.toMatchObject({ code: 'settlement_pending' });
});
