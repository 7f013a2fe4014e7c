import { and, desc, eq, notInArray, or, type SQL } from 'drizzle-orm';
import { PRIVATE_PLATFORMS } from '../../../core/claims/claims.ts';
import type { Store } from '../../store/store.ts';
import type { ReceiptRow } from './find.ts';

export type PaymentLookup = {
  txnId: number | null;
  attemptId: string | null;
  transactionHash: string | null;
  amount: bigint | null;
  recipients: readonly { platform: string; key: string }[] | null;
};

/**
 * Lines that fit every key given, newest first, at most two: one answers, two are ambiguous. Without its `txn_id`
 * no caller finds a recipient whose name is private, because hashes and amounts are public.
 */
export async function lookUpLines(store: Store, lookup: PaymentLookup): Promise<ReceiptRow[]> {
  const { lines, payments, transfers } = store.tables;
  const conditions: SQL[] = [];
  if (lookup.txnId === null) conditions.push(notInArray(lines.platform, [...PRIVATE_PLATFORMS]));
  else conditions.push(eq(lines.txnId, lookup.txnId));
  if (lookup.attemptId !== null) conditions.push(eq(lines.paymentId, lookup.attemptId));
  if (lookup.transactionHash !== null) conditions.push(eq(payments.landedTransaction, lookup.transactionHash));
  if (lookup.amount !== null) conditions.push(eq(lines.amountMicroUsdc, lookup.amount));
  if (lookup.recipients !== null) {
    const names = lookup.recipients.map(({ platform, key }) =>
      and(eq(lines.platform, platform), eq(lines.recipientKey, key)),
    );
    conditions.push(or(...names) ?? eq(lines.platform, ''));
  }
  return store.read
    .select({ line: lines, payment: payments, payout: transfers })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .leftJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(and(...conditions))
    .orderBy(desc(payments.createdAtMs))
    .limit(2);
}
