import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { View } from '../../core/view.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';

export type TelegramMessage = Tables['telegramMessages']['$inferSelect'];
export type NewMessage = Pick<TelegramMessage, 'key' | 'chatId' | 'eventId' | 'userId' | 'language'> & {
  view: View;
  nowMs: number;
};

/** The message under this key: a new one, which is to show the view, or the one that is there already, as it is. */
export async function openMessage(store: Store, message: NewMessage): Promise<{ isNew: boolean }> {
  const { telegramMessages } = store.tables;
  const { nowMs, ...content } = message;
  const row = { ...content, revision: 1, pendingSinceMs: nowMs, isRenewed: false, createdAtMs: nowMs };
  const rows = await store.tx((db) =>
    db.insert(telegramMessages).values(row).onConflictDoNothing().returning({ key: telegramMessages.key }),
  );
  return { isNew: rows.length > 0 };
}

/** From now on it shall show this. Answers what was there before; null when there is no such message. */
export async function changeMessage(
  store: Store,
  key: string,
  view: View,
  nowMs: number,
): Promise<Pick<TelegramMessage, 'chatId' | 'shownHash'> | null> {
  const { telegramMessages } = store.tables;
  const pendingSinceMs = sql`coalesce(${telegramMessages.pendingSinceMs}, ${nowMs})`;
  const [row] = await store.tx((db) =>
    db
      .update(telegramMessages)
      .set({ view, revision: sql`${telegramMessages.revision} + 1`, pendingSinceMs })
      .where(eq(telegramMessages.key, key))
      .returning({ chatId: telegramMessages.chatId, shownHash: telegramMessages.shownHash }),
  );
  return row ?? null;
}

export async function findMessage(store: Store, key: string): Promise<TelegramMessage | null> {
  const { telegramMessages } = store.tables;
  const [row] = await store.read.select().from(telegramMessages).where(eq(telegramMessages.key, key));
  return row ?? null;
}

export type Waiting = Pick<TelegramMessage, 'key' | 'chatId' | 'shownHash'>;

/** Those that do not show what they shall, the longest waiting first. */
export async function pendingMessages(store: Store, limit: number): Promise<Waiting[]> {
  const { telegramMessages } = store.tables;
  return store.read
    .select({ key: telegramMessages.key, chatId: telegramMessages.chatId, shownHash: telegramMessages.shownHash })
    .from(telegramMessages)
    .where(isNotNull(telegramMessages.pendingSinceMs))
    .orderBy(asc(telegramMessages.pendingSinceMs))
    .limit(limit);
}

export type Progress = Partial<
  Pick<TelegramMessage, 'triedHash' | 'messageId' | 'personPlace' | 'personMessageId' | 'isRenewed'>
>;

/** What Telegram said, or what it is about to be asked. */
export async function noteProgress(store: Store, key: string, progress: Progress): Promise<void> {
  const { telegramMessages } = store.tables;
  await store.tx((db) => db.update(telegramMessages).set(progress).where(eq(telegramMessages.key, key)));
}

/** It shows what it was to show at this revision. Waits on when there is something newer: then it answers false. */
export async function noteShown(
  store: Store,
  { key, revision }: Pick<TelegramMessage, 'key' | 'revision'>,
  shownHash: string,
  progress: Progress = {},
): Promise<boolean> {
  const { telegramMessages } = store.tables;
  return store.tx(async (db) => {
    await db
      .update(telegramMessages)
      .set({ shownHash, ...progress })
      .where(eq(telegramMessages.key, key));
    const rows = await db
      .update(telegramMessages)
      .set({ view: null, pendingSinceMs: null })
      .where(and(eq(telegramMessages.key, key), eq(telegramMessages.revision, revision)))
      .returning({ key: telegramMessages.key });
    return rows.length > 0;
  });
}

/** Nobody edits a message that is older than this, or waits for one. */
export async function forgetMessages(store: Store, createdUntilMs: number, limit: number): Promise<void> {
  const { telegramMessages } = store.tables;
  const old = await store.read
    .select({ key: telegramMessages.key })
    .from(telegramMessages)
    .where(lte(telegramMessages.createdAtMs, createdUntilMs))
    .limit(limit);
  const keys = old.map(({ key }) => key);
  if (keys.length > 0) await store.tx((db) => db.delete(telegramMessages).where(inArray(telegramMessages.key, keys)));
}

/** The group has another id now, or the topic is gone. */
export async function changePlace(store: Store, key: string, chatId: string): Promise<void> {
  const { telegramMessages } = store.tables;
  await store.tx((db) => db.update(telegramMessages).set({ chatId }).where(eq(telegramMessages.key, key)));
}
