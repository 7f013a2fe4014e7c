import { and, eq, exists, inArray, isNull, lte, ne, notExists, or, sql } from 'drizzle-orm';
import { taskOrderId } from '../../core/tasks.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { isOfferedTo, WAYS_TO_FIT } from './fitting.ts';
import { expireWithin, releaseUnpaid } from './load.ts';

const TASKS_MAX = 500;

/**
 * Expires overdue tasks, marks those paid by a signature as paid, and frees amounts that were reserved long enough. An
 * unpaid task is deleted with its amounts.
 */
export async function expireTasks(store: Store, nowMs: number): Promise<void> {
  const { tables } = store;
  const { tasks } = tables;
  await notePaidBySignature(store);
  const over = await store.read
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.status, 'open'), lte(tasks.expiresAtMs, nowMs)))
    .limit(1);
  if (over.length > 0) await store.tx((db) => expireWithin(db, tables, undefined, nowMs));
  await endReused(store);
  await freeAmountsOf(store, nowMs);
}

/**
 * A reused amount pays only while its task is open, because a later transfer may be meant for the task before. The scan
 * says which block that was, once it has passed the time.
 */
async function endReused(store: Store): Promise<void> {
  const { scanCursors, taskOffers, tasks } = store.tables;
  const due = await store.read
    .select({
      taskId: tasks.id,
      network: taskOffers.network,
      block: scanCursors.block,
      headBlock: taskOffers.headBlock,
    })
    .from(taskOffers)
    .innerJoin(tasks, eq(tasks.id, taskOffers.taskId))
    .innerJoin(scanCursors, eq(scanCursors.network, taskOffers.network))
    .where(
      and(
        eq(taskOffers.reused, true),
        isNull(taskOffers.untilBlock),
        lte(tasks.expiresAtMs, sql`${scanCursors.blockTime} * 1000`),
      ),
    )
    .limit(TASKS_MAX);
  for (const { taskId, network, block, headBlock } of due) {
    const offer = and(eq(taskOffers.taskId, taskId), eq(taskOffers.network, network), isNull(taskOffers.untilBlock));
    const untilBlock = Math.max(block, headBlock);
    await store.tx((db) => db.update(taskOffers).set({ untilBlock }).where(offer));
  }
}

async function freeAmountsOf(store: Store, nowMs: number): Promise<void> {
  const { tables } = store;
  const { taskOffers, tasks } = tables;
  // The tasks are kept for good, the offers are not.
  const over = store.read
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.id, taskOffers.taskId), lte(tasks.reservedUntilMs, nowMs)));
  const free = await store.read
    .selectDistinct({ id: taskOffers.taskId })
    .from(taskOffers)
    .where(exists(over))
    .limit(TASKS_MAX);
  for (const { id } of free) await store.tx((db) => freeWithin(db, tables, id));
}

/** What has landed in time and is not safe yet still pays, and so does a signature whose end is not known. */
async function freeWithin(db: Db, tables: Tables, taskId: string): Promise<void> {
  const { purchases, payments, taskOffers, tasks, observedTransfers } = tables;
  // One task only, so the two ways may stand in one condition.
  const landing = db
    .select({ fact: observedTransfers.fact })
    .from(observedTransfers)
    .innerJoin(taskOffers, isOfferedTo(tables))
    .innerJoin(tasks, eq(tasks.id, taskOffers.taskId))
    .where(
      and(
        eq(taskOffers.taskId, taskId),
        or(...WAYS_TO_FIT.map((wayToFit) => wayToFit(tables))),
        eq(observedTransfers.landed, true),
        isNull(observedTransfers.consumedBy),
      ),
    );
  const living = db
    .select({ id: payments.id })
    .from(purchases)
    .innerJoin(payments, and(eq(payments.id, purchases.paymentId), ne(payments.status, 'rejected')))
    .where(eq(purchases.orderId, taskOrderId(taskId)));
  const unpaid = and(eq(tasks.id, taskId), inArray(tasks.status, ['open', 'expired']));
  const [forgotten] = await db
    .delete(tasks)
    .where(and(unpaid, notExists(landing), notExists(living)))
    .returning();
  if (forgotten !== undefined) await releaseUnpaid(db, tables, forgotten.caller);
  const [left] = await db.select({ id: tasks.id }).from(tasks).where(unpaid);
  if (left === undefined) await db.delete(taskOffers).where(eq(taskOffers.taskId, taskId));
}

/** A signature has paid it: a transfer that comes as well explains nothing any more. */
async function notePaidBySignature(store: Store): Promise<void> {
  const { purchases, payments, tasks } = store.tables;
  const unpaid = await store.read
    .select({ id: tasks.id })
    .from(tasks)
    .where(inArray(tasks.status, ['open', 'expired']));
  for (let start = 0; start < unpaid.length; start += TASKS_MAX) {
    const orders = unpaid.slice(start, start + TASKS_MAX).map(({ id }) => taskOrderId(id));
    const paid = await store.read
      .select({ orderId: purchases.orderId, paymentId: payments.id })
      .from(purchases)
      .innerJoin(payments, and(eq(payments.id, purchases.paymentId), inArray(payments.status, ['settled', 'final'])))
      .where(inArray(purchases.orderId, orders));
    for (const { orderId, paymentId } of paid) {
      const task = unpaid.find(({ id }) => taskOrderId(id) === orderId);
      if (task !== undefined) await store.tx((db) => notePaid(db, store.tables, task.id, paymentId));
    }
  }
}

async function notePaid(db: Db, tables: Tables, taskId: string, paymentId: string): Promise<void> {
  const { tasks } = tables;
  const unpaid = and(eq(tasks.id, taskId), inArray(tasks.status, ['open', 'expired']));
  const [task] = await db.select({ caller: tasks.caller }).from(tasks).where(unpaid);
  if (task === undefined) return;
  // A retry under a new task shares the payment of the first one; `purchases` names it for both.
  const [earlier] = await db.select({ id: tasks.id }).from(tasks).where(eq(tasks.paymentId, paymentId));
  const own = earlier === undefined ? paymentId : null;
  await move(db, tasks, { where: eq(tasks.id, taskId), set: { status: 'paid', paymentId: own, caller: null } });
  await releaseUnpaid(db, tables, task.caller);
}
