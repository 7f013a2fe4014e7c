import type { View } from '../../core/view.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** Where one person alone sees an answer to what he said in a group. */
export const PERSON_PLACES = ['ephemeral', 'private'] as const;

export const defineTelegramTables = (k: Kit) => ({
  /**
   * What came from Telegram, written before it is confirmed there: a confirmed update never comes again. Of an update
   * that is done only its number is left, so that one that is delivered again is known.
   */
  telegramUpdates: k.table(
    'telegram_updates',
    {
      /** Telegram's own number. */
      id: k.int('id').primaryKey(),
      /** The parts that are read; null once it is done. */
      body: k.json<Record<string, unknown>>('body'),
      receivedAtMs: k.int('received_at_ms').notNull(),
      doneAtMs: k.int('done_at_ms'),
    },
    (t) => [k.index('telegram_updates_done_idx').on(t.doneAtMs, t.receivedAtMs)],
  ),

  /** A message of the bot, and what it shall show. Telegram is told as fast as it lets us, always the newest only. */
  telegramMessages: k.table(
    'telegram_messages',
    {
      /** `answer:{event}` or `receipt:{key}`: however often it is asked for, it is one message. */
      key: k.text('key').primaryKey(),
      /** The chat's id, and the topic's after a slash. */
      chatId: k.text('chat_id').notNull(),
      /** What it answers, and whom; null for receipts. */
      eventId: k.text('event_id'),
      userId: k.text('user_id'),
      /** What the platform says that this person reads. */
      language: k.text('language'),
      /** A message that a sign of the bot is put on instead, as long as Telegram takes it; null for all that is said. */
      reactsTo: k.int('reacts_to'),
      /** It makes nobody aware of itself. */
      isQuiet: k.bool('is_quiet').notNull(),
      /** How long it stays once it is sent; null: for good. */
      lifetimeSeconds: k.int('lifetime_seconds'),
      /** When the message that stands there now is deleted. */
      expiresAtMs: k.int('expires_at_ms'),
      /** What it does not show yet; null while it shows all that there is. */
      view: k.json<View>('view'),
      revision: k.int('revision').notNull(),
      /** Since when it waits for something to be shown; null while nothing waits. */
      pendingSinceMs: k.int('pending_since_ms'),
      /** Of the view that was last tried, and of the last one that was shown for certain. */
      triedHash: k.text('tried_hash'),
      shownHash: k.text('shown_hash'),
      messageId: k.int('message_id'),
      personPlace: k.oneOf('person_place', PERSON_PLACES),
      personMessageId: k.int('person_message_id'),
      /** It was deleted by somebody, and sent anew: that happens once. */
      isRenewed: k.bool('is_renewed').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.index('telegram_messages_pending_idx').on(t.pendingSinceMs),
      k.index('telegram_messages_created_idx').on(t.createdAtMs),
    ],
  ),
});
