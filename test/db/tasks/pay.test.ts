import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { taskOrderId } from '../../../core/tasks.ts';
import { advanceFinality } from '../../../db/scan/finality.ts';
import { expireTasks } from '../../../db/tasks/expire.ts';
import { findTask, transfersSeen } from '../../../db/tasks/find.ts';
import { inboundCandidates } from '../../../db/payments/candidates.ts';
import { overduePayments } from '../../../db/payments/records/overdue.ts';
import { createRefundPayout, payersOwed } from '../../../db/refunds/create-payouts.ts';
import { expiredLines, refundLine } from '../../../db/refunds/refund-line.ts';
import { factOf } from '../../../core/observed.ts';
import { declareDepositAddress } from '../../../db/scan/operator-deposits.ts';
import { returnByOperator } from '../../../db/operator/suspense.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { START_MS, TREASURY } from '../../support/books.ts';
import { openTaskBooks, SENDER, TASK, type TaskBooks } from './world.ts';

const HALF_HOUR_MS = 30 * 60_000;

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const paymentOf = async (taskId: string) => (await findTask(books.store, taskId))?.payment ?? null;

/** Time goes by, and what is safe and unexplained goes to suspense. */
async function later(ms: number): Promise<void> {
  books.clock.nowMs += ms;
  const step = { network: 'base' as const, safeBlock: books.height(), finalizedBlock: books.height() };
  await books.store.tx((db) => advanceFinality(db, books.store, step, books.clock.nowMs));
}

describe('a transfer', () => {
  test('of its own amount pays a task: what was sent beyond the price is the receiver’s', async () => {
    const { task, offer } = await books.open({ amount: 1, fee: 30_000n });
    const transfer = await books.land({ value: offer.amountMicroUsdc });
    expect(await books.round()).toEqual(['paid']);
    const extra = offer.amountMicroUsdc - 1_030_000n;
    const payment = await paymentOf(task.id);
    expect(payment).toMatchObject({
      status: 'settled',
      payer: SENDER,
      sumMicroUsdc: 1_000_000n + extra,
      feeMicroUsdc: 30_000n,
      landedTransaction: transfer.transaction,
      landedAddress: TASK,
    });
    expect(await books.balanceOf(TASK)).toBe(offer.amountMicroUsdc);
    const [line] = await books.linesFor(payment?.id ?? '');
    expect(line).toMatchObject({ amountMicroUsdc: 1_000_000n + extra, status: 'escrowed' });
    const [seen] = await transfersSeen(books.store, 'base', transfer.transaction);
    expect(seen?.consumedBy).toBe(`payment:${payment?.id}`);
  });

  test.each([
    ['of the plain price', { more: 0n }],
    ['of a micro-USDC more', { beyond: 1n }],
    ['of a micro-USDC less', { beyond: -1n }],
    ['to another address of ours', { beyond: 0n, to: `0x${'11'.repeat(20)}` }],
    ['in the block at which it was opened', { beyond: 0n, block: 1 }],
  ])('%s does not', async (_what, wrong: { more?: bigint; beyond?: bigint; to?: string; block?: number }) => {
    const { offer } = await books.open();
    const { beyond = 0n, more, ...place } = wrong;
    const value = more === undefined ? offer.amountMicroUsdc + beyond : offer.priceMicroUsdc + more;
    const transfer = await books.land({ value, ...place });
    expect(await books.fits()).toEqual([]);
    await later(HALF_HOUR_MS);
    expect((await books.rowOf(transfer))?.consumedBy).toBe('suspense');
  });

  test('that is not safe yet waits, and never goes to suspense', async () => {
    const { offer } = await books.open();
    const transfer = await books.land({ value: offer.amountMicroUsdc }, { isSafe: false });
    expect(await books.fits()).toEqual([]);
    await later(2 * HALF_HOUR_MS);
    expect((await books.rowOf(transfer))?.consumedBy).toBeNull();
    await books.mine([], books.height() + 1);
    expect(await books.round()).toEqual(['paid']);
  });

  test('pays once, no matter who looks at the same time', async () => {
    const { task, offer } = await books.open();
    await books.land({ value: offer.amountMicroUsdc });
    const [fit] = await books.fits();
    if (fit === undefined) throw new Error('it fits');
    const results = await Promise.all([books.pay(fit), books.pay(fit), books.pay(fit)]);
    expect(results.toSorted()).toEqual(['gone', 'gone', 'paid']);
    const { payments } = books.store.tables;
    expect(await books.store.read.select().from(payments)).toHaveLength(1);
    expect((await findTask(books.store, task.id))?.task.status).toBe('paid');
  });

  test('is taken for no other task, and a task by no other transfer, even by who saw both unpaid', async () => {
    const [first, second] = [await books.open(), await books.open()];
    await books.land({ value: first.offer.amountMicroUsdc });
    await books.land({ value: first.offer.amountMicroUsdc });
    const [one, other] = await books.fits();
    if (one === undefined || other === undefined) throw new Error('both fit');
    expect(await books.pay(one)).toBe('paid');
    expect(await books.pay(other)).toBe('gone');
    expect(await books.pay({ task: second.task, transfer: one.transfer })).toBe('gone');
    expect((await findTask(books.store, second.task.id))?.task.status).toBe('open');
  });

  test('for a task that is paid already explains nothing: it goes to suspense', async () => {
    const { offer } = await books.open();
    await books.land({ value: offer.amountMicroUsdc });
    await books.round();
    const second = await books.land({ value: offer.amountMicroUsdc });
    expect(await books.fits()).toEqual([]);
    await later(HALF_HOUR_MS);
    expect((await books.rowOf(second))?.consumedBy).toBe('suspense');
  });

  test('of two tasks of one price pays its own', async () => {
    const [first, second] = [await books.open({ amount: 1 }), await books.open({ amount: 1 })];
    await books.land({ value: second.offer.amountMicroUsdc });
    await books.round();
    expect([await paymentOf(first.task.id), (await paymentOf(second.task.id))?.status]).toEqual([null, 'settled']);
  });

  test('with the memo of a task and its exact price pays it, with another amount it does not', async () => {
    const { task, offer } = await books.open();
    await books.land({ value: offer.priceMicroUsdc - 1n, memo: task.memo });
    expect(await books.fits()).toEqual([]);
    await books.land({ value: offer.priceMicroUsdc, memo: task.memo });
    expect(await books.round()).toEqual(['paid']);
    expect((await paymentOf(task.id))?.sumMicroUsdc).toBe(task.sumMicroUsdc);
  });
});

