/** What is paid out against money that is not safe yet: counted once, and given back once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCounter } from '../../../db/store/counters.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { exposureCounter } from '../../../db/transfers/exposure.ts';
import { renewDead } from '../../../db/transfers/renew.ts';
import { openBooks, type Books } from '../../support/books.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const AMOUNT = 1_000_000n;
const exposed = () => readCounter(books.store, exposureCounter('base'));

/** A payout whose authorization is signed while its inbound is not safe. */
async function assignExposed() {
  const identityId = await books.meet('alice', 'alice-id');
  await books.link(identityId);
  const { paymentId } = await books.pay({ payees: [{ name: 'alice', stableId: 'alice-id' }] });
  const [payout] = await books.payouts();
  if (payout === undefined) throw new Error('there is no payout');
  const signed = { nonce: '0x01', validBefore: 9, signature: '0x02', amountMicroUsdc: AMOUNT, exposed: true };
  const cap = { counter: exposureCounter('base'), capMicroUsdc: 10n * AMOUNT };
  const { id, fromAddress } = payout;
  await assignTransfers(books.store, [{ id, fromAddress, generation: 0, ...signed }], cap, books.clock.nowMs);
  const [assigned] = await books.payouts();
  if (assigned === undefined) throw new Error('the payout is gone');
  return { paymentId, assigned };
}

test('a stop that comes before an authorization is stored drops it, and it counts for nothing', async () => {
  await stopSigning(books.store, { reason: 'operator_payouts', network: 'all', detail: 'a test' }, books.clock.nowMs);
  await expect(assignExposed()).rejects.toThrow('payout on base is stopped');
  expect([await exposed(), await books.payouts()]).toMatchObject([0n, [{ status: 'queued', signature: null }]]);
});

/** A finalized block when the window of what was signed is over. */
const OVER = { finalizedTime: 9 };

test('a generation goes on for a finalized block before its end, and for the end of what does not carry it', async () => {
  const { assigned } = await assignExposed();
  for (const death of [{ finalizedTime: 8 }, { closedCarrierId: 'another' }]) {
    expect(await renewDead(books.store, assigned, death, books.clock.nowMs)).toBe(false);
  }
  expect(await exposed()).toBe(AMOUNT);
  expect(await books.payouts()).toMatchObject([{ status: 'assigned', generation: 0 }]);
});

test('a death that was looked up before the inbound became safe gives nothing back a second time', async () => {
  const { assigned } = await assignExposed();
  expect(await exposed()).toBe(AMOUNT);
  await books.mine([], books.height());
  expect(await exposed()).toBe(0n);
  expect(await renewDead(books.store, assigned, OVER, books.clock.nowMs)).toBe(true);
  expect(await exposed()).toBe(0n);
});

test('a death gives back what the payout still counts for', async () => {
  const { assigned } = await assignExposed();
  expect(await renewDead(books.store, assigned, OVER, books.clock.nowMs)).toBe(true);
  expect(await exposed()).toBe(0n);
});
