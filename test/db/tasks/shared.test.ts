/** A retry under a new task joins the payment of the first: then both are paid, and nobody is asked to pay again. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RESERVED_AFTER_MS, TASK_LIFE_MS, taskOrderId } from '../../../core/tasks.ts';
import { reservePayment } from '../../../db/payments/reserve.ts';
import { markDelivery } from '../../../db/payments/records/deliver.ts';
import { expireTasks } from '../../../db/tasks/expire.ts';
import { findTask } from '../../../db/tasks/find.ts';
import { cancelMessageTask, openMessageTask, paymentOfOrder } from '../../../db/tasks/messages.ts';
import { openTaskBooks, type TaskBooks } from './world.ts';

const PAYER = `0x${'88'.repeat(20)}`;
let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

/** A signed payment for a task; all of them ask for the same. */
function sign(orderId: string) {
  const claim = books.toClaim({ payer: PAYER, payees: [{ name: 'bob', stableId: '2' }] });
  return reservePayment(books.store, { ...claim, orderId, requestHash: 'the same' });
}

async function signMissed(orderId: string): Promise<string> {
  const claimed = await sign(orderId);
  if (claimed.kind !== 'reserved') throw new Error(`expected a reservation, found ${claimed.kind}`);
  await markDelivery(books.store, claimed.paymentId, 'missed');
  return claimed.paymentId;
}

test('the task of a retry is taken by the payment that it joined, while that is on its way already', async () => {
  const [first, second] = [await books.open(), await books.open()];
  const paymentId = await signMissed(taskOrderId(first.task.id));
  expect(await sign(taskOrderId(second.task.id))).toEqual({ kind: 'joined', paymentId });
  expect(await paymentOfOrder(books.store, second.task.id)).toBe(paymentId);
  await books.land({ value: second.offer.amountMicroUsdc });
  expect(await books.round()).toEqual(['order-taken']);
});

test('both tasks are noted as paid, and a transfer for either explains nothing any more', async () => {
  const tasks = [await books.open({ unpaidMax: 2 }), await books.open({ unpaidMax: 2 })] as const;
  const paymentId = await signMissed(taskOrderId(tasks[0].task.id));
  await sign(taskOrderId(tasks[1].task.id));
  await books.mine([paymentId]);
  await expireTasks(books.store, books.clock.nowMs);
  for (const { task, offer } of tasks) {
    expect((await findTask(books.store, task.id))?.task.status).toBe('paid');
    await books.land({ value: offer.amountMicroUsdc });
  }
  expect(await books.fits()).toEqual([]);
  await books.open({ unpaidMax: 1 });
});

test('a message’s task that shares a payment cannot be called off, whatever became of the process', async () => {
  const opened = {
    contextId: 'c',
    isOurContext: true,
    skillId: 's',
    params: {},
    openedBy: 'o',
    createdAtMs: 1,
    expiresAtMs: 1,
  };
  await openMessageTask(books.store, { ...opened, id: 'again' }, null);
  await signMissed('a2a:first');
  await sign('a2a:again');
  expect(await cancelMessageTask(books.store, 'again', 2)).toBe(false);
});

test('once its answer was handed over, another payment for the same task is refused, not taken as a second one', async () => {
  const paymentId = await signMissed('mcp:first');
  await sign('mcp:again');
  await markDelivery(books.store, paymentId, 'handed');
  expect(await sign('mcp:again')).toEqual({ kind: 'order-taken' });
  expect((await sign('mcp:another')).kind).toBe('reserved');
});

test('when the payment that was joined is dead, both tasks are free again', async () => {
  const { paymentId } = { paymentId: await signMissed('mcp:first') };
  await sign('mcp:again');
  const { payments } = books.store.tables;
  await books.store.tx((db) => db.update(payments).set({ status: 'settling' }));
  await books.bury(paymentId);
  expect((await sign('mcp:again')).kind).toBe('reserved');
});

test('a task that a signature is paying is not forgotten before it is known how that ends', async () => {
  const { task } = await books.open();
  await signMissed(taskOrderId(task.id));
  books.clock.nowMs += TASK_LIFE_MS + RESERVED_AFTER_MS;
  await expireTasks(books.store, books.clock.nowMs);
  expect((await findTask(books.store, task.id))?.task.status).toBe('expired');
});
