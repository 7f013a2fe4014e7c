import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { OrderRow } from './orders.ts';

/** Why a proposed order ended before it was confirmed. */
export type ProposalEnd = 'cancelled' | 'card_expired';

export type Who = { id: string; userId: string };
/** Orders shown before `shownAfterMs` are too old to confirm. */
export type Term = { shownAfterMs: number; nowMs: number };

/**
 * The payer confirms the order as shown. Only one press counts, and none after a cancellation or too late. The order
 * then counts as new, as if it were typed now.
 */
export async function confirmProposal(store: Store, who: Who, term: Term): Promise<boolean> {
  return store.tx((db) => confirmWithin(db, store.tables, who, term));
}

/** The same inside the caller's transaction. */
export async function confirmWithin(db: Db, tables: Tables, who: Who, term: Term): Promise<boolean> {
  const { orders } = tables;
  const moved = await move(db, orders, {
    from: ['proposed'],
    where: isConfirmable(tables, who, term),
    set: { status: 'drafted', createdAtMs: term.nowMs },
  });
  return moved.length > 0;
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

/** Ends it unpaid. False when it was confirmed or has ended before. */
export async function endProposal(store: Store, { id, userId }: Who, failure: ProposalEnd): Promise<boolean> {
  const { orders } = store.tables;
  const moved = await store.tx((db) =>
    move(db, orders, {
      from: ['proposed'],
      where: and(eq(orders.id, id), eq(orders.userId, userId)),
      set: { status: 'failed', failure },
    }),
  );
  return moved.length > 0;
}

/** Those shown at this time or before and not answered yet. */
export async function staleProposals(store: Store, shownUntilMs: number, limit: number): Promise<OrderRow[]> {
  const { orders } = store.tables;
  return store.read
    .select()
    .from(orders)
    .where(and(eq(orders.status, 'proposed'), lte(orders.createdAtMs, shownUntilMs)))
    .orderBy(asc(orders.createdAtMs))
    .limit(limit);
}
