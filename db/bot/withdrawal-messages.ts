import { eq, lte, ne, or } from 'drizzle-orm';
import type { Store } from '../store.ts';

export type WithdrawalMessage = Store['tables']['withdrawalMessages']['$inferSelect'];

/** From now on this message shows how the withdrawal goes on, whatever happens to this process. */
export async function followInMessage(store: Store, message: WithdrawalMessage): Promise<void> {
  const { withdrawalMessages } = store.tables;
  await store.tx((db) => db.insert(withdrawalMessages).values(message).onConflictDoNothing());
}

/** Without those of which nothing new can be said before their time; many may wait a day. */
export async function followedMessages(store: Store, nowMs: number, limit: number): Promise<WithdrawalMessage[]> {
  const { withdrawalMessages, withdrawals } = store.tables;
  const rows = await store.read
    .select({ message: withdrawalMessages })
    .from(withdrawalMessages)
    .innerJoin(withdrawals, eq(withdrawals.id, withdrawalMessages.withdrawalId))
    .where(or(lte(withdrawals.notBeforeMs, nowMs), ne(withdrawals.status, 'requested')))
    .limit(limit);
  return rows.map(({ message }) => message);
}

/** It shows the end. */
export async function stopFollowing(store: Store, withdrawalId: string): Promise<void> {
  const { withdrawalMessages } = store.tables;
  await store.tx((db) => db.delete(withdrawalMessages).where(eq(withdrawalMessages.withdrawalId, withdrawalId)));
}
