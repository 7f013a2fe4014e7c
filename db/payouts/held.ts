import { and, asc, eq } from 'drizzle-orm';
import type { PayoutRow } from '../payments/find.ts';
import type { Store } from '../store.ts';

/** Payouts that are kept back for one reason, oldest first. */
export async function heldPayouts(store: Store, network: string, reason: string, limit: number): Promise<PayoutRow[]> {
  const { payouts } = store.tables;
  return store.read
    .select()
    .from(payouts)
    .where(and(eq(payouts.network, network), eq(payouts.status, 'held'), eq(payouts.heldReason, reason)))
    .orderBy(asc(payouts.createdAtMs))
    .limit(limit);
}

/** Lets a payout go on whose reason to be kept back is gone. Its money stayed reserved all the while. */
export async function releaseHeld(store: Store, payoutId: string, reason: string, nowMs: number): Promise<boolean> {
  const { payouts } = store.tables;
  const moved = await store.tx((db) =>
    db
      .update(payouts)
      .set({ status: 'queued', heldReason: null, nextTryAtMs: nowMs })
      .where(and(eq(payouts.id, payoutId), eq(payouts.status, 'held'), eq(payouts.heldReason, reason)))
      .returning({ id: payouts.id }),
  );
  return moved.length > 0;
}
