import { and, eq } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { takeCooldown, type Pace } from '../communities/community-pace.ts';
import { insertOrder, type OrderDraft, type OrderRow } from './orders.ts';
import { confirmWithin, findConfirmable, type Term, type Who } from './proposals.ts';

/** Nothing has changed: the time after this person's last tip there is not over before that. */
export type TooSoon = { kind: 'too_soon'; endsAtMs: number };

/**
 * The order of this event, at the pace of its community. What the pace refuses leaves nothing, and the order that an
 * earlier delivery of the same event has left is not refused by the time that it has begun itself.
 */
export async function createPacedOrder(
  store: Store,
  draft: OrderDraft,
  pace: Pace,
): Promise<{ kind: 'created'; order: OrderRow } | TooSoon> {
  return store.tx(async (db) => {
    const { orders } = store.tables;
    const [known] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.transport, draft.transport), eq(orders.eventId, draft.eventId)));
    if (known) return { kind: 'created', order: known };
    const endsAtMs = await takeFor(db, store.tables, draft, pace);
    if (endsAtMs !== null) return { kind: 'too_soon', endsAtMs };
    return { kind: 'created', order: await insertOrder(db, store.tables, draft, 'drafted') };
  });
}

/** As `confirmProposal`. A card that comes too soon stays, so that it can be confirmed later. */
export async function confirmPacedProposal(
  store: Store,
  who: Who,
  term: Term,
  cooldownSeconds: number,
): Promise<{ kind: 'confirmed' | 'not_open' } | TooSoon> {
  return store.tx(async (db) => {
    const order = await findConfirmable(db, store.tables, who, term);
    if (order === null) return { kind: 'not_open' };
    const endsAtMs = await takeFor(db, store.tables, order, { cooldownSeconds, nowMs: term.nowMs });
    if (endsAtMs !== null) return { kind: 'too_soon', endsAtMs };
    await confirmWithin(db, store.tables, who, term);
    return { kind: 'confirmed' };
  });
}

type Tip = Pick<OrderDraft, 'transport' | 'communityId' | 'userId'>;

async function takeFor(db: Db, tables: Tables, { transport, communityId, userId }: Tip, pace: Pace) {
  return communityId ? takeCooldown(db, tables, { transport, communityId, userId }, pace) : null;
}
