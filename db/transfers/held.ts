import { and, asc, eq, gt } from 'drizzle-orm';
import { move } from '../store/move.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';

/**
 * Payouts held for one reason, whole recipients at a time, in the order of their addresses, so that each gets its turn.
 * `after` is the last address of the page before, '' to begin.
 */
export async function heldPayouts(
  store: Store,
  { network, reason, after, limit }: { network: string; reason: string; after: string; limit: number },
): Promise<TransferRow[]> {
  const { transfers } = store.tables;
  const rows = await store.read
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, 'held'),
        eq(transfers.heldReason, reason),
        gt(transfers.toAddress, after),
      ),
    )
    .orderBy(asc(transfers.toAddress), asc(transfers.createdAtMs))
    .limit(limit);
  const last = rows.at(-1)?.toAddress;
  const whole = rows.filter(({ toAddress }) => toAddress !== last);
  // The last recipient may continue on the next page, unless it fills this one alone.
  return rows.length < limit || whole.length === 0 ? rows : whole;
}

/** Lets a payout go on whose reason to be kept back is gone. Its money stayed reserved all the while. */
export async function releaseHeld(store: Store, payoutId: string, reason: string, nowMs: number): Promise<boolean> {
  const { transfers } = store.tables;
  const moved = await store.tx((db) =>
    move(db, transfers, {
      from: ['held'],
      where: and(eq(transfers.id, payoutId), eq(transfers.heldReason, reason)),
      set: { status: 'queued', heldReason: null, nextTryAtMs: nowMs },
    }),
  );
  return moved.length > 0;
}