describe('a task', () => {
  test('that a signature is paying takes no transfer, and takes it when the signature comes to nothing', async () => {
    const { task, offer } = await books.open();
    await books.land({ value: offer.amountMicroUsdc });
    const claimed = await books.claim({ payees: [{ name: 'bob', stableId: '2' }] });
    if (claimed.kind !== 'reserved') throw new Error('expected a reservation');
    const { purchases } = books.store.tables;
    const order = { orderId: taskOrderId(task.id), paymentId: claimed.paymentId };
    await books.store.tx((db) => db.insert(purchases).values(order));
    expect(await books.round()).toEqual(['order-taken']);
    expect((await findTask(books.store, task.id))?.task.status).toBe('open');
    const { payments } = books.store.tables;
    await books.store.tx((db) =>
      db.update(payments).set({ status: 'settling' }).where(eq(payments.id, claimed.paymentId)),
    );
    await books.bury(claimed.paymentId);
    expect(await books.round()).toEqual(['paid']);
  });

  test('that was paid by a signature is noted as paid, and its transfer explains nothing', async () => {
    const { task, offer } = await books.open({ unpaidMax: 1 });
    const { paymentId } = await books.payDirect({ payees: [{ name: 'bob', stableId: '2' }] });
    const { purchases } = books.store.tables;
    await books.store.tx((db) => db.insert(purchases).values({ orderId: taskOrderId(task.id), paymentId }));
    await expireTasks(books.store, books.clock.nowMs);
    expect(await findTask(books.store, task.id)).toMatchObject({ task: { status: 'paid', paymentId } });
    await books.land({ value: offer.amountMicroUsdc });
    expect(await books.fits()).toEqual([]);
    await books.open({ unpaidMax: 1 });
  });

  test('whose receiver nobody can name yet is paid all the same, and looked up', async () => {
    const { task, offer } = await books.open();
    await books.land({ value: offer.amountMicroUsdc });
    expect(await books.round({ stableId: null })).toEqual(['paid']);
    const [line] = await books.linesFor((await paymentOf(task.id))?.id ?? '');
    expect(line?.status).toBe('resolving');
  });
});

