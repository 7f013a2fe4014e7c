import { and, asc, eq, lte } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type ExpiringMessage = Tables['expiringMessages']['$inferSelect'];
type Name = Pick<ExpiringMessage, 'transport' | 'chatId' | 'messageId'>;

/** The message is to be deleted then. A later call replaces the time, because a changed message must stay readable. */
export async function expireMessage(store: Store, message: ExpiringMessage): Promise<void> {
  const { expiringMessages } = store.tables;
  const { transport, chatId, messageId } = expiringMessages;
  await store.tx((db) =>
    db
      .insert(expiringMessages)
      .values(message)
      .onConflictDoUpdate({ target: [transport, chatId, messageId], set: { dueAtMs: message.dueAtMs } }),
  );
}

/** Those whose time is over, the oldest first. */
export async function dueMessages(
  store: Store,
  transport: string,
  nowMs: number,
  limit: number,
): Promise<ExpiringMessage[]> {
  const { expiringMessages } = store.tables;
  return store.read
    .select()
    .from(expiringMessages)
    .where(and(eq(expiringMessages.transport, transport), lte(expiringMessages.dueAtMs, nowMs)))
    .orderBy(asc(expiringMessages.dueAtMs))
    .limit(limit);
}

/** It is deleted, or cannot be deleted. */
export async function forgetMessage(store: Store, { transport, chatId, messageId }: Name): Promise<void> {
  const { expiringMessages } = store.tables;
  await store.tx((db) =>
    db
      .delete(expiringMessages)
      .where(
        and(
          eq(expiringMessages.transport, transport),
          eq(expiringMessages.chatId, chatId),
          eq(expiringMessages.messageId, messageId),
        ),
      ),
  );
}
