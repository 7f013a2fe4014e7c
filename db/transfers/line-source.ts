import { eq } from 'drizzle-orm';
import { factOfReturn } from '../../core/ledger.ts';
import { signedFact } from '../../core/observed.ts';
import { REST_LINE, type TransferSource } from '../../core/transfers/source.ts';
import type { LineRow, PaymentRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db } from '../store/store.ts';

type Paid = Pick<PaymentRow, 'network' | 'payer' | 'nonce' | 'landedAddress'>;
type RefundRow = Tables['refunds']['$inferSelect'];

/** The money of a line. A payment by a plain transfer has that transfer's name in place of a nonce. */
export function sourceOfLine(payment: Paid, { position: line }: Pick<LineRow, 'position'>): TransferSource {
  const { network, payer, nonce, landedAddress } = payment;
  const fact = landedAddress === null ? signedFact(network, payer, nonce) : nonce;
  return { network: network, fact, line };
}

/** What a refund gives back: a line, or a transfer that pays for nothing. */
export async function sourceOfRefund(
  db: Db,
  { lines, lostInbounds, payments }: Tables,
  { id, txnId, network }: RefundRow,
): Promise<TransferSource> {
  if (txnId === null) return sourceOfReturn(db, lostInbounds, { network, fact: factOfReturn(id) });
  const [found] = await db
    .select({ line: lines, payment: payments })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(eq(lines.txnId, txnId));
  if (found === undefined) throw new Error(`refund ${id} names line ${txnId}, which does not exist`);
  return sourceOfLine(found.payment, found.line);
}

/** A whole transfer stands for its first line. Of one that is paid out in part, that name may have been used. */
async function sourceOfReturn(
  db: Db,
  lostInbounds: Tables['lostInbounds'],
  { network, fact }: Omit<TransferSource, 'line'>,
): Promise<TransferSource> {
  const [lost] = await db
    .select({ paid: lostInbounds.paidMicroUsdc })
    .from(lostInbounds)
    .where(eq(lostInbounds.fact, fact));
  return { network, fact, line: (lost?.paid ?? 0n) > 0n ? REST_LINE : 0 };
}
