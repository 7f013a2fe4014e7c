import { and, asc, count, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import { isSamePerson, payeesAmong, type DropEnd } from '../../core/drops/drops.ts';
import type { Community } from '../communities/community-settings.ts';
import type { Tables } from '../schema/tables.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { insertOrder, type OrderDraft, type OrderRow } from '../tips/orders.ts';

export type Drop = Tables['drops']['$inferSelect'];
export type DropTaker = Tables['dropTakers']['$inferSelect'];
export type NewDrop = Omit<
  Drop,
  'status' | 'endReason' | 'orderId' | 'messageId' | 'nextLookAtMs' | 'isOneEnough' | 'isLone'
>;

/** Shares can be asked for, or the giver has not paid it yet. */
const WAITING = ['open', 'closed'] as const;
const isWaiting = (drop: Drop | undefined): boolean => WAITING.some((status) => status === drop?.status);

/** The drop of this event; null where the giver, or the treasury, has another one there: nobody mixes up two lists. */
export async function openDrop(store: Store, wanted: NewDrop): Promise<Drop | null> {
  const { drops: table } = store.tables;
  return store.tx(async (db) => {
    const [known] = await db.select().from(table).where(eq(table.eventKey, wanted.eventKey));
    if (known) return known;
    if ((await waitingOf(db, store.tables, wanted)) !== null) return null;
    const [row] = await db
      .insert(table)
      .values({ ...wanted, status: 'open', nextLookAtMs: wanted.closesAtMs })
      .onConflictDoNothing()
      .returning();
    if (row) return row;
    // Another delivery of the same event was first.
    const [first] = await db.select().from(table).where(eq(table.eventKey, wanted.eventKey));
    if (!first) throw new Error(`the drop ${wanted.id} was not written`);
    return first;
  });
}

/** `walletId`: the treasury, whichever member asked for it. */
type Giver = Community & { giverId: string; walletId: string | null };

async function waitingOf(
  db: Db,
  { drops: table }: Tables,
  { transport, communityId, giverId, walletId }: Giver,
): Promise<Drop | null> {
  const isPlace = and(eq(table.transport, transport), eq(table.communityId, communityId));
  const isOf =
    walletId === null ? and(eq(table.giverId, giverId), isNull(table.walletId)) : eq(table.walletId, walletId);
  const isTheirs = and(isPlace, isOf);
  const [row] = await db
    .select()
    .from(table)
    .where(and(isTheirs, inArray(table.status, [...WAITING])));
  return row ?? null;
}

/** The one of this giver, or of the treasury, that shares can be asked for, or that waits to be paid. */
export function findWaitingDrop(store: Store, giver: Giver): Promise<Drop | null> {
  return waitingOf(store.read, store.tables, giver);
}

export async function findDrop(store: Store, id: string): Promise<Drop | null> {
  const { drops: table } = store.tables;
  const [row] = await store.read.select().from(table).where(eq(table.id, id));
  return row ?? null;
}

export async function noteDropMessage(store: Store, id: string, messageId: string): Promise<void> {
  const { drops: table } = store.tables;
  await store.tx((db) => db.update(table).set({ messageId }).where(eq(table.id, id)));
}

export function takersOf(store: Store, dropId: string): Promise<DropTaker[]> {
  return takersIn(store.read, store.tables, dropId);
}

export async function takersIn(db: Db, { dropTakers: table }: Tables, dropId: string): Promise<DropTaker[]> {
  return db.select().from(table).where(eq(table.dropId, dropId)).orderBy(asc(table.position));
}

export type Taken = 'taken' | 'again' | 'other_name' | 'full' | 'over';

/** One share for each person, whatever the names, and no more than there are: decided in the transaction that writes it. */
export async function takeShare(
  store: Store,
  { dropId, userId, names, nowMs }: { dropId: string; userId: string; names: readonly string[]; nowMs: number },
): Promise<Taken> {
  const { drops, dropTakers } = store.tables;
  return store.tx(async (db) => {
    // Written, so that of two presses at once the second one sees the first.
    const isIt = eq(drops.id, dropId);
    const [drop] = await db
      .update(drops)
      .set({ nextLookAtMs: sql`${drops.nextLookAtMs}` })
      .where(isIt)
      .returning();
    const takers = await takersIn(db, store.tables, dropId);
    const own = takers.find((taker) => taker.userId === userId);
    const others = takers.filter((taker) => taker !== own);
    if (own?.isStruck === false && isWaiting(drop)) return 'again';
    if (drop?.status !== 'open' || drop.closesAtMs <= nowMs) return 'over';
    if (others.some((taker) => isSamePerson(taker, { userId, names }))) return 'other_name';
    const given = { names: [...names], isStruck: false };
    // The person was erased meanwhile, and asks anew; their place was kept.
    const isOwn = and(eq(dropTakers.dropId, dropId), eq(dropTakers.userId, userId));
    if (own !== undefined)
      return db
        .update(dropTakers)
        .set(given)
        .where(isOwn)
        .then(() => 'taken' as const);
    if (takers.length >= drop.people) return 'full';
    await db.insert(dropTakers).values({ dropId, userId, position: takers.length, ...given });
    return 'taken';
  });
}

/** Only while the giver looks at the list. How many of them were struck; null where it is paid or over. */
export async function strikeTakers(
  store: Store,
  { id, userIds, nowMs }: { id: string; userIds: readonly string[]; nowMs: number },
): Promise<number | null> {
  const { dropTakers, dropConfirmations } = store.tables;
  return store.tx(async (db) => {
    if ((await listedWithin(db, store.tables, id, nowMs)) === null) return null;
    // Another list than the one that was confirmed.
    await db.delete(dropConfirmations).where(eq(dropConfirmations.dropId, id));
    const isMeant = and(eq(dropTakers.dropId, id), inArray(dropTakers.userId, [...userIds]));
    const struck = await db
      .update(dropTakers)
      .set({ isStruck: true })
      .where(isMeant)
      .returning({ userId: dropTakers.userId });
    return struck.length;
  });
}

export async function listedWithin(db: Db, { drops: table }: Tables, id: string, nowMs: number): Promise<Drop | null> {
  const isListed = and(eq(table.id, id), eq(table.status, 'closed'), gt(table.endsAtMs, nowMs));
  // Written, so that of a strike and a payment at once one comes after the other.
  const [row] = await db.update(table).set({ nextLookAtMs: nowMs }).where(isListed).returning();
  return row ?? null;
}

/** Its time is over: from now on the giver looks at the list, where there is one. */
export async function closeDrop(store: Store, id: string, nowMs: number): Promise<void> {
  const { drops: table, dropTakers } = store.tables;
  await store.tx(async (db) => {
    const isDue = and(eq(table.id, id), lte(table.closesAtMs, nowMs));
    const [row] = await db.select({ takers: count() }).from(dropTakers).where(eq(dropTakers.dropId, id));
    if ((row?.takers ?? 0) > 0) return move(db, table, { where: isDue, set: { status: 'closed' } });
    return move(db, table, { from: ['open'], where: isDue, set: { status: 'ended', endReason: 'nobody' } });
  });
}

/** False where it is paid already, or over. */
export async function endDrop(
  store: Store,
  id: string,
  { reason, nowMs }: { reason: DropEnd; nowMs: number },
): Promise<boolean> {
  const { drops: table } = store.tables;
  const isDue = reason === 'lapsed' ? lte(table.endsAtMs, nowMs) : undefined;
  const set = { status: 'ended', endReason: reason, nextLookAtMs: nowMs } as const;
  const moved = await store.tx((db) => move(db, table, { where: and(eq(table.id, id), isDue), set }));
  return moved.length > 0;
}

/**
 * The giver pays it: drop and order are one transaction, so that no second press, delivery or process makes a second
 * order. Null where the list names one who was struck meanwhile, or is over. `payees`: the list that the giver has read.
 */
export async function agreeToDrop(
  store: Store,
  { id, payees, nowMs }: { id: string; payees: readonly string[]; nowMs: number },
  draft: OrderDraft,
): Promise<OrderRow | null> {
  return store.tx(async (db) => {
    const drop = await listedWithin(db, store.tables, id, nowMs);
    // The money of a community is agreed to by several (treasury-drops.ts).
    if (drop === null || drop.walletId !== null) return null;
    const listed = new Set(payeesAmong(await takersIn(db, store.tables, id)));
    if (payees.some((userId) => !listed.has(userId))) return null;
    return payWithin(db, store.tables, { id, nowMs }, draft);
  });
}

/** Once: the drop leaves `closed` here. */
export async function payWithin(
  db: Db,
  tables: Tables,
  { id, nowMs }: { id: string; nowMs: number },
  draft: OrderDraft,
): Promise<OrderRow | null> {
  const { drops: table } = tables;
  const set = { status: 'agreed', orderId: draft.id, nextLookAtMs: nowMs } as const;
  const moved = await move(db, table, { where: eq(table.id, id), set });
  if (moved.length === 0) return null;
  const order = await insertOrder(db, tables, draft, 'drafted');
  if (order.id !== draft.id) throw new Error(`the press that pays ${id} has the order ${order.id} already`);
  return order;
}

/** Whose card has to be looked at: a time of it is over, or it was answered and does not show the end yet. */
export async function dueDrops(store: Store, nowMs: number, limit: number): Promise<Drop[]> {
  const { drops: table } = store.tables;
  return store.read
    .select()
    .from(table)
    .where(lte(table.nextLookAtMs, nowMs))
    .orderBy(asc(table.nextLookAtMs), asc(table.id))
    .limit(limit);
}

/** Null: its end is shown, and nobody looks again. */
export async function lookAtDropAgain(store: Store, id: string, nextLookAtMs: number | null): Promise<void> {
  const { drops: table } = store.tables;
  await store.tx((db) => db.update(table).set({ nextLookAtMs }).where(eq(table.id, id)));
}

export async function forgetDrops(store: Store, untilMs: number, limit: number): Promise<void> {
  const { drops: table, dropTakers, dropConfirmations } = store.tables;
  const isOver = and(isNull(table.nextLookAtMs), lte(table.createdAtMs, untilMs));
  const old = await store.read.select({ id: table.id }).from(table).where(isOver).limit(limit);
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return;
  await store.tx(async (db) => {
    await db.delete(dropTakers).where(inArray(dropTakers.dropId, ids));
    await db.delete(dropConfirmations).where(inArray(dropConfirmations.dropId, ids));
    await db.delete(table).where(and(inArray(table.id, ids), isOver));
  });
}
