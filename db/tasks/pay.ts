import { and, eq, isNull, lte, ne, sql } from 'drizzle-orm';
import { taskOrderId } from '../../core/tasks.ts';
import { ReservationRefused, identitiesOf, insertPayment, takePurchase } from '../payments/reserve.ts';
import type { NewLine, PaymentOrder } from '../payments/order.ts';
import { settlePayments, type SettleDependencies } from '../payments/settle.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { Fit, ObservedRow } from './fitting.ts';
import { releaseUnpaid } from './load.ts';
import type { TaskRow } from './open.ts';

export type TaskPayment = Fit & {
  paymentId: string;
  /** The treasury, which pays the recipients. */
  payTo: string;
  order: Pick<PaymentOrder, 'description' | 'meta' | 'payerReference'>;
  /** They sum to the price; an excess is added to the first. */
  lines: readonly NewLine[];
};

/**
 * `gone`: paid, taken or vanished meanwhile. `order-taken`: a signed payment has taken it. `too-many-resolving`: too
 * many names wait for their platform; it is tried again.
 */
export type PayTaskResult = 'paid' | 'gone' | 'order-taken' | 'too-many-resolving';

/** Ends the transaction with nothing kept. */
class Gone extends Error {}

/**
 * A transfer pays a task: one transaction takes the task, the transfer and the purchase, and writes and settles the
 * payment. Each is taken by a guarded statement, so under any race a transfer pays once and a task is paid once.
 */
export async function payTask(
  store: Store,
  payment: TaskPayment,
  settle: Omit<SettleDependencies, 'tables'>,
): Promise<PayTaskResult> {
  try {
    await store.tx((db) => payWithin(db, store, payment, settle));
    return 'paid';
  } catch (error) {
    if (error instanceof Gone) return 'gone';
    if (!(error instanceof ReservationRefused)) throw error;
    const { kind } = error.result;
    if (kind === 'order-taken' || kind === 'too-many-resolving') return kind;
    throw error;
  }
}

async function payWithin(
  db: Db,
  store: Store,
  payment: TaskPayment,
  settle: Omit<SettleDependencies, 'tables'>,
): Promise<void> {
  const { task, paymentId } = payment;
  const { tables } = store;
  await takeTask(db, tables, task, paymentId);
  const transfer = await takeTransfer(db, tables, payment.transfer, paymentId);
  const reservation = toReservation(payment, transfer, settle.nowMs);
  // In the order of a reservation, so that the two never wait for each other. Settling subtracts it again.
  await db
    .insert(tables.payerLoads)
    .values({ payer: reservation.payer, unsettled: 1 })
    .onConflictDoUpdate({
      target: tables.payerLoads.payer,
      set: { unsettled: sql`${tables.payerLoads.unsettled} + 1` },
    });
  const identityIds = await identitiesOf(db, tables, reservation);
  await takePurchase(db, tables, reservation);
  await insertPayment(db, store, reservation, identityIds);
  // No caller holds a connection for the answer: the caller polls the task.
  const [row] = await db
    .update(tables.payments)
    .set({ landedAddress: transfer.toAddress, delivery: 'handed' })
    .where(eq(tables.payments.id, paymentId))
    .returning();
  if (row === undefined) throw new Error(`payment ${paymentId} vanished within its own transaction`);
  const { fact, landings: landing, transaction, block } = transfer;
  const settling = { payment: row, landed: { fact, landing, transaction, block } };
  const settled = await settlePayments(db, { ...settle, tables }, [settling]);
  if (!settled.has(paymentId)) throw new Error(`payment ${paymentId} is new and was not settled`);
}

async function takeTask(db: Db, tables: Tables, task: TaskRow, paymentId: string): Promise<void> {
  const { tasks } = tables;
  // As it stands now: one that has expired since it was read counts against its caller no longer.
  const [now] = await db.select({ caller: tasks.caller }).from(tasks).where(eq(tasks.id, task.id));
  const taken = await move(db, tasks, {
    where: eq(tasks.id, task.id),
    set: { status: 'paid', paymentId, caller: null },
  });
  if (taken.length === 0) throw new Gone();
  await releaseUnpaid(db, tables, now?.caller ?? null);
}

async function takeTransfer(db: Db, tables: Tables, seen: ObservedRow, paymentId: string): Promise<ObservedRow> {
  const { scanCursors, observedTransfers } = tables;
  const safeBlock = db
    .select({ block: scanCursors.safeBlock })
    .from(scanCursors)
    .where(eq(scanCursors.network, seen.network));
  const [taken] = await db
    .update(observedTransfers)
    .set({ consumedBy: `payment:${paymentId}` })
    .where(
      and(
        eq(observedTransfers.fact, seen.fact),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.landings, seen.landings),
        eq(observedTransfers.returnWanted, false),
        isNull(observedTransfers.consumedBy),
        lte(observedTransfers.block, sql`(${safeBlock})`),
      ),
    )
    .returning();
  if (taken === undefined) throw new Gone();
  return taken;
}

function toReservation(
  { task, paymentId, payTo, order, lines }: TaskPayment,
  transfer: ObservedRow,
  nowMs: number,
): PaymentOrder {
  const extra = transfer.amountMicroUsdc - task.sumMicroUsdc - task.feeMicroUsdc;
  const [first, ...others] = lines;
  if (first === undefined || extra < 0n) throw new Error(`task ${task.id} cannot be paid by ${transfer.fact}`);
  return {
    ...order,
    paymentId,
    network: transfer.network,
    payer: transfer.fromAddress,
    payerAccount: null,
    // Stands in for a signed nonce: a fact is no nonce of any chain, and is unique.
    nonce: transfer.fact,
    payTo,
    validAfter: 0,
    validBefore: 0,
    signature: '',
    payloadHash: '',
    operation: task.operation,
    requestHash: task.requestHash,
    idempotencyKey: null,
    orderId: taskOrderId(task.id),
    sumMicroUsdc: task.sumMicroUsdc + extra,
    feeMicroUsdc: task.feeMicroUsdc,
    costMicroUsdc: 0n,
    costPrepaid: 0n,
    agentKnown: task.agentKnown,
    bound: true,
    landedBefore: true,
    lines: [{ ...first, amountMicroUsdc: first.amountMicroUsdc + extra }, ...others],
    resolved: true,
    nowMs,
    expiresAtMs: nowMs + task.claimTtlMs,
  };
}

/** Whether a payment that is not refused has this task already. */
export async function isOrderTaken(store: Store, taskId: string): Promise<boolean> {
  const { purchases, payments } = store.tables;
  const [row] = await store.read
    .select({ id: payments.id })
    .from(purchases)
    .innerJoin(payments, and(eq(payments.id, purchases.paymentId), ne(payments.status, 'rejected')))
    .where(eq(purchases.orderId, taskOrderId(taskId)));
  return row !== undefined;
}
