import { and, count, eq, gt, inArray, isNull, lt, min, ne, notExists, or, sql } from 'drizzle-orm';
import { taskOrderId } from '../../core/tasks.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { RefusedPayment } from '../tables/message-tasks.ts';

export type MessageTaskRow = Tables['messageTasks']['$inferSelect'];
export type NewMessageTask = Pick<
  MessageTaskRow,
  'id' | 'contextId' | 'skillId' | 'params' | 'openedBy' | 'createdAtMs' | 'expiresAtMs'
>;

/** A proof may be on its way while its task expires; the row stays until no caller can still be waiting. */
const KEPT_AFTER_EXPIRY_MS = 3_600_000;
/** Deleted with each new task: more than one, so that a burst is cleared some time after it came. */
const FORGOTTEN_MAX = 100;
/** The most refusals a payer is shown; further ones push the oldest out. */
const REFUSALS_MAX = 10;

/**
 * Opens a task, unless its caller has too many open ones: strangers can make us keep rows for nothing. Requests at the
 * same moment may exceed the limit, which is harmless.
 */
export async function openMessageTask(
  store: Store,
  task: NewMessageTask,
  openMax: number | null,
): Promise<{ kind: 'opened' } | { kind: 'too-many-open'; freeAtMs: number }> {
  const { messageTasks } = store.tables;
  return store.tx(async (db) => {
    await forgetExpired(db, store.tables, task.createdAtMs);
    if (openMax !== null) {
      const [open] = await db
        .select({ number: count(), freeAtMs: min(messageTasks.expiresAtMs) })
        .from(messageTasks)
        .where(
          and(
            eq(messageTasks.openedBy, task.openedBy),
            isNull(messageTasks.paymentId),
            gt(messageTasks.expiresAtMs, task.createdAtMs),
          ),
        );
      if (open !== undefined && open.number >= openMax) {
        return { kind: 'too-many-open', freeAtMs: open.freeAtMs ?? task.createdAtMs };
      }
    }
    await db.insert(messageTasks).values({ ...task, paymentId: null, refusals: [], canceledAtMs: null });
    return { kind: 'opened' };
  });
}

async function forgetExpired(db: Db, tables: Tables, nowMs: number): Promise<void> {
  const { messageTasks } = tables;
  const expired = db
    .select({ id: messageTasks.id })
    .from(messageTasks)
    .where(
      and(
        isNull(messageTasks.paymentId),
        lt(messageTasks.expiresAtMs, nowMs - KEPT_AFTER_EXPIRY_MS),
        isNotOrdered(db, tables),
      ),
    )
    .limit(FORGOTTEN_MAX);
  await db.delete(messageTasks).where(inArray(messageTasks.id, expired));
}

/** No payment has taken the task, or only ones that are dead. */
function isNotOrdered(db: Db, { messageTasks, purchases, payments }: Tables) {
  const living = db
    .select({ orderId: purchases.orderId })
    .from(purchases)
    .innerJoin(payments, eq(payments.id, purchases.paymentId))
    .where(and(eq(purchases.orderId, sql`${taskOrderId('')} || ${messageTasks.id}`), ne(payments.status, 'rejected')));
  return notExists(living);
}

/** The task and what pays for it: the payment that was accepted last, dead ones only when there is no other. */
export async function findMessageTask(
  store: Store,
  id: string,
): Promise<{ task: MessageTaskRow; payment: PaymentRow | null } | null> {
  const { messageTasks, purchases, payments } = store.tables;
  const [task] = await store.read.select().from(messageTasks).where(eq(messageTasks.id, id));
  if (!task) return null;
  const ordered = store.read
    .select({ id: purchases.paymentId })
    .from(purchases)
    .where(eq(purchases.orderId, taskOrderId(id)));
  const found = await store.read
    .select()
    .from(payments)
    .where(or(inArray(payments.id, ordered), task.paymentId === null ? undefined : eq(payments.id, task.paymentId)));
  const living = found.find(({ status }) => status !== 'rejected');
  return { task, payment: living ?? found[0] ?? null };
}

/** The payment that has taken the task; it may have paid for an earlier task of its payer, whose retry this one is. */
export async function paymentOfOrder(store: Store, taskId: string): Promise<string | null> {
  const { purchases } = store.tables;
  const [row] = await store.read
    .select({ paymentId: purchases.paymentId })
    .from(purchases)
    .where(eq(purchases.orderId, taskOrderId(taskId)));
  return row?.paymentId ?? null;
}

/** A caller about to pay must not lose the task meanwhile. */
export async function extendMessageTask(store: Store, id: string, expiresAtMs: number): Promise<void> {
  const { messageTasks } = store.tables;
  await store.tx((db) => db.update(messageTasks).set({ expiresAtMs }).where(eq(messageTasks.id, id)));
}

/**
 * Also replaces a dead payment: the one accepted last counts. The task is now kept for good and counts against no
 * limit, so its opener is erased.
 */
export async function keepPaymentOf(store: Store, id: string, paymentId: string): Promise<void> {
  const { messageTasks } = store.tables;
  await store.tx((db) => db.update(messageTasks).set({ paymentId, openedBy: '' }).where(eq(messageTasks.id, id)));
}

/** Adds a refused payment to the task's refusals; answers all of them, oldest first. */
export async function noteRefusal(store: Store, id: string, refusal: RefusedPayment): Promise<RefusedPayment[]> {
  const { messageTasks } = store.tables;
  return store.tx(async (db) => {
    const [row] = await db
      .select({ refusals: messageTasks.refusals })
      .from(messageTasks)
      .where(eq(messageTasks.id, id));
    const refusals = [...(row?.refusals ?? []), refusal].slice(-REFUSALS_MAX);
    await db.update(messageTasks).set({ refusals }).where(eq(messageTasks.id, id));
    return refusals;
  });
}

/** False when it is paid or being paid for. A payment that comes in at the same moment counts. */
export async function cancelMessageTask(store: Store, id: string, nowMs: number): Promise<boolean> {
  const { messageTasks } = store.tables;
  return store.tx(async (db) => {
    const canceled = await db
      .update(messageTasks)
      .set({ canceledAtMs: nowMs })
      .where(
        and(
          eq(messageTasks.id, id),
          isNull(messageTasks.paymentId),
          isNull(messageTasks.canceledAtMs),
          isNotOrdered(db, store.tables),
        ),
      )
      .returning({ id: messageTasks.id });
    return canceled.length > 0;
  });
}
