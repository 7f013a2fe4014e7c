import { and, eq, isNull } from 'drizzle-orm';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type ChatUser = Tables['chatUsers']['$inferSelect'];
export type NewUser = Pick<ChatUser, 'id' | 'transport' | 'walletAddress' | 'createdAtMs'>;

/** The user under this id: the given one, or the one who was there before. */
export async function ensureUser(store: Store, user: NewUser): Promise<ChatUser> {
  const { chatUsers } = store.tables;
  return store.tx(async (db) => {
    await db.insert(chatUsers).values(user).onConflictDoNothing();
    const [row] = await db.select().from(chatUsers).where(eq(chatUsers.id, user.id));
    if (!row) throw new Error(`chat user ${user.id} was neither inserted nor found`);
    return row;
  });
}

/** Null for a person who never talked to the bot. */
export async function findChatUser(store: Store, id: string): Promise<ChatUser | null> {
  const { chatUsers } = store.tables;
  const [row] = await store.read.select().from(chatUsers).where(eq(chatUsers.id, id));
  return row ?? null;
}

/** Sets the language the user reads; null: the platform's. False for an unknown user. */
export async function chooseLanguage(store: Store, userId: string, language: string | null): Promise<boolean> {
  const { chatUsers } = store.tables;
  const rows = await store.tx((db) =>
    db.update(chatUsers).set({ language }).where(eq(chatUsers.id, userId)).returning({ id: chatUsers.id }),
  );
  return rows.length > 0;
}

/** Called after the play money arrived; false when it was marked before. */
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

/** Sets the wallet the user pays from; the caller has checked that it is theirs. False for an unknown user. */
export async function chooseWallet(store: Store, userId: string, walletId: string, nowMs: number): Promise<boolean> {
  const { chatUsers } = store.tables;
  const rows = await store.tx((db) =>
    db
      .update(chatUsers)
      .set({ chosenWalletId: walletId, chosenAtMs: nowMs })
      .where(eq(chatUsers.id, userId))
      .returning({ id: chatUsers.id }),
  );
  return rows.length > 0;
}

const selectChosen = prepare((db, { chatUsers }) =>
  db
    .select({ walletId: chatUsers.chosenWalletId, atMs: chatUsers.chosenAtMs })
    .from(chatUsers)
    .where(eq(chatUsers.id, placeholder('userId'))),
);

/** The wallet the user has chosen, and when; null before any choice. */
export async function chosenWallet(store: Store, userId: string): Promise<{ walletId: string; atMs: number } | null> {
  const [row] = await selectChosen(store.read, { userId });
  if (!row || row.walletId === null || row.atMs === null) return null;
  return { walletId: row.walletId, atMs: row.atMs };
}
