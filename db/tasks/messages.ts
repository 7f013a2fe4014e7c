import { and, count, desc, eq, gt, inArray, isNull, lt, min, ne, notExists, or, sql } from 'drizzle-orm';
import type { TaskEvent } from '../../core/events/events.ts';
import { taskOrderId } from '../../core/tasks.ts';
import { tellTask } from '../events/tell.ts';
import { forgetTaskEndpoints, insertTaskEndpoint, type NewTaskEndpoint } from '../events/task-endpoints.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { RefusedPayment } from '../tables/message-tasks.ts';

export type MessageTaskRow = Tables['messageTasks']['$inferSelect'];
export type NewMessageTask = Pick<
  MessageTaskRow,
  'id' | 'contextId' | 'isOurContext' | 'skillId' | 'params' | 'openedBy' | 'createdAtMs' | 'expiresAtMs'
>;

/** A proof may be on its way while its task expires; the row stays until no caller can still be waiting. */
const KEPT_AFTER_EXPIRY_MS = 3_600_000;
/** Deleted with each new task: more than one, so that a burst is cleared some time after it came. */
const FORGOTTEN_MAX = 100;
/** The most refusals a payer is shown; further ones push the oldest out. */
const REFUSALS_MAX = 10;

/**
 * Opens a task, unless its caller has too many open ones: strangers can make us keep rows for nothing. Requests at the
 * same moment may exceed the limit, which is harmless. A task of a context of ours makes the next one there ours too.
 */
export async function openMessageTask(
  store: Store,
  task: NewMessageTask,
  openMax: number | null,
  endpoint: NewTaskEndpoint | null = null,
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
    const isOurContext = task.isOurContext || (await isOurs(db, store.tables, task.contextId));
    await db
      .insert(messageTasks)
      .values({ ...task, isOurContext, paymentId: null, generation: null, refusals: [], canceledAtMs: null });
    if (endpoint !== null) await insertTaskEndpoint(db, store.tables, endpoint);
    return { kind: 'opened' };
  });
}

async function isOurs(db: Db, { messageTasks }: Tables, contextId: string): Promise<boolean> {
  const ours = and(eq(messageTasks.contextId, contextId), eq(messageTasks.isOurContext, true));
  return (await db.select({ id: messageTasks.id }).from(messageTasks).where(ours).limit(1)).length > 0;
}

