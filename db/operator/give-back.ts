import { and, eq } from 'drizzle-orm';
import { BEFORE_BOOKS } from '../../core/transfers/before-books.ts';
import type { TransferRow } from '../payments/records/find.ts';
import { refundWithin } from '../refunds/refund-line.ts';
import type { Db, Store } from '../store/store.ts';
import { returnToEscrow } from '../transfers/cross.ts';
import { giveBackExposure } from '../transfers/exposure.ts';
import { giveBackReserve, isSecond } from '../transfers/reserve.ts';
import { recordAction, type Command } from './actions.ts';
import { settledBeforeMs } from './reconcile.ts';

/** Why a held payout does not go back now, and nothing was changed. */
export type NotGivenBack = 'unknown' | 'no_line' | 'before_books' | 'paid_before' | 'unsettled' | 'may_land';
export type GivenBack = { kind: 'given_back'; txnId: number; amountMicroUsdc: bigint } | { kind: NotGivenBack };

/**
 * Owes a held payout's money to its payer again, because the operator says so. The payout ends in the same transaction, so
 * its line is paid or given back, whatever else is done at the same time. What goes back is a payout under the same id.
 */
export async function giveBackHeld(
  store: Store,
  payoutId: string,
  command: Command,
  nowMs: number,
): Promise<GivenBack> {
  const { tables } = store;
  const { transfers } = tables;
  return store.tx(async (db) => {
    const [payout] = await db
      .select()
      .from(transfers)
      .where(and(eq(transfers.id, payoutId), eq(transfers.status, 'held')));
    if (payout === undefined) return { kind: 'unknown' };
    if (payout.purpose !== 'payout') return { kind: 'no_line' };
    if (payout.heldReason === BEFORE_BOOKS) return { kind: 'before_books' };
    // Something may have left for it in the lost time of a restored database.
    // So it is with a second row for the same line, also where it has been let go once and is held for something else.
    if (payout.heldReason === 'paid_before' || isSecond(payoutId)) return { kind: 'paid_before' };
    const { txnId, isSettled } = await lineOf(db, store, payoutId);
    // While a reorganisation has undone the payment there is nothing to give back.
    if (!isSettled) return { kind: 'unsettled' };
    if (await mayLand(db, store, payout)) return { kind: 'may_land' };
    await giveBackReserve(db, tables, payout, nowMs);
    await returnToEscrow(db, tables, payoutId, 'held');
    await endExposure(db, store, payout);
    const result = await refundWithin(db, store, { txnId, from: ['escrowed'], reason: 'not_paid_out' }, nowMs);
    if (result !== 'refunded') throw new Error(`line ${txnId} of payout ${payoutId} is ${result}, expected refunded`);
    const { amountMicroUsdc } = payout;
    // The line has this payout no longer, so that its story knows it by the line.
    const noted = { ...command, arguments: [...command.arguments, String(txnId)] };
    await recordAction(db, tables, noted, { result: `gave back ${amountMicroUsdc} micro-USDC`, nowMs });
    return { kind: 'given_back', txnId, amountMicroUsdc };
  });
}

async function lineOf(db: Db, { tables: { lines, payments } }: Store, payoutId: string) {
  const [found] = await db
    .select({ txnId: lines.txnId, status: payments.status })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(lines.payoutId, payoutId), eq(lines.status, 'paying')));
  if (found === undefined) throw new Error(`payout ${payoutId} is held and pays no line`);
  return { txnId: found.txnId, isSettled: found.status === 'settled' || found.status === 'final' };
}

/** One that was signed before it was held was shown to a node: it goes back once what was signed can never land, and has not. */
async function mayLand(db: Db, { tables }: Store, { network, nonce, validBefore }: TransferRow): Promise<boolean> {
  if (nonce === null || validBefore === null) return false;
  const { observedTransfers: seen, scanCursors } = tables;
  const [cursor] = await db.select().from(scanCursors).where(eq(scanCursors.network, network));
  if (cursor === undefined || validBefore * 1_000 > settledBeforeMs(cursor)) return true;
  const isIt = and(eq(seen.network, network), eq(seen.nonce, nonce), eq(seen.outgoing, true), eq(seen.landed, true));
  const [landed] = await db.select({ fact: seen.fact }).from(seen).where(isIt).limit(1);
  return landed !== undefined;
}

async function endExposure(db: Db, store: Store, { id, exposed, network, amountMicroUsdc }: TransferRow) {
  const { transfers } = store.tables;
  if (!exposed) return;
  await db.update(transfers).set({ exposed: false }).where(eq(transfers.id, id));
  await giveBackExposure(db, store, network, amountMicroUsdc);
}
