import { countEndedPayouts } from '../counts/ended.ts';
import { eq } from 'drizzle-orm';
import { walletOf } from '../identities/identities.ts';
import { uncount } from '../limits/release.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import { move } from '../store/move.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { floatCovers } from './float.ts';

/**
 * Whether a payout whose generation has just died, and whose reserve has been given back, may be reserved anew. Always,
 * on the network that its money came in on. On another one only while our own money there covers it, and while the
 * person has no wallet where the money is.
 */
export async function mayGoOn(db: Db, tables: Tables, payout: TransferRow, nowMs: number): Promise<boolean> {
  if (payout.crossFrom === null) return true;
  const { lines, payments } = tables;
  const [found] = await db
    .select({ status: payments.status, network: payments.network, identityId: lines.identityId })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(eq(lines.payoutId, payout.id));
  if (!found) throw new Error(`payout ${payout.id} crosses networks and pays no line`);
  // Its money is not there now: it cannot wait in escrow. The reserve that was given back a moment ago is enough for
  // the next, and nothing is sent for it meanwhile.
  if (found.status !== 'settled' && found.status !== 'final') return true;
  if ((await walletOf(db, tables, found, nowMs)) !== null) return false;
  const { treasuries } = await readPayoutSettings(db, tables);
  // It may have been planned for a treasury that was replaced since.
  const place = { network: payout.network, treasury: treasuries[payout.network] ?? payout.fromAddress };
  return floatCovers(db, tables, place, payout.amountMicroUsdc);
}

/** Ends a payout whose reserve has been given back; its line waits in escrow again, as if it had never been made. */
export async function returnToEscrow(
  db: Db,
  tables: Tables,
  payoutId: string,
  from: 'queued' | 'held' = 'queued',
): Promise<void> {
  const { lines, transfers } = tables;
  await uncount(db, tables, payoutId);
  const ended = await move(db, transfers, {
    from: [from],
    where: eq(transfers.id, payoutId),
    set: { status: 'void' },
  });
  await countEndedPayouts(db, { tables }, 'void', ended);
  const waiting = await move(db, lines, {
    from: ['paying'],
    where: eq(lines.payoutId, payoutId),
    set: { status: 'escrowed', payoutId: null },
  });
  if (ended.length !== 1 || waiting.length !== 1) {
    throw new Error(`payout ${payoutId} went back to ${waiting.length} lines, expected 1`);
  }
}
