import { and, eq, isNull } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';

export type ChatUser = Tables['chatUsers']['$inferSelect'];

/** The user under this id: the given one, or the one who was there before. */
export async function ensureUser(store: Store, user: Omit<ChatUser, 'fundedAtMs'>): Promise<ChatUser> {
  const { chatUsers } = store.tables;
  return store.tx(async (db) => {
    await db.insert(chatUsers).values(user).onConflictDoNothing();
    const [row] = await db.select().from(chatUsers).where(eq(chatUsers.id, user.id));
    if (!row) throw new Error(`chat user ${user.id} was neither inserted nor found`);
    return row;
  });
}

/** Written after the play money arrived; false when somebody else wrote it first. */
export async function markFunded(store: Store, userId: string, nowMs: number): Promise<boolean> {
  const { chatUsers } = store.tables;
  const rows = await store.tx((db) =>
    db
      .update(chatUsers)
      .set({ fundedAtMs: nowMs })
      .where(and(eq(chatUsers.id, userId), isNull(chatUsers.fundedAtMs)))
      .returning({ id: chatUsers.id }),
  );
  return rows.length > 0;
}
