import { eq, inArray } from 'drizzle-orm';
import type { Passage } from '../../core/failpoints.ts';
import type { PaymentState, TransferState } from '../../core/states.ts';
import type { Store } from '../store/store.ts';

/** A payment that something passing a point was part of. */
export type PassedPayment = {
  paymentId: string;
  status: PaymentState;
  settledAtMs: number | null;
  /** When the carrier that it came in was stored; null: none of ours. */
  sentAtMs: number | null;
};

/** Money of a payment on its way out, by the transfer that has it. */
export type PassedTransfer = { paymentId: string; transferId: string; status: TransferState; sentAtMs: number | null };

type Items<Name extends keyof Passage> = NonNullable<Passage[Name]>;

export async function passedPayments(store: Store, ids: Items<'payments'>): Promise<PassedPayment[]> {
  if (ids.length === 0) return [];
  const { payments, carriers } = store.tables;
  const { id: paymentId, status, settledAtMs } = payments;
  return store.read
    .select({ paymentId, status, settledAtMs, sentAtMs: carriers.createdAtMs })
    .from(payments)
    .leftJoin(carriers, eq(carriers.id, payments.carrierId))
    .where(inArray(payments.id, [...ids]));
}

/** A payout has lines, a refund may have several payments; other transfers have neither. */
export async function passedTransfers(store: Store, ids: Items<'transfers'>): Promise<PassedTransfer[]> {
  if (ids.length === 0) return [];
  const { lines, refunds, transfers, carriers } = store.tables;
  const moved = { transferId: transfers.id, status: transfers.status, sentAtMs: carriers.createdAtMs };
  const [ofLines, ofRefunds] = await Promise.all([
    store.read
      .select({ paymentId: lines.paymentId, ...moved })
      .from(lines)
      .innerJoin(transfers, eq(transfers.id, lines.payoutId))
      .leftJoin(carriers, eq(carriers.id, transfers.carrierId))
      .where(inArray(lines.payoutId, [...ids])),
    store.read
      .select({ paymentId: refunds.paymentId, ...moved })
      .from(refunds)
      .innerJoin(transfers, eq(transfers.id, refunds.payoutId))
      .leftJoin(carriers, eq(carriers.id, transfers.carrierId))
      .where(inArray(refunds.payoutId, [...ids])),
  ]);
  return [...ofLines, ...ofRefunds].flatMap(({ paymentId, ...rest }) =>
    paymentId === null ? [] : { paymentId, ...rest },
  );
}

export async function paymentsOfLines(store: Store, txnIds: Items<'lines'>): Promise<string[]> {
  if (txnIds.length === 0) return [];
  const { lines } = store.tables;
  const rows = await store.read
    .selectDistinct({ paymentId: lines.paymentId })
    .from(lines)
    .where(inArray(lines.txnId, [...txnIds]));
  return rows.map(({ paymentId }) => paymentId);
}
