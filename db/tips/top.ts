import { and, countDistinct, desc, eq, gte, inArray, isNull } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { firstLines } from './blocks.ts';
import type { Community } from '../communities/community-settings.ts';

type Member = Community & { userId: string };

/** From now on this person may stand in the list there. */
export async function joinTop(
  store: Store,
  { transport, communityId, userId }: Member,
  sinceMs: number,
): Promise<void> {
  const { topMembers: table } = store.tables;
  await store.tx((db) => db.insert(table).values({ transport, communityId, userId, sinceMs }).onConflictDoNothing());
}

export async function leaveTop(store: Store, { transport, communityId, userId }: Member): Promise<void> {
  const { topMembers: table } = store.tables;
  const isTheirs = and(eq(table.transport, transport), eq(table.communityId, communityId), eq(table.userId, userId));
  await store.tx((db) => db.delete(table).where(isTheirs));
}

/** `people`: how many different ones this member has thanked there. */
export type Thanking = { userId: string; people: number };

/**
 * Members who have joined, by how many different people they have tipped there since then. Never by sums, and nothing
 * counts that came back, or that went to a name of their own.
 */
export async function topOf(
  store: Store,
  { transport, communityId }: Community,
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<Thanking[]> {
  const { topMembers, orders, lines, walletHolders } = store.tables;
  const first = firstLines(store);
  const isHere = and(eq(topMembers.transport, transport), eq(topMembers.communityId, communityId));
  const isTip = and(
    eq(orders.userId, topMembers.userId),
    eq(orders.transport, topMembers.transport),
    eq(orders.communityId, topMembers.communityId),
    eq(orders.status, 'answered'),
    gte(orders.createdAtMs, sinceMs),
  );
  const isOwn = and(eq(walletHolders.holderId, topMembers.userId), eq(walletHolders.identityId, lines.identityId));
  const people = countDistinct(lines.identityId);
  return store.read
    .select({ userId: topMembers.userId, people })
    .from(topMembers)
    .innerJoin(orders, isTip)
    .innerJoin(first, eq(first.firstTxnId, orders.txnId))
    .innerJoin(lines, and(eq(lines.paymentId, first.paidBy), inArray(lines.status, ['escrowed', 'paying'])))
    .leftJoin(walletHolders, isOwn)
    .where(and(isHere, isNull(walletHolders.holderId)))
    .groupBy(topMembers.userId)
    .orderBy(desc(people), topMembers.userId)
    .limit(limit);
}
