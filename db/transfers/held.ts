import type { Network } from '../../core/networks.ts';
import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import { move } from '../store/move.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';

/**
 * Payouts held for one of these reasons, whole recipients at a time, in the order of their addresses, so that each gets its turn.
 * `after` is the last address of the page before, '' to begin.
 */
export async function heldPayouts(
  store: Store,
  { network, reasons, after, limit }: { network: Network; reasons: readonly string[]; after: string; limit: number },
): Promise<TransferRow[]> {
  const { transfers } = store.tables;
  const rows = await store.read
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, 'held'),
        inArray(transfers.heldReason, [...reasons]),
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

/** It is still held, and for another reason by now. */
export async function renameHeld(store: Store, payoutId: string, reason: { from: string; to: string }): Promise<void> {
  if (reason.from === reason.to) return;
  const { transfers } = store.tables;
  const isIt = and(eq(transfers.id, payoutId), eq(transfers.status, 'held'), eq(transfers.heldReason, reason.from));
  await store.tx((db) => db.update(transfers).set({ heldReason: reason.to }).where(isIt));
}
