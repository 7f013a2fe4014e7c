import { and, eq, gt, inArray, lte, ne, not, type SQL } from 'drizzle-orm';
import { accounts, refundDue } from '../../core/ledger.ts';
import { findPlatform, type Platform } from '../../core/platforms/platforms.ts';
import type { ReturnReason } from '../../core/states.ts';
import { isBeingCollected } from '../payments/records/waiting-lines.ts';
import { move } from '../store/move.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { postEntry } from '../ledger/ledger.ts';
import { enqueue } from '../store/outbox.ts';
import type { LineRow, PaymentRow } from '../payments/records/find.ts';
import { endLookup } from '../identities/lookups.ts';
import type { Db, Store } from '../store/store.ts';

export type RefundResult = 'refunded' | 'not-waiting';

/**
 * Takes an uncollected or unresolved line out of escrow and owes it to the payer again, in one transaction. Only a
 * waiting line of a settled payment qualifies; one already on its way back does not change. A line its recipient is
 * about to collect is not touched until that claim is over.
 */
export async function refundLine(
  store: Store,
  txnId: number,
  nowMs: number,
  reason: ReturnReason | null = null,
): Promise<RefundResult | 'being-collected'> {
  const { lines } = store.tables;
  const from = ['escrowed', 'resolving'] as const;
  return store.tx(async (db) => {
    const collected = and(eq(lines.txnId, txnId), isBeingCollected(store.tables, nowMs));
    const [wanted] = await db.select({ txnId: lines.txnId }).from(lines).where(collected);
    if (wanted !== undefined) return 'being-collected';
    return refundWithin(db, store, { txnId, from, reason }, nowMs);
  });
}

export type Refund = {
  txnId: number;
  /** A line that is in another state by now is not touched. */
  from: readonly ('escrowed' | 'resolving')[];
  reason: ReturnReason | null;
};

/** The same inside the caller's transaction. */
export async function refundWithin(
  db: Db,
  store: Store,
  { txnId, from, reason }: Refund,
  nowMs: number,
): Promise<RefundResult> {
  const { lines, payments } = store.tables;
  const [found] = await db
    .select({ line: lines, payment: payments })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(eq(lines.txnId, txnId));
  if (found?.line.status === 'returning') return 'refunded';
  // While a reorganisation has undone the payment there is nothing to return.
  if (!found || !['settled', 'final'].includes(found.payment.status)) return 'not-waiting';
  const moved = await move(db, lines, {
    from,
    where: eq(lines.txnId, txnId),
    // A line declined with too many others to go back at once has its reason already.
    set: { status: 'returning', ...(reason === null ? {} : { returnReason: reason }) },
  });
  if (moved.length === 0) return 'not-waiting';
  await endLookup(db, store.tables, txnId);
  await owe(db, store, found.line, found.payment, nowMs);
  return 'refunded';
}

async function owe(db: Db, store: Store, line: LineRow, payment: PaymentRow, nowMs: number): Promise<void> {
  const network = payment.network;
  const fee = await returnedFee(db, store, line, payment);
  const payee = await payeeOf(db, store, payment);
  const account = accounts.refundDue(network, payerAccountId(payee.payer));
  const entry = refundDue({
    network,
    paymentId: payment.id,
    txnId: line.txnId,
    identityId: line.identityId,
    account,
    amount: line.amountMicroUsdc,
    fee,
  });
  await postEntry(db, store.tables, entry, nowMs);
  await db.insert(store.tables.refunds).values({
    id: entry.cause,
    network,
    ...payee,
    account,
    fromAddress: payment.payTo,
    amountMicroUsdc: line.amountMicroUsdc + fee,
    paymentId: payment.id,
    txnId: line.txnId,
    createdAtMs: nowMs,
  });
  await enqueue(db, store.tables, 'refund_owed', { refundId: entry.cause }, nowMs);
}

/**
 * A payer known only by a transfer may be an exchange, which cannot tell whose money comes back. So the refund goes to
 * the task's refund address, or waits for the operator.
 */
async function payeeOf(db: Db, store: Store, payment: PaymentRow) {
  const { network, payer, payerAccount, landedAddress } = payment;
  if (landedAddress === null) return { payer, payerAccount, heldReason: null };
  const { tasks } = store.tables;
  const [task] = await db
    .select({ refundAddresses: tasks.refundAddresses })
    .from(tasks)
    .where(eq(tasks.paymentId, payment.id));
  const given = task?.refundAddresses.find((one) => one.network === network);
  if (given) return { payer: given.address, payerAccount: null, heldReason: null };
  return { payer, payerAccount, heldReason: 'refund_address_unknown' };
}

/**
 * The fee goes back with the last line, if all of them came back. A payout that returned to escrow was never made. What
 * paid for the settlement has been spent on it: otherwise paying and taking back would cost us gas without end.
 */
async function returnedFee(db: Db, store: Store, line: LineRow, payment: PaymentRow): Promise<bigint> {
  const fee = payment.feeMicroUsdc - payment.costMicroUsdc;
  if (fee === 0n) return 0n;
  const { lines } = store.tables;
  const [other] = await db
    .select({ txnId: lines.txnId })
    .from(lines)
    .where(and(eq(lines.paymentId, payment.id), ne(lines.txnId, line.txnId), ne(lines.status, 'returning')))
    .limit(1);
  return other ? 0n : fee;
}

/** Lines that were not collected in time and are not being collected now. */
export async function expiredLines(store: Store, nowMs: number, limit: number): Promise<number[]> {
  return linesToReturn(store, lte(store.tables.lines.expiresAtMs, nowMs), nowMs, limit);
}

/** The same of all that wait, whenever their time ends. */
export async function allWaitingLines(store: Store, nowMs: number, limit: number): Promise<number[]> {
  return linesToReturn(store, undefined, nowMs, limit);
}

async function linesToReturn(store: Store, isMeant: SQL | undefined, nowMs: number, limit: number): Promise<number[]> {
  const { lines, payments } = store.tables;
  const rows = await store.read
    .select({ txnId: lines.txnId })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        eq(lines.status, 'escrowed'),
        isMeant,
        inArray(payments.status, ['settled', 'final']),
        not(isBeingCollected(store.tables, nowMs)),
      ),
    )
    .limit(limit);
  return rows.map(({ txnId }) => txnId);
}

/** What waits for people of these platforms, in the order of the lines. */
export async function linesWaitingOn(
  store: Store,
  platforms: readonly Platform[],
  { afterTxnId, limit }: { afterTxnId: number; limit: number },
): Promise<{ txnId: number; platform: Platform; key: string }[]> {
  const { lines, identities } = store.tables;
  const rows = await store.read
    .select({ txnId: lines.txnId, platform: identities.platform, key: identities.key })
    .from(lines)
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .where(and(eq(lines.status, 'escrowed'), inArray(identities.platform, [...platforms]), gt(lines.txnId, afterTxnId)))
    .orderBy(lines.txnId)
    .limit(limit);
  return rows.flatMap(({ platform: name, ...row }) => {
    const platform = findPlatform(name);
    return platform === null ? [] : [{ ...row, platform }];
  });
}
