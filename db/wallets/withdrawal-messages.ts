import { and, asc, eq, gt, lte, ne, notInArray, or } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type WithdrawalMessage = Store['tables']['withdrawalMessages']['$inferSelect'];

/** From now on this message shows how the withdrawal goes on, whatever happens to this process. */
export async function followInMessage(store: Store, message: WithdrawalMessage): Promise<void> {
  const { withdrawalMessages } = store.tables;
  await store.tx((db) => db.insert(withdrawalMessages).values(message).onConflictDoNothing());
}

export async function findFollowed(store: Store, withdrawalId: string): Promise<WithdrawalMessage | null> {
  const { withdrawalMessages } = store.tables;
  const isOfIt = eq(withdrawalMessages.withdrawalId, withdrawalId);
  const [message] = await store.read.select().from(withdrawalMessages).where(isOfIt);
  return message ?? null;
}

/**
 * The withdrawals that a message follows, in the order of their ids, behind `after`. Without those of which nothing new can
 * be said before their time; many may wait a day.
 */
export async function followedWithdrawals(
  store: Store,
  nowMs: number,
  limit: number,
  { after = '', except = [] }: { after?: string | null; except?: readonly string[] } = {},
): Promise<string[]> {
  const { withdrawalMessages, walletWithdrawals } = store.tables;
  const hasNews = or(lte(walletWithdrawals.notBeforeMs, nowMs), ne(walletWithdrawals.status, 'requested'));
  // By the id in its own table: of those that a message follows there are few.
  const { withdrawalId: id } = withdrawalMessages;
  const rows = await store.read
    .select({ id })
    .from(withdrawalMessages)
    .innerJoin(walletWithdrawals, eq(walletWithdrawals.id, id))
    .where(and(hasNews, gt(id, after ?? ''), notInArray(id, [...except])))
    .orderBy(asc(id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** It shows the end. */
export async function stopFollowing(store: Store, withdrawalId: string): Promise<void> {
  const { withdrawalMessages } = store.tables;
  await store.tx((db) => db.delete(withdrawalMessages).where(eq(withdrawalMessages.withdrawalId, withdrawalId)));
}
