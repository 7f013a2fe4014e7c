import { and, asc, eq, gt, lte } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { OrderRow } from './orders.ts';

/** Why a proposed order ended without anybody having worked on it. */
export type ProposalEnd = 'cancelled' | 'card_expired';

export type Who = { id: string; userId: string };
/** What was shown before that is too old now. */
export type Term = { shownAfterMs: number; nowMs: number };

/**
 * The payer agrees to what he was shown. Of all presses one counts, and none that comes after a cancellation or too
 * late. From now on the order counts as new: it is as if he had typed it now.
 */
export async function confirmProposal(store: Store, who: Who, term: Term): Promise<boolean> {
  return store.tx((db) => confirmWithin(db, store.tables, who, term));
}

/** For whom it is one step of a larger transaction. */
export async function confirmWithin(db: Db, tables: Tables, who: Who, term: Term): Promise<boolean> {
  const { orders } = tables;
  const rows = await db
    .update(orders)
    .set({ status: 'drafted', createdAtMs: term.nowMs })
    .where(isConfirmable(tables, who, term))
    .returning({ id: orders.id });
  return rows.length > 0;
}

/** The order that a press by its payer would confirm now; null where it would confirm nothing. */
export async function findConfirmable(db: Db, tables: Tables, who: Who, term: Term): Promise<OrderRow | null> {
  const [row] = await db
    .select()
    .from(tables.orders)
    .where(isConfirmable(tables, who, term));
  return row ?? null;
}

function isConfirmable({ orders }: Tables, { id, userId }: Who, { shownAfterMs }: Term) {
  const isInTime = gt(orders.createdAtMs, shownAfterMs);
  return and(eq(orders.id, id), eq(orders.userId, userId), eq(orders.status, 'proposed'), isInTime);
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
