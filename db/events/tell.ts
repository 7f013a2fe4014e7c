import { createHash } from 'node:crypto';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { GATHERING_MS, type PaymentEvent, type TaskEvent } from '../../core/events/events.ts';
import { taskOfOrder } from '../../core/tasks.ts';
import { enqueue } from '../store/outbox.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

type News = { paymentId: string; endpointId: string; type: PaymentEvent; txnIds: readonly number[] };

/** A payment has settled: one event for all its lines. Part of the transaction that settles it. */
export async function tellPayment(
  db: Db,
  tables: Tables,
  { id: paymentId, endpointId }: { id: string; endpointId: string | null },
  lines: readonly { txnId: number }[],
  nowMs: number,
): Promise<void> {
  if (endpointId === null) return;
  await tell(db, tables, { paymentId, endpointId, type: 'settled', txnIds: lines.map(({ txnId }) => txnId) }, nowMs);
}

/** What became of a payout, to the endpoints of those whose lines it carries. Part of the transaction that moves it. */
export async function tellPayout(
  db: Db,
  tables: Tables,
  payoutId: string,
  what: 'landed' | 'held',
  nowMs: number,
): Promise<void> {
  const news = new Map<string, News>();
  for (const { endpointId, paymentId, txnId, status } of await selectTold(db, { payoutId })) {
    if (endpointId === null) continue;
    const type = what === 'held' ? what : status === 'returning' ? 'returned' : 'collected';
    const known = news.get(`${paymentId} ${type}`);
    news.set(`${paymentId} ${type}`, { paymentId, endpointId, type, txnIds: [...(known?.txnIds ?? []), txnId] });
  }
  for (const each of news.values()) await tell(db, tables, each, nowMs);
}

const selectTold = prepare((db, { lines, payments }) =>
  db
    .select({
      endpointId: payments.endpointId,
      paymentId: payments.id,
      txnId: lines.txnId,
      status: lines.status,
    })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(lines.payoutId, placeholder('payoutId')), isNotNull(payments.endpointId)))
    .orderBy(lines.position),
);

/**
 * One delivery for a batch and state: what follows before it is sent is told with it. A line reaches a state once, so an
 * event that is there already is not told again; nor is anything to an endpoint that has ended.
 */
async function tell(db: Db, tables: Tables, news: News, nowMs: number): Promise<void> {
  if (await joinsOpen(db, tables, news)) return;
  const { eventEndpoints, eventDeliveries } = tables;
  const { endpointId, paymentId, type, txnIds } = news;
  const [endpoint] = await db
    .select({ endedAtMs: eventEndpoints.endedAtMs })
    .from(eventEndpoints)
    .where(eq(eventEndpoints.id, endpointId));
  if (endpoint === undefined || endpoint.endedAtMs !== null) return;
  // A payment settles as a whole; the lines of the others may follow.
  const isSealed = type === 'settled';
  const open = { isSealed, failures: 0, nextAtMs: isSealed ? nowMs : nowMs + GATHERING_MS };
  const [made] = await db
    .insert(eventDeliveries)
    .values({ id: nameOf(news), endpointId, paymentId, type, txnIds, atMs: nowMs, ...open })
    .onConflictDoNothing()
    .returning({ id: eventDeliveries.id });
  if (made !== undefined) await enqueue(db, tables, 'event_due', { deliveryId: made.id }, nowMs);
}

async function joinsOpen(db: Db, { eventDeliveries }: Tables, { paymentId, type, txnIds }: News): Promise<boolean> {
  const [open] = await db
    .select({ id: eventDeliveries.id, txnIds: eventDeliveries.txnIds })
    .from(eventDeliveries)
    .where(
      and(
        eq(eventDeliveries.paymentId, paymentId),
        eq(eventDeliveries.type, type),
        eq(eventDeliveries.isSealed, false),
      ),
    );
  if (open === undefined) return false;
  const all = [...new Set([...open.txnIds, ...txnIds])];
  await db
    .update(eventDeliveries)
    .set({ txnIds: all })
    .where(and(eq(eventDeliveries.id, open.id), eq(eventDeliveries.isSealed, false)));
  return true;
}

/** The same in a restored database, so that a receiver who knows the event knows it again. */
function nameOf({ paymentId, type, txnIds }: News): string {
  const hash = createHash('sha256')
    .update(`${paymentId}/${type}/${txnIds[0] ?? ''}`)
    .digest('base64url');
  return `msg_${hash.slice(0, 22)}`;
}

/** A task has reached a state, by a payment or without one. Part of the transaction that moves it; told once, however often said. */
export async function tellTask(
  db: Db,
  tables: Tables,
  { taskId, type, paymentId }: { taskId: string; type: TaskEvent; paymentId: string | null },
  nowMs: number,
): Promise<void> {
  const { eventDeliveries } = tables;
  for (const { endpointId } of await selectEndpoints(db, { taskId })) {
    const id = nameOfTask(endpointId, type, paymentId);
    const due = { isSealed: true, failures: 0, nextAtMs: nowMs };
    const [made] = await db
      .insert(eventDeliveries)
      .values({ id, endpointId, paymentId, taskId, type, txnIds: [], atMs: nowMs, ...due })
      .onConflictDoNothing()
      .returning({ id: eventDeliveries.id });
    if (made !== undefined) await enqueue(db, tables, 'event_due', { deliveryId: made.id }, nowMs);
  }
}

const selectEndpoints = prepare((db, { eventEndpoints }) =>
  db
    .select({ endpointId: eventEndpoints.id })
    .from(eventEndpoints)
    .where(and(eq(eventEndpoints.taskId, placeholder('taskId')), isNull(eventEndpoints.endedAtMs))),
);

/** The same for each task that this payment pays for. */
export async function tellTasksOf(
  db: Db,
  tables: Tables,
  { id: paymentId, operation }: { id: string; operation: string },
  type: TaskEvent,
  nowMs: number,
): Promise<void> {
  if (!operation.startsWith('a2a.')) return;
  const orders = await selectOrders(db, { paymentId });
  const kept = await selectKept(db, { paymentId });
  const named = [...orders.flatMap(({ orderId }) => taskOfOrder(orderId) ?? []), ...kept.map(({ taskId }) => taskId)];
  for (const taskId of new Set(named)) await tellTask(db, tables, { taskId, type, paymentId }, nowMs);
}

const selectOrders = prepare((db, { purchases }) =>
  db
    .select({ orderId: purchases.orderId })
    .from(purchases)
    .where(eq(purchases.paymentId, placeholder('paymentId'))),
);

const selectKept = prepare((db, { messageTasks }) =>
  db
    .select({ taskId: messageTasks.id })
    .from(messageTasks)
    .where(eq(messageTasks.paymentId, placeholder('paymentId'))),
);

function nameOfTask(endpointId: string, type: TaskEvent, paymentId: string | null): string {
  const hash = createHash('sha256')
    .update(`${endpointId}/${type}/${paymentId ?? ''}`)
    .digest('base64url');
  return `msg_${hash.slice(0, 22)}`;
}
