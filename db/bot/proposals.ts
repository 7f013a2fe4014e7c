import { and, asc, eq, gt, lte } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { OrderRow } from './orders.ts';

/** Why a proposed order ended without anybody having worked on it. */
export type ProposalEnd = 'cancelled' | 'card_expired';

type Who = { id: string; userId: string };

/**
 * The payer agrees to what he was shown. Of all presses one counts, and none that comes after a cancellation or too
 * late. From now on the order counts as new: it is as if he had typed it now.
 */
export async function confirmProposal(
  store: Store,
  { id, userId }: Who,
  { shownAfterMs, nowMs }: { shownAfterMs: number; nowMs: number },
): Promise<boolean> {
  const { orders } = store.tables;
  const isInTime = gt(orders.createdAtMs, shownAfterMs);
  const rows = await store.tx((db) =>
    db
      .update(orders)
      .set({ status: 'drafted', createdAtMs: nowMs })
      .where(and(eq(orders.id, id), eq(orders.userId, userId), eq(orders.status, 'proposed'), isInTime))
      .returning({ id: orders.id }),
  );
  return rows.length > 0;
}

/** Nothing comes of it. False when it was confirmed or has ended before. */
export async function endProposal(store: Store, { id, userId }: Who, failure: ProposalEnd): Promise<boolean> {
  const { orders } = store.tables;
  const rows = await store.tx((db) =>
    db
      .update(orders)
      .set({ status: 'failed', failure })
      .where(and(eq(orders.id, id), eq(orders.userId, userId), eq(orders.status, 'proposed')))
      .returning({ id: orders.id }),
  );
  return rows.length > 0;
}

/** Those that were shown at this time or before, and that nobody has answered. */
export async function staleProposals(store: Store, shownUntilMs: number, limit: number): Promise<OrderRow[]> {
  const { orders } = store.tables;
  return store.read
    .select()
    .from(orders)
    .where(and(eq(orders.status, 'proposed'), lte(orders.createdAtMs, shownUntilMs)))
    .orderBy(asc(orders.createdAtMs))
    .limit(limit);
}