async function forgetExpired(db: Db, tables: Tables, nowMs: number): Promise<void> {
  const { messageTasks } = tables;
  const expired = await db
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
  if (expired.length === 0) return;
  const ids = expired.map(({ id }) => id);
  await db.delete(messageTasks).where(inArray(messageTasks.id, ids));
  await forgetTaskEndpoints(db, tables, ids);
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

type TaskStanding = Pick<MessageTaskRow, 'id' | 'isOurContext' | 'paymentId' | 'canceledAtMs' | 'createdAtMs'>;
type PaymentStanding = Pick<PaymentRow, 'id' | 'status' | 'settledAtMs' | 'createdAtMs'> & { isAnswered: boolean };

/**
 * The newest tasks of a context, each with what pays for it as in `findMessageTask`, without params and answers, which may be
 * large. The same for all of them at once: a fixed number of statements, whatever their number.
 */
export async function messageTasksOf(
  store: Store,
  contextId: string,
  most: number,
): Promise<{ task: TaskStanding; payment: PaymentStanding | null }[]> {
  const { messageTasks, purchases, payments } = store.tables;
  const { id, isOurContext, paymentId, canceledAtMs, createdAtMs } = messageTasks;
  const tasks = await store.read
    .select({ id, isOurContext, paymentId, canceledAtMs, createdAtMs })
    .from(messageTasks)
    .where(eq(messageTasks.contextId, contextId))
    .orderBy(desc(createdAtMs), desc(id))
    .limit(most);
  if (tasks.length === 0) return [];
  const orders = tasks.map((task) => taskOrderId(task.id));
  const standing = {
    id: payments.id,
    status: payments.status,
    settledAtMs: payments.settledAtMs,
    createdAtMs: payments.createdAtMs,
    answered: sql<number>`case when ${payments.answer} is null then 0 else 1 end`,
  };
  const ordered = await store.read
    .select({ ...standing, orderId: purchases.orderId })
    .from(purchases)
    .innerJoin(payments, eq(payments.id, purchases.paymentId))
    .where(inArray(purchases.orderId, orders));
  const named = tasks.flatMap((task) => task.paymentId ?? []);
  const kept =
    named.length === 0 ? [] : await store.read.select(standing).from(payments).where(inArray(payments.id, named));
  return tasks.map((task) => {
    const found = [
      ...ordered.filter(({ orderId }) => orderId === taskOrderId(task.id)),
      ...kept.filter((payment) => payment.id === task.paymentId),
    ];
    const payment = found.find(({ status }) => status !== 'rejected') ?? found[0];
    return { task, payment: payment === undefined ? null : { ...payment, isAnswered: payment.answered === 1 } };
  });
}

/** Those of a page, whole, in its order; `payment` as `messageTasksOf` found it. */
export async function wholeTasks(
  store: Store,
  page: readonly { task: Pick<MessageTaskRow, 'id'>; payment: Pick<PaymentRow, 'id'> | null }[],
): Promise<{ task: MessageTaskRow; payment: PaymentRow | null }[]> {
  const { messageTasks, payments } = store.tables;
  const ids = page.map(({ task }) => task.id);
  const paid = page.flatMap(({ payment }) => payment?.id ?? []);
  const [rows, money] = await Promise.all([
    ids.length === 0 ? [] : store.read.select().from(messageTasks).where(inArray(messageTasks.id, ids)),
    paid.length === 0 ? [] : store.read.select().from(payments).where(inArray(payments.id, paid)),
  ]);
  return page.flatMap(({ task, payment }) => {
    const row = rows.find(({ id }) => id === task.id);
    return row === undefined ? [] : [{ task: row, payment: money.find(({ id }) => id === payment?.id) ?? null }];
  });
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

/**
 * Says anew what a task is that only asks so far, under `skillId`. False where it is none any more: it was called off, or
 * another message was quicker; what is priced never changes.
 */
export async function restateMessageTask(
  store: Store,
  { id, skillId }: Pick<MessageTaskRow, 'id' | 'skillId'>,
  stated: Pick<MessageTaskRow, 'skillId' | 'params' | 'expiresAtMs'>,
): Promise<boolean> {
  const { messageTasks } = store.tables;
  const isAsking = and(
    eq(messageTasks.id, id),
    eq(messageTasks.skillId, skillId),
    isNull(messageTasks.paymentId),
    isNull(messageTasks.canceledAtMs),
  );
  const restated = await store.tx((db) =>
    db.update(messageTasks).set(stated).where(isAsking).returning({ id: messageTasks.id }),
  );
  return restated.length > 0;
}

/** A caller about to pay must not lose the task meanwhile. */
export async function extendMessageTask(store: Store, id: string, expiresAtMs: number): Promise<void> {
  const { messageTasks } = store.tables;
  await store.tx((db) => db.update(messageTasks).set({ expiresAtMs }).where(eq(messageTasks.id, id)));
}

/**
 * Also replaces a dead payment: the one accepted last counts. The task is now kept for good and counts against no
 * limit, so its opener is erased. A payment that was there already has moved the task just now.
 */
export async function keepPaymentOf(
  store: Store,
  id: string,
  { paymentId, generation, nowMs }: { paymentId: string; generation: 1 | 2; nowMs: number },
): Promise<void> {
  const { messageTasks, payments } = store.tables;
  await store.tx(async (db) => {
    await db.update(messageTasks).set({ paymentId, generation, openedBy: '' }).where(eq(messageTasks.id, id));
    const [payment] = await db
      .select({ status: payments.status, answer: payments.answer })
      .from(payments)
      .where(eq(payments.id, paymentId));
    if (payment !== undefined)
      await tellTask(db, store.tables, { taskId: id, type: newsOf(payment), paymentId }, nowMs);
  });
}

function newsOf({ status, answer }: Pick<PaymentRow, 'status' | 'answer'>): TaskEvent {
  if (answer !== null) return 'task_completed';
  return status === 'rejected' ? 'task_input_required' : 'task_working';
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
    if (canceled.length === 0) return false;
    await tellTask(db, store.tables, { taskId: id, type: 'task_canceled', paymentId: null }, nowMs);
    return true;
  });
}
