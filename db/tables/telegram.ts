import type { View } from '../../core/view.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** Where a group member sees an answer that only they may see. */
export const PERSON_PLACES = ['ephemeral', 'private'] as const;

export const defineTelegramTables = (k: Kit) => ({
  /**
   * Telegram's updates, stored before they are confirmed there: a confirmed update never comes again. A finished update
   * keeps only its number, so that a repeated delivery is recognised.
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

  /** A message of the bot, and the view to show. Telegram gets only the newest view, as fast as its limits allow. */
  telegramMessages: k.table(
    'telegram_messages',
    {
      /** `answer:{event}` or `receipt:{key}`: however often it is asked for, it is one message. */
      key: k.text('key').primaryKey(),
      /** The chat's id, and the topic's after a slash. */
      chatId: k.text('chat_id').notNull(),
      /** The event it answers and the user who sent it; null for receipts. */
      eventId: k.text('event_id'),
      userId: k.text('user_id'),
      /** The user's language, by the platform. */
      language: k.text('language'),
      /** The message that gets a reaction instead of an answer, if Telegram accepts it; null for text answers. */
      reactsTo: k.int('reacts_to'),
      /** Sent without a notification. */
      isQuiet: k.bool('is_quiet').notNull(),
      /** How long it stays once it is sent; null: for good. */
      lifetimeSeconds: k.int('lifetime_seconds'),
      /** When the current message is deleted. */
      expiresAtMs: k.int('expires_at_ms'),
      /** The view that it does not show yet; null while it is up to date. */
      view: k.json<View>('view'),
      revision: k.int('revision').notNull(),
      /** Since when a view waits to be shown; null while none waits. */
      pendingSinceMs: k.int('pending_since_ms'),
      /** Hashes of the view last tried, and of the view last known to be shown. */
      triedHash: k.text('tried_hash'),
      shownHash: k.text('shown_hash'),
      messageId: k.int('message_id'),
      personPlace: k.oneOf('person_place', PERSON_PLACES),
      personMessageId: k.int('person_message_id'),
      /** It was deleted in the chat and sent again, which happens at most once. */
      isRenewed: k.bool('is_renewed').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.index('telegram_messages_pending_idx').on(t.pendingSinceMs),
      k.index('telegram_messages_created_idx').on(t.createdAtMs),
    ],
  ),
});
