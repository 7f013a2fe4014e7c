import { eq } from 'drizzle-orm';
import type { Store } from '../store.ts';

export type WithdrawalMessage = Store['tables']['withdrawalMessages']['$inferSelect'];

/** From now on this message shows how the withdrawal goes on, whatever happens to this process. */
export async function followInMessage(store: Store, message: WithdrawalMessage): Promise<void> {
  const { withdrawalMessages } = store.tables;
  await store.tx((db) => db.insert(withdrawalMessages).values(message).onConflictDoNothing());
}

export async function followedMessages(store: Store, limit: number): Promise<WithdrawalMessage[]> {
  return store.read.select().from(store.tables.withdrawalMessages).limit(limit);
}

/** It shows the end. */
export async function stopFollowing(store: Store, withdrawalId: string): Promise<void> {
  const { withdrawalMessages } = store.tables;
  await store.tx((db) => db.delete(withdrawalMessages).where(eq(withdrawalMessages.withdrawalId, withdrawalId)));
}
