import { and, asc, eq, gt, inArray, isNull, max, or } from 'drizzle-orm';
import { TASK_ENDPOINTS_MAX, type PushTarget } from '../../core/events/push.ts';
import { taskOrderId } from '../../core/tasks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { tellTask } from './tell.ts';

export type NewTaskEndpoint = {
  id: string;
  taskId: string;
  url: string;
  push: PushTarget;
  /** When the address answered a challenge. */
  consentAtMs: number;
  nowMs: number;
};

/** An endpoint of a task as its callers name it. */
export type TaskEndpoint = { url: string; push: PushTarget };

/** Of a task that a payment has ended: refused, or told that end. */
export type LateEndpoint = 'refused' | 'told its end';

/**
 * Another address for a task, or another in place of the one of the same name. `over`: nothing more would be told there,
 * and its caller must not wait for it.
 */
export async function addTaskEndpoint(
  { tx, tables }: Pick<Store, 'tx' | 'tables'>,
  endpoint: NewTaskEndpoint,
  late: LateEndpoint = 'refused',
): Promise<'added' | 'too-many' | 'over'> {
  return tx(async (db) => {
    const end = await endOf(db, tables, endpoint.taskId);
    const paid = end !== null && end.paymentId !== null && late === 'told its end' ? end.paymentId : null;
    if (end !== null && paid === null) return 'over';
    const known = await ofTask(db, tables, endpoint.taskId);
    const same = known.find(({ push }) => push?.configId === endpoint.push.configId);
    if (same === undefined && known.length >= TASK_ENDPOINTS_MAX) return 'too-many';
    if (same === undefined) await insertTaskEndpoint(db, tables, endpoint);
    else {
      const { url, push, consentAtMs } = endpoint;
      const { eventEndpoints } = tables;
      await db.update(eventEndpoints).set({ url, push, consentAtMs }).where(eq(eventEndpoints.id, same.id));
    }
    const { taskId, nowMs } = endpoint;
    // Those that were told are not told again.
    if (paid !== null) await tellTask(db, tables, { taskId, type: 'task_completed', paymentId: paid }, nowMs);
    return 'added';
  });
}

/** Part of the transaction that opens its task. */
export async function insertTaskEndpoint(
  db: Db,
  { eventEndpoints }: Tables,
  { nowMs, ...endpoint }: NewTaskEndpoint,
): Promise<void> {
  await db.insert(eventEndpoints).values({ ...endpoint, createdAtMs: nowMs });
}

/** Those that are told, oldest first. */
export async function taskEndpoints({ read, tables }: Store, taskId: string): Promise<TaskEndpoint[]> {
  const found = await ofTask(read, tables, taskId);
  return found.flatMap(({ url, push }) => (push === null ? [] : [{ url, push }]));
}

export async function removeTaskEndpoint(
  { tx, tables }: Pick<Store, 'tx' | 'tables'>,
  taskId: string,
  configId: string,
): Promise<void> {
  const { eventEndpoints } = tables;
  await tx(async (db) => {
    const found = await ofTask(db, tables, taskId);
    // What was on its way there ends with the next look of the worker.
    for (const { id } of found.filter(({ push }) => push?.configId === configId))
      await db.delete(eventEndpoints).where(eq(eventEndpoints.id, id));
  });
}

/** The address that opened a task; null for one that is gone. */
export async function openerOf({ read, tables: { messageTasks } }: Store, taskId: string): Promise<string | null> {
  const [task] = await read
    .select({ openedBy: messageTasks.openedBy })
    .from(messageTasks)
    .where(eq(messageTasks.id, taskId));
  return task?.openedBy ?? null;
}

/** When this address last agreed to be told of tasks, after that time; null where it has not, or wants no more since. */
export async function consentOf({ read, tables }: Store, url: string, sinceMs: number): Promise<number | null> {
  const { eventEndpoints: known } = tables;
  const [row] = await read
    .select({ atMs: max(known.consentAtMs) })
    .from(known)
    .where(and(eq(known.url, url), gt(known.consentAtMs, sinceMs), isNull(known.endedAtMs)));
  return row?.atMs ?? null;
}

/** Tasks are forgotten, and with them where they were told, and what. */
export async function forgetTaskEndpoints(
  db: Db,
  { eventEndpoints, eventDeliveries }: Tables,
  taskIds: readonly string[],
): Promise<void> {
  await db.delete(eventDeliveries).where(inArray(eventDeliveries.taskId, [...taskIds]));
  await db.delete(eventEndpoints).where(inArray(eventEndpoints.taskId, [...taskIds]));
}

function ofTask(db: Db, { eventEndpoints: known }: Tables, taskId: string) {
  return db
    .select({ id: known.id, url: known.url, push: known.push })
    .from(known)
    .where(and(eq(known.taskId, taskId), isNull(known.endedAtMs)))
    .orderBy(asc(known.createdAtMs), asc(known.id));
}

/**
 * Null while a task goes on; `paymentId`: what has paid it. In the transaction that adds an endpoint: else the last state
 * could come before it, and be told to nobody.
 */
async function endOf(
  db: Db,
  { messageTasks, purchases, payments }: Tables,
  taskId: string,
): Promise<{ paymentId: string | null } | null> {
  const [task] = await db
    .select({ paymentId: messageTasks.paymentId, canceledAtMs: messageTasks.canceledAtMs })
    .from(messageTasks)
    .where(eq(messageTasks.id, taskId));
  if (task === undefined) return { paymentId: null };
  const ordered = db
    .select({ id: purchases.paymentId })
    .from(purchases)
    .where(eq(purchases.orderId, taskOrderId(taskId)));
  const paying = await db
    .select({ id: payments.id, status: payments.status, answer: payments.answer })
    .from(payments)
    .where(or(inArray(payments.id, ordered), task.paymentId === null ? undefined : eq(payments.id, task.paymentId)));
  const paid = paying.find(({ answer }) => answer !== null);
  if (paid !== undefined) return { paymentId: paid.id };
  const isCanceled = task.canceledAtMs !== null && paying.every(({ status }) => status === 'rejected');
  return isCanceled ? { paymentId: null } : null;
}
