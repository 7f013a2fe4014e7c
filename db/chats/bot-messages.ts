import { and, asc, eq, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { View } from '../../core/view.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type BotMessage = Tables['botMessages']['$inferSelect'];
/** Each chat has keys of its own. */
export type MessageName = Pick<BotMessage, 'transport' | 'key'>;
export type NewMessage = Pick<BotMessage, 'transport' | 'key' | 'chatId' | 'eventId' | 'userId' | 'language'> &
  Partial<Pick<BotMessage, 'reactsTo' | 'rushId' | 'isQuiet' | 'lifetimeSeconds'>> & {
    view: View;
    nowMs: number;
  };

/** For a message that shows its first view, and was never changed. */
export const FIRST_REVISION = 1;

/** Creates the message under this key, to show the view; an existing one stays as it is. */
export async function openMessage(store: Store, message: NewMessage): Promise<{ isNew: boolean }> {
  const { botMessages } = store.tables;
  const { nowMs, ...content } = message;
  const fresh = { revision: FIRST_REVISION, pendingSinceMs: nowMs, isRenewed: false, createdAtMs: nowMs };
  const row = { isQuiet: false, ...content, ...fresh };
  const rows = await store.tx((db) =>
    db.insert(botMessages).values(row).onConflictDoNothing().returning({ key: botMessages.key }),
  );
  return { isNew: rows.length > 0 };
}

/**
 * Sets the view to show. Answers what is shown so far; null when there is no such message. `revision`: only if this is
 * still its newest view.
 */
export async function changeMessage(
  store: Store,
  name: MessageName,
  view: View,
  nowMs: number,
  revision?: number,
): Promise<Pick<BotMessage, 'chatId' | 'shownHash' | 'reactsTo'> | null> {
  const { botMessages } = store.tables;
  const pendingSinceMs = sql`coalesce(${botMessages.pendingSinceMs}, ${nowMs})`;
  const [row] = await store.tx((db) =>
    db
      .update(botMessages)
      .set({ view, revision: sql`${botMessages.revision} + 1`, pendingSinceMs })
      .where(and(isNamed(store, name), revision === undefined ? undefined : eq(botMessages.revision, revision)))
      .returning({ chatId: botMessages.chatId, shownHash: botMessages.shownHash, reactsTo: botMessages.reactsTo }),
  );
  return row ?? null;
}

function isNamed({ tables: { botMessages } }: Store, { transport, key }: MessageName): SQL | undefined {
  return and(eq(botMessages.transport, transport), eq(botMessages.key, key));
}

/** Runs at each turn of each message. */
const selectMessage = prepare((db, { botMessages }) =>
  db
    .select()
    .from(botMessages)
    .where(and(eq(botMessages.transport, placeholder('transport')), eq(botMessages.key, placeholder('key')))),
);

export async function findMessage(store: Store, { transport, key }: MessageName): Promise<BotMessage | null> {
  const [row] = await selectMessage(store.read, { transport, key });
  return row ?? null;
}

/** Without its view, of which only the audience decides when it is shown. */
export type Waiting = Pick<BotMessage, 'key' | 'chatId' | 'userId' | 'shownHash' | 'reactsTo'> & {
  audience: View['audience'] | null;
};

/**
 * Messages that do not show their view yet: of each chat the longest waiting, then of each chat the next, so that a
 * user with a thousand commands delays no one else.
 */
export async function pendingMessages(store: Store, transport: string, limit: number): Promise<Waiting[]> {
  const { key, chatId, userId, view, shownHash, reactsTo, pendingSinceMs, transport: of } = store.tables.botMessages;
  // The same in both dialects.
  const audience = sql<View['audience'] | null>`${view} ->> 'audience'`.as('audience');
  const inChat = sql<number>`row_number() over (partition by ${chatId} order by ${pendingSinceMs})`.as('in_chat');
  const waiting = store.read
    .select({ key, chatId, userId, audience, shownHash, reactsTo, pendingSinceMs, inChat })
    .from(store.tables.botMessages)
    .where(and(eq(of, transport), isNotNull(pendingSinceMs)))
    .as('waiting');
  return store.read
    .select({
      key: waiting.key,
      chatId: waiting.chatId,
      userId: waiting.userId,
      audience: waiting.audience,
      shownHash: waiting.shownHash,
      reactsTo: waiting.reactsTo,
    })
    .from(waiting)
    .orderBy(asc(waiting.inChat), asc(waiting.pendingSinceMs))
    .limit(limit);
}

export type Progress = Partial<
  Pick<
    BotMessage,
    | 'triedHash'
    | 'messageId'
    | 'personPlace'
    | 'personMessageId'
    | 'isRenewed'
    | 'expiresAtMs'
    | 'reactsTo'
    | 'doubtUntilMs'
  >
>;

/** Stores what the platform answered, or what is about to be sent there. */
export async function noteProgress(store: Store, name: MessageName, progress: Progress): Promise<void> {
  const { botMessages } = store.tables;
  await store.tx((db) => db.update(botMessages).set(progress).where(isNamed(store, name)));
}

/** In the place of a hash: another process may have shown something else since. What is there is not known. */
export const UNSURE = 'unsure';

type Shown = MessageName & Pick<BotMessage, 'revision' | 'shownHash'>;

/**
 * The message shows the view of this revision, as `message` was read before. If there is a newer view that waits on, and
 * answers false; one that was shown before, by another process, is to be shown once more.
 */
export async function noteShown(
  store: Store,
  message: Shown,
  { shownHash, nowMs, ...progress }: Progress & { shownHash: string; nowMs: number },
): Promise<boolean> {
  const { botMessages } = store.tables;
  const { view, pendingSinceMs, revision: newest } = botMessages;
  const isUpToDate = sql`${newest} = ${message.revision} or ${view} is null`;
  const isOnlyOne = sql`${botMessages.shownHash} is not distinct from ${message.shownHash}`;
  const shown = {
    shownHash: sql`case when ${isOnlyOne} then ${shownHash} else ${UNSURE} end`,
    pendingSinceMs: sql`case when ${isUpToDate} then null else coalesce(${pendingSinceMs}, ${nowMs}) end`,
    // A newer view that another process is showing at this moment may be under this one: it does not count as shown.
    revision: sql`case when ${isUpToDate} then ${newest} else ${newest} + 1 end`,
    shownAtMs: nowMs,
  };
  const [row] = await store.tx((db) =>
    db
      .update(botMessages)
      .set({ ...progress, ...shown })
      .where(isNamed(store, message))
      .returning({ revision: botMessages.revision }),
  );
  return row?.revision === message.revision;
}

/**
 * The message may show the view of this revision, or be about to, while another process may have shown more: what is the
 * newest is to be shown once more.
 */
export async function noteOvertaken(store: Store, message: Shown, nowMs: number): Promise<void> {
  const { botMessages } = store.tables;
  const { view, pendingSinceMs, revision: newest } = botMessages;
  const waiting = { pendingSinceMs: sql`coalesce(${pendingSinceMs}, ${nowMs})`, revision: sql`${newest} + 1` };
  await store.tx((db) =>
    db
      .update(botMessages)
      .set({ shownHash: UNSURE, ...waiting })
      .where(and(isNamed(store, message), isNotNull(view))),
  );
}

/** What was shown so long ago cannot be overtaken by an older call any more. */
const VIEW_KEPT_MS = 3_600_000;

/** Views that were shown long ago are kept no longer: they repeat names and notes. */
export async function forgetViews(store: Store, transport: string, nowMs: number): Promise<void> {
  const { botMessages } = store.tables;
  const isOld = and(
    eq(botMessages.transport, transport),
    lte(botMessages.shownAtMs, nowMs - VIEW_KEPT_MS),
    isNull(botMessages.pendingSinceMs),
  );
  const [old] = await store.read.select({ key: botMessages.key }).from(botMessages).where(isOld).limit(1);
  if (old) await store.tx((db) => db.update(botMessages).set({ view: null, shownAtMs: null }).where(isOld));
}

/** Messages this old are not edited any more, and no user waits for them. */
export async function forgetMessages(
  store: Store,
  transport: string,
  createdUntilMs: number,
  limit: number,
): Promise<void> {
  const { botMessages } = store.tables;
  const old = await store.read
    .select({ key: botMessages.key })
    .from(botMessages)
    .where(and(eq(botMessages.transport, transport), lte(botMessages.createdAtMs, createdUntilMs)))
    .limit(limit);
  const keys = old.map(({ key }) => key);
  if (keys.length > 0)
    await store.tx((db) =>
      db.delete(botMessages).where(and(eq(botMessages.transport, transport), inArray(botMessages.key, keys))),
    );
}

/** The group has another id now, or the topic is gone. */
export async function changePlace(store: Store, name: MessageName, chatId: string): Promise<void> {
  const { botMessages } = store.tables;
  await store.tx((db) => db.update(botMessages).set({ chatId }).where(isNamed(store, name)));
}
