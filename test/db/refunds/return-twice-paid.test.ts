/** What comes for a task that is paid already. */
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { taskOrderId } from '../../../core/tasks.ts';
import { createRefundPayout, payersOwed } from '../../../db/refunds/create-payouts.ts';
import { advanceFinality } from '../../../db/scan/finality.ts';
import { expireTasks } from '../../../db/tasks/expire.ts';
import { openTaskBooks, SENDER, type TaskBooks } from '../tasks/world.ts';
import { TREASURY } from '../../support/books.ts';

const HALF_HOUR_MS = 30 * 60_000;
const BACK = `0x${'ab'.repeat(20)}`;
const REFUNDS = [
  { network: 'solana' as const, address: 'Somebody' },
  { network: 'base' as const, address: BACK },
];

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

/** The scan goes on: everything up to here is safe. */
async function scan(ms = 0, safeBlock = books.height()): Promise<void> {
  books.clock.nowMs += ms;
  const step = { network: 'base' as const, safeBlock, finalizedBlock: 1 };
  await books.store.tx((db) => advanceFinality(db, books.store, step, books.clock.nowMs));
}

const owed = () => payersOwed(books.store, 'base', 1n);

/** A visitor's wallet signed for it, and the transfer landed in the newest block. */
async function paySigned(taskId: string): Promise<string> {
  const { paymentId } = await books.payDirect({ payees: [{ name: 'bob', stableId: '2' }] });
  const { purchases } = books.store.tables;
  await books.store.tx((db) => db.insert(purchases).values({ orderId: taskOrderId(taskId), paymentId }));
  await expireTasks(books.store, books.clock.nowMs);
  return paymentId;
}

describe('a second transfer', () => {
  test('goes back at once to the address that came with the task, and only once', async () => {
    const { offer } = await books.open({ refundAddresses: REFUNDS });
    await books.land({ value: offer.amountMicroUsdc });
    await books.round();
    const second = await books.land({ value: offer.amountMicroUsdc });
    await scan();
    await scan();
    expect((await books.rowOf(second))?.consumedBy).toBe('suspense');
    const [one, ...others] = await owed();
    expect([one, others]).toEqual([{ payer: BACK, payerAccount: null, heldReason: null }, []]);
    const wanted = { payer: BACK, payerAccount: null, network: 'base' as const, minMicroUsdc: 1n };
    await createRefundPayout(books.store, wanted, books.transferIdOf, books.clock.nowMs);
    expect(await books.payouts()).toMatchObject([
      { status: 'queued', toAddress: BACK, amountMicroUsdc: offer.amountMicroUsdc },
    ]);
    await scan(HALF_HOUR_MS);
    expect(await owed()).toEqual([]);
  });

  test.each([
    ['without an address', []],
    ['with one on another network', [{ network: 'solana' as const, address: 'Somebody' }]],
  ])('of a task %s waits for the operator: its sender may be an exchange', async (_what, refundAddresses) => {
    const { offer } = await books.open({ refundAddresses });
    await books.land({ value: offer.amountMicroUsdc });
    await books.round();
    const second = await books.land({ value: offer.amountMicroUsdc });
    await scan();
    expect((await books.rowOf(second))?.consumedBy).toBeNull();
    await scan(HALF_HOUR_MS);
    expect((await books.rowOf(second))?.consumedBy).toBe('suspense');
    expect(await owed()).toEqual([]);
  });

  test.each([
    ['of another amount', 1n, undefined],
    ['to another address of ours', 0n, TREASURY],
  ])('%s is not taken for it', async (_what, beyond, to) => {
    const { offer } = await books.open({ refundAddresses: REFUNDS });
    await books.land({ value: offer.amountMicroUsdc });
    await books.round();
    const stray = await books.land({ value: offer.amountMicroUsdc + beyond, ...(to === undefined ? {} : { to }) });
    await scan();
    expect((await books.rowOf(stray))?.consumedBy).toBeNull();
    expect(await owed()).toEqual([]);
  });

  test('that could still vanish waits', async () => {
    const { offer } = await books.open({ refundAddresses: REFUNDS });
    await books.land({ value: offer.amountMicroUsdc });
    await books.round();
    await books.land({ value: offer.amountMicroUsdc });
    await scan(0, books.height() - 1);
    expect(await owed()).toEqual([]);
  });
});

describe('a transfer beside a signature', () => {
  test('goes back when the signature is safe, and not before', async () => {
    const { task, offer } = await books.open({ refundAddresses: REFUNDS });
    const transfer = await books.land({ value: offer.amountMicroUsdc });
    const paymentId = await paySigned(task.id);
    expect(await books.fits()).toEqual([]);
    await scan();
    expect(await owed()).toEqual([]);
    await books.mine([], books.height());
    await scan();
    expect((await books.paymentOf(paymentId)).status).toBe('final');
    expect(await owed()).toMatchObject([{ payer: BACK }]);
    expect((await books.rowOf(transfer))?.fromAddress).toBe(SENDER);
  });

  test('pays after all when the signature has come to nothing', async () => {
    const { task, offer } = await books.open({ refundAddresses: REFUNDS });
    const claimed = await books.claim({ payees: [{ name: 'bob', stableId: '2' }] });
    if (claimed.kind !== 'reserved') throw new Error('expected a reservation');
    const order = { orderId: taskOrderId(task.id), paymentId: claimed.paymentId };
    const { purchases, payments } = books.store.tables;
    await books.store.tx((db) => db.insert(purchases).values(order));
    await books.land({ value: offer.amountMicroUsdc });
    await scan();
    expect(await owed()).toEqual([]);
    const mine = eq(payments.id, claimed.paymentId);
    await books.store.tx((db) => db.update(payments).set({ status: 'settling' }).where(mine));
    await books.bury(claimed.paymentId);
    expect(await books.round()).toEqual(['paid']);
    await scan();
    expect(await owed()).toEqual([]);
  });
});
