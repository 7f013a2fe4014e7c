import { and, asc, eq, gt } from 'drizzle-orm';
import { move } from '../store/move.ts';
import type { PayoutRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';

/**
 * Payouts held for one reason, whole recipients at a time, in the order of their addresses, so that each gets its turn.
 * `after` is the last address of the page before, '' to begin.
 */
export async function heldPayouts(
  store: Store,
  { network, reason, after, limit }: { network: string; reason: string; after: string; limit: number },
): Promise<PayoutRow[]> {
  const { payouts } = store.tables;
  const rows = await store.read
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.network, network),
        eq(payouts.status, 'held'),
        eq(payouts.heldReason, reason),
        gt(payouts.toAddress, after),
      ),
    )
    .orderBy(asc(payouts.toAddress), asc(payouts.createdAtMs))
    .limit(limit);
  const last = rows.at(-1)?.toAddress;
  const whole = rows.filter(({ toAddress }) => toAddress !== last);
  // The last recipient may continue on the next page, unless it fills this one alone.
  return rows.length < limit || whole.length === 0 ? rows : whole;
}

/** Lets a payout go on whose reason to be kept back is gone. Its money stayed reserved all the while. */
export async function releaseHeld(store: Store, payoutId: string, reason: string, nowMs: number): Promise<boolean> {
  const { payouts } = store.tables;
  const moved = await store.tx((db) =>
    move(db, payouts, {
      from: ['held'],
      where: and(eq(payouts.id, payoutId), eq(payouts.heldReason, reason)),
      set: { status: 'queued', heldReason: null, nextTryAtMs: nowMs },
    }),
  );
  return moved.length > 0;
}
