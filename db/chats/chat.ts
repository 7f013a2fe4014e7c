import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { View } from '../../core/view.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * The stored chat that the web page shows. Each post and edit takes the chat's next revision inside its transaction:
 * the counter row is locked until commit, so a reader of one revision has seen all before it.
 */
export type ChatMessage = Tables['chatMessages']['$inferSelect'];

export type Post = {
  /** Random; used only when the message is new. */
  id: string;
  chatId: string;
  author: ChatMessage['author'];
  /** However often a message is posted under one key of a chat, it appears once. */
  onceKey: string;
  view: View;
  nowMs: number;
};

/** The message under this key, and whether this call posted it. */
export async function postOnce(store: Store, post: Post): Promise<{ message: ChatMessage; posted: boolean }> {
  return store.tx(async (db) => {
    const { chatMessages } = store.tables;
    const { nowMs, ...content } = post;
    const revision = await nextRevision(db, store.tables, post.chatId);
    const inserted = await db
      .insert(chatMessages)
      .values({ ...content, position: revision, revision, createdAtMs: nowMs })
      .onConflictDoNothing()
      .returning();
    const [message] = inserted.length > 0 ? inserted : await findOnce(db, store.tables, post.chatId, post.onceKey);
    if (!message) throw new Error(`message ${post.onceKey} was neither posted nor found in its chat`);
    return { message, posted: inserted.length > 0 };
  });
}

/** Shows another view in the place of an earlier one. Answers false when that message is not in this chat. */
export async function editMessage(store: Store, chatId: string, messageId: string, view: View): Promise<boolean> {
  return store.tx(async (db) => {
    const { chatMessages } = store.tables;
    const revision = await nextRevision(db, store.tables, chatId);
    const edited = await db
      .update(chatMessages)
      .set({ view, revision })
      .where(and(eq(chatMessages.chatId, chatId), eq(chatMessages.id, messageId)))
      .returning({ id: chatMessages.id });
    return edited.length > 0;
  });
}

/** What changed after a revision, in the order in which it changed. */
export async function messagesAfter(
  store: Store,
  chatId: string,
  revision: number,
  limit: number,
): Promise<ChatMessage[]> {
  const { chatMessages } = store.tables;
  return store.read
    .select()
    .from(chatMessages)
    .where(and(eq(chatMessages.chatId, chatId), gt(chatMessages.revision, revision)))
    .orderBy(asc(chatMessages.revision))
    .limit(limit);
}

/** Zero for a chat without messages. */
export async function lastRevision(store: Store, chatId: string): Promise<number> {
  const { chats } = store.tables;
  const [row] = await store.read.select().from(chats).where(eq(chats.id, chatId));
  return row?.lastRevision ?? 0;
}

async function nextRevision(db: Db, tables: Tables, chatId: string): Promise<number> {
  const { chats } = tables;
  const [row] = await db
    .insert(chats)
    .values({ id: chatId, lastRevision: 1 })
    .onConflictDoUpdate({ target: chats.id, set: { lastRevision: sql`${chats.lastRevision} + 1` } })
    .returning();
  if (!row) throw new Error(`chat ${chatId} gave no revision`);
  return row.lastRevision;
}

async function findOnce(db: Db, tables: Tables, chatId: string, onceKey: string): Promise<ChatMessage[]> {
  const { chatMessages } = tables;
  return db
    .select()
    .from(chatMessages)
    .where(and(eq(chatMessages.chatId, chatId), eq(chatMessages.onceKey, onceKey)));
}
