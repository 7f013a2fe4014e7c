import { and, asc, eq, inArray, ne } from 'drizzle-orm';
import { dropDecision, dropStanding, isSamePerson, payeesAmong } from '../../core/drops/drops.ts';
import { counts, type RewardModerators } from '../../core/rewards/reward-cards.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';
import type { OrderDraft, OrderRow } from '../tips/orders.ts';
import { listedWithin, payWithin, takersIn, type Drop } from './drops.ts';
import { listHashOf } from './list-hash.ts';

export type DropConfirmation = Tables['dropConfirmations']['$inferSelect'];

export type DropPress = {
  id: string;
  userId: string;
  /** What this person has proven to be theirs. */
  names: readonly string[];
  /** The members the platform was asked about, and those of them who may confirm now. */
  askedIds: readonly string[];
  deciderIds: readonly string[];
  moderators: RewardModerators;
  /** Whom the order pays: the list that this person has read and confirms, and no other. */
  payees: readonly string[];
  nowMs: number;
};

export type DropConfirmed =
  | { kind: 'recorded' }
  /** Nothing was written: this member asked for it, or for a share of it. */
  | { kind: 'own' | 'has_share' }
  /** A member has confirmed whom the platform was not asked about: it has to be asked again. */
  | { kind: 'ask_again' }
  /** It has enough confirmations, and its one order is there. */
  | { kind: 'confirmed'; order: OrderRow }
  /** The list is another one, or it is over. */
  | { kind: 'over' };

/**
 * Records a member's confirmation of this list, and makes the order in the same transaction once there are enough of the
 * same list. No member counts twice, and confirmations of members who may no longer confirm do not count.
 */
export async function confirmDrop(store: Store, press: DropPress, draft: OrderDraft): Promise<DropConfirmed> {
  const { tables } = store;
  const { id, userId, askedIds, deciderIds, moderators, nowMs } = press;
  if (!deciderIds.includes(userId)) throw new Error(`${userId} confirms a drop, and may not`);
  return store.tx(async (db): Promise<DropConfirmed> => {
    // Of two presses at once the later one waits here for the earlier one, and sees what it has written.
    const drop = await listedWithin(db, tables, id, nowMs);
    if (drop === null || drop.walletId === null) return { kind: 'over' };
    const takers = await takersIn(db, tables, id);
    const listed = payeesAmong(takers);
    if (!press.payees.every((payee) => listed.includes(payee))) return { kind: 'over' };
    if (!counts(dropDecision(drop), moderators, { userId, confirmedAtMs: nowMs })) return { kind: 'own' };
    const isOnList = takers.some((taker) => listed.includes(taker.userId) && isSamePerson(taker, press));
    if (isOnList) return { kind: 'has_share' };
    const before = await confirmationsIn(db, tables, id);
    if (before.some((confirmation) => !askedIds.includes(confirmation.userId))) return { kind: 'ask_again' };
    const listHash = listHashOf(drop, press.payees);
    await record(db, tables, { ...press, listHash }, before);
    const standing = { confirmations: await confirmationsIn(db, tables, id), payees: listed, listHash };
    const { confirmed, quorum } = dropStanding(drop, moderators, standing);
    if (confirmed < quorum) return { kind: 'recorded' };
    const order = await payWithin(db, tables, press, draft);
    if (order === null) throw new Error(`the drop ${id} vanished while it was confirmed`);
    return { kind: 'confirmed', order };
  });
}

async function record(
  db: Db,
  { drops, dropConfirmations: table }: Tables,
  { id, userId, deciderIds, moderators, nowMs, listHash }: DropPress & { listHash: string },
  before: readonly DropConfirmation[],
): Promise<void> {
  const { isOneEnough, isLone } = moderators;
  await db.update(drops).set({ isOneEnough, isLone }).where(eq(drops.id, id));
  const said = { listHash, confirmedAtMs: nowMs };
  await db
    .insert(table)
    .values({ dropId: id, userId, ...said })
    .onConflictDoUpdate({ target: [table.dropId, table.userId], set: said, setWhere: ne(table.listHash, listHash) });
  const struck = before.map((one) => one.userId).filter((one) => !deciderIds.includes(one));
  if (struck.length > 0) await db.delete(table).where(and(eq(table.dropId, id), inArray(table.userId, struck)));
}

export function confirmationsOfDrop(store: Store, dropId: string): Promise<DropConfirmation[]> {
  return confirmationsIn(store.read, store.tables, dropId);
}

async function confirmationsIn(
  db: Db,
  { dropConfirmations: table }: Tables,
  dropId: string,
): Promise<DropConfirmation[]> {
  return db.select().from(table).where(eq(table.dropId, dropId)).orderBy(asc(table.confirmedAtMs), asc(table.userId));
}

/** The drop that this order pays. */
export async function findDropOfOrder(store: Store, orderId: string): Promise<Drop | null> {
  const { drops: table } = store.tables;
  const [row] = await store.read.select().from(table).where(eq(table.orderId, orderId));
  return row ?? null;
}
