import { asc, eq, inArray, isNotNull, lte, sql, type Column } from 'drizzle-orm';
import type { View } from '../../core/view.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type TelegramMessage = Tables['telegramMessages']['$inferSelect'];
export type NewMessage = Pick<TelegramMessage, 'key' | 'chatId' | 'eventId' | 'userId' | 'language'> &
  Partial<Pick<TelegramMessage, 'reactsTo' | 'isQuiet' | 'lifetimeSeconds'>> & {
    view: View;
    nowMs: number;
  };

/** Creates the message under this key, to show the view; an existing one stays as it is. */
export async function openMessage(store: Store, message: NewMessage): Promise<{ isNew: boolean }> {
  const { telegramMessages } = store.tables;
  const { nowMs, ...content } = message;
  const fresh = { revision: 1, pendingSinceMs: nowMs, isRenewed: false, createdAtMs: nowMs };
  const row = { isQuiet: false, ...content, ...fresh };
  const rows = await store.tx((db) =>
    db.insert(telegramMessages).values(row).onConflictDoNothing().returning({ key: telegramMessages.key }),
  );
  return { isNew: rows.length > 0 };
}

/** Sets the view to show. Answers what is shown so far; null when there is no such message. */
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

/** Runs at each turn of each message. */
const selectMessage = prepare((db, { telegramMessages }) =>
  db
    .select()
    .from(telegramMessages)
    .where(eq(telegramMessages.key, placeholder('key'))),
);

export async function findMessage(store: Store, key: string): Promise<TelegramMessage | null> {
  const [row] = await selectMessage(store.read, { key });
  return row ?? null;
}

export type Waiting = Pick<TelegramMessage, 'key' | 'chatId' | 'shownHash'>;

/**
 * Messages that do not show their view yet: of each chat the longest waiting, then of each chat the next, so that a
 * user with a thousand commands delays no one else.
 */
export async function pendingMessages(store: Store, limit: number): Promise<Waiting[]> {
  const { key, chatId, shownHash, pendingSinceMs } = store.tables.telegramMessages;
  const inChat = sql<number>`row_number() over (partition by ${chatId} order by ${pendingSinceMs})`.as('in_chat');
  const waiting = store.read
    .select({ key, chatId, shownHash, pendingSinceMs, inChat })
    .from(store.tables.telegramMessages)
    .where(isNotNull(pendingSinceMs))
    .as('waiting');
  return store.read
    .select({ key: waiting.key, chatId: waiting.chatId, shownHash: waiting.shownHash })
    .from(waiting)
    .orderBy(asc(waiting.inChat), asc(waiting.pendingSinceMs))
    .limit(limit);
}

export type Progress = Partial<
  Pick<
    TelegramMessage,
    'triedHash' | 'messageId' | 'personPlace' | 'personMessageId' | 'isRenewed' | 'expiresAtMs' | 'reactsTo'
  >
>;

/** Stores what Telegram answered, or what is about to be sent there. */
export async function noteProgress(store: Store, key: string, progress: Progress): Promise<void> {
  const { telegramMessages } = store.tables;
  await store.tx((db) => db.update(telegramMessages).set(progress).where(eq(telegramMessages.key, key)));
}

/** The message shows the view of this revision. If there is a newer view it keeps waiting and answers false. */
export async function noteShown(
  store: Store,
  { key, revision }: Pick<TelegramMessage, 'key' | 'revision'>,
  shownHash: string,
  progress: Progress = {},
): Promise<boolean> {
  const { telegramMessages } = store.tables;
  const unlessNewer = (column: Column) =>
    sql`case when ${telegramMessages.revision} = ${revision} then null else ${column} end`;
  const shown = {
    view: unlessNewer(telegramMessages.view),
    pendingSinceMs: unlessNewer(telegramMessages.pendingSinceMs),
  };
  const [row] = await store.tx((db) =>
    db
      .update(telegramMessages)
      .set({ shownHash, ...progress, ...shown })
      .where(eq(telegramMessages.key, key))
      .returning({ revision: telegramMessages.revision }),
  );
  return row?.revision === revision;
}

/** Messages this old are not edited any more, and no user waits for them. */
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
