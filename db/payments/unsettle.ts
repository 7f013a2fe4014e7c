import { eq, sql } from 'drizzle-orm';
import { inboundUndone } from '../../core/ledger.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { holdsAtLeast } from '../transfers/holdings.ts';
import type { Db } from '../store/store.ts';
import { stopSigningWithin } from '../store/stops.ts';
import type { Tables } from '../schema/tables.ts';
import type { PaymentRow } from './records/find.ts';
import { arrivedAt, hasFeeLeft, inboundEvent, readLines, type Landing } from './settle.ts';

/**
 * The block that settled it is gone: back to `settling`, and the entry is reversed. The answer stays. Where its money has
 * been spent by something that the books do not know, nothing can be reversed: it stays as it is, which stops signing
 * until it has landed again or an operator has looked, and the chain is read on.
 */
export async function unsettlePayment(
  db: Db,
  tables: Tables,
  payment: PaymentRow,
  landed: Pick<Landing, 'fact' | 'landing'>,
  nowMs: number,
): Promise<void> {
  const total = payment.sumMicroUsdc + payment.feeMicroUsdc;
  const place = { network: payment.network, address: arrivedAt(payment) };
  if (!(await holdsAtLeast(db, tables, place, total))) {
    const detail = `payment ${payment.id} was reorganised away, and its ${total} micro-USDC are spent`;
    const stop = { reason: 'books_behind_chain', network: payment.network, detail } as const;
    return stopSigningWithin(db, { tables }, stop, nowMs);
  }
  const moved = await move(db, tables.payments, {
    from: ['settled'],
    where: eq(tables.payments.id, payment.id),
    set: { status: 'settling', landedTransaction: null, landedBlock: null, nextTryAtMs: nowMs },
  });
  if (moved.length === 0) throw new Error(`payment ${payment.id} cannot be unsettled from ${payment.status}`);
  const lines = await readLines(db, payment.id);
  const feeLeft = await hasFeeLeft(db, tables, payment);
  await postEntry(db, tables, inboundUndone(inboundEvent(payment, lines, { ...landed, feeLeft })), nowMs);
  await db
    .update(tables.payerLoads)
    .set({ unsettled: sql`${tables.payerLoads.unsettled} + 1` })
    .where(eq(tables.payerLoads.payer, payment.payer));
}