describe('after its block was lost', () => {
  test('a transfer that lands again settles its payment again, with the same answer', async () => {
    const { task, offer } = await books.open();
    const transfer = await books.land({ value: offer.amountMicroUsdc });
    await books.round();
    const before = await paymentOf(task.id);
    await books.lose(transfer);
    expect((await paymentOf(task.id))?.status).toBe('settling');
    expect(await books.balanceOf(TASK)).toBe(0n);
    // Nobody signed anything that could be sent, or could die.
    const soon = { which: 'open', nowMs: START_MS * 2, limit: 10 } as const;
    expect(await inboundCandidates(books.store, 'base', soon)).toEqual([]);
    expect(await overduePayments(books.store, 'base', { chainTime: 9e9, nowMs: START_MS * 2 }, 10)).toEqual([]);
    await books.landAgain({ ...transfer, block: transfer.block + 1 });
    expect(await paymentOf(task.id)).toMatchObject({ status: 'settled', answer: before?.answer });
    expect(await books.balanceOf(TASK)).toBe(offer.amountMicroUsdc);
  });
});

describe('what nobody collected', () => {
  async function refundOf(...refundAddresses: { network: 'base' | 'solana'; address: string }[]) {
    const { offer } = await books.open({ refundAddresses, claimTtlMs: 1_000 });
    await books.land({ value: offer.amountMicroUsdc });
    await books.round();
    books.clock.nowMs += 2_000;
    for (const txnId of await expiredLines(books.store, books.clock.nowMs, 10))
      await refundLine(books.store, txnId, books.clock.nowMs);
    const [owed] = await payersOwed(books.store, 'base', 1n);
    if (owed === undefined) throw new Error('something is owed');
    const wanted = { ...owed, network: 'base' as const, minMicroUsdc: 1n };
    await createRefundPayout(books.store, wanted, books.transferIdOf, books.clock.nowMs);
    return (await books.payouts()).at(-1);
  }

  test('goes to the address of its network that came with the task, out of the treasury', async () => {
    const address = `0x${'ab'.repeat(20)}`;
    expect(
      await refundOf({ network: 'solana' as const, address: 'Somebody' }, { network: 'base' as const, address }),
    ).toMatchObject({
      status: 'queued',
      toAddress: address,
      fromAddress: `0x${'11'.repeat(20)}`,
    });
  });

  test.each([
    ['without an address', []],
    ['with one on another network', [{ network: 'solana' as const, address: 'Somebody' }]],
  ])('waits for the operator %s, because the sender may be an exchange', async (_what, refunds) => {
    expect(await refundOf(...refunds)).toMatchObject({
      status: 'held',
      heldReason: 'refund_address_unknown',
      toAddress: SENDER,
    });
  });
});

test('what the operator sends back of it leaves from the treasury, where payouts leave from', async () => {
  const { store, ids, clock } = books;
  const dailyMicroUsdc = { payer: null, recipient: null };
  await storePayoutSettings(store, { dailyMicroUsdc, treasuries: { base: TREASURY } });
  const stray = await books.land({ value: 3_000_000n });
  await later(HALF_HOUR_MS);
  const command = { name: 'return', arguments: [], who: 'a test' };
  expect(await returnByOperator(store, factOf('base', stray), command, clock.nowMs)).toBe('returned');
  const owed = { network: 'base' as const, payer: SENDER, payerAccount: null, minMicroUsdc: 1n };
  await createRefundPayout(store, owed, ids.payoutId, clock.nowMs);
  expect((await books.payouts()).at(-1)).toMatchObject({ fromAddress: TREASURY, toAddress: SENDER, status: 'queued' });
});

test('an address of the operator pays for a task like any other, and all else it sends is a deposit', async () => {
  const { store, clock } = books;
  await store.tx((db) =>
    declareDepositAddress(db, store.tables, { network: 'base' as const, address: SENDER }, clock.nowMs),
  );
  const { offer } = await books.open();
  await books.land({ value: offer.amountMicroUsdc });
  const deposit = await books.land({ value: 5_000_000n });
  await later(0);
  expect(await books.round()).toEqual(['paid']);
  expect((await books.rowOf(deposit))?.consumedBy).toMatch(/^deposit:/);
});
