import type { View } from '../../core/view.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** Where a group member sees an answer that only they may see. */
export const PERSON_PLACES = ['ephemeral', 'private'] as const;

export const defineChatTables = (k: Kit) => ({
  /**
   * What came from a chat, written before the platform learns that it was taken: it delivers it once, or never again once
   * it is confirmed. Of an event that is done only its id is left, so that a repeated delivery is recognised.
   */
  chatEvents: k.table(
    'chat_events',
    {
      transport: k.text('transport').notNull(),
      /** The platform's own id of the event. */
      id: k.text('id').notNull(),
      /** The parts that are read, with what it takes to answer it; null once it is done. */
      body: k.json<Record<string, unknown>>('body'),
      receivedAtMs: k.int('received_at_ms').notNull(),
      doneAtMs: k.int('done_at_ms'),
    },
    (t) => [
      k.primaryKey({ columns: [t.transport, t.id] }),
      k.index('chat_events_done_idx').on(t.transport, t.doneAtMs, t.receivedAtMs),
    ],
  ),

  /** A message of the bot, and the view to show. A platform gets only the newest view, as fast as its limits allow. */
  botMessages: k.table(
    'bot_messages',
    {
      transport: k.text('transport').notNull(),
      /** The adapter's own name for it, under which the core knows it: however often it is asked for, it is one message. */
      key: k.text('key').notNull(),
      /** Where it is to be shown, as the adapter writes it. */
      chatId: k.text('chat_id').notNull(),
      /** The event it answers and the user who sent it; null for receipts. */
      eventId: k.text('event_id'),
      userId: k.text('user_id'),
      /** The user's language, by the platform. */
      language: k.text('language'),
      /** The message that gets a reaction instead of an answer, where that is accepted; null for text answers. */
      reactsTo: k.int('reacts_to'),
      /** The rush that this answer is merged into: it is a sign and a line, and only its own person reads more. */
      rushId: k.text('rush_id'),
      /** Sent without a notification. */
      isQuiet: k.bool('is_quiet').notNull(),
      /** How long it stays once it is sent; null: for good. */
      lifetimeSeconds: k.int('lifetime_seconds'),
      /** When the current message is deleted. */
      expiresAtMs: k.int('expires_at_ms'),
      /**
       * The newest view. Once it is shown it stays for a while: a process that was stopped in the middle of a call may show an
       * older one after it.
       */
      view: k.json<View>('view'),
      revision: k.int('revision').notNull(),
      /** Since when a view waits to be shown; null while none waits. */
      pendingSinceMs: k.int('pending_since_ms'),
      /** When its newest view was shown; null once that is no longer kept. */
      shownAtMs: k.int('shown_at_ms'),
      /** Until then an older view may still appear, because nobody knows what became of a call; null: none may. */
      doubtUntilMs: k.int('doubt_until_ms'),
      /** Hashes of the view last tried, and of the view last known to be shown. */
      triedHash: k.text('tried_hash'),
      shownHash: k.text('shown_hash'),
      messageId: k.text('message_id'),
      personPlace: k.oneOf('person_place', PERSON_PLACES),
      personMessageId: k.int('person_message_id'),
      /** It was deleted in the chat and sent again, which happens at most once. */
      isRenewed: k.bool('is_renewed').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transport, t.key] }),
      k.index('bot_messages_pending_idx').on(t.transport, t.pendingSinceMs),
      k.index('bot_messages_created_idx').on(t.transport, t.createdAtMs),
      k.index('bot_messages_shown_idx').on(t.transport, t.shownAtMs),
      k.index('bot_messages_rush_idx').on(t.rushId),
    ],
  ),

  /** Many tips in a place within a short time: they share one message. */
  rushes: k.table(
    'rushes',
    {
      id: k.text('id').primaryKey(),
      transport: k.text('transport').notNull(),
      chatId: k.text('chat_id').notNull(),
      language: k.text('language'),
      lastTipAtMs: k.int('last_tip_at_ms').notNull(),
      /** When its message is next looked at; null: it is over, and a later tip begins another. */
      nextLookAtMs: k.int('next_look_at_ms'),
    },
    (t) => [
      k.index('rushes_place_idx').on(t.transport, t.chatId, t.nextLookAtMs),
      k.index('rushes_look_idx').on(t.transport, t.nextLookAtMs),
      k.index('rushes_tip_idx').on(t.lastTipAtMs),
    ],
  ),

  /** An answer for one person that a group could not be shown: it waits in the private chat, for them alone. */
  keptAnswers: k.table(
    'kept_answers',
    {
      /** SHA-256 of the key in the link, so that reading the table opens none. */
      id: k.text('id').primaryKey(),
      userId: k.text('user_id').notNull(),
      view: k.json<View>('view').notNull(),
      untilMs: k.int('until_ms').notNull(),
      /** The event that it was shown to; delivered again, the same event is shown it again. */
      takenByEvent: k.text('taken_by_event'),
    },
    (t) => [k.index('kept_answers_until_idx').on(t.untilMs), k.index('kept_answers_user_idx').on(t.userId)],
  ),

  /** Who wants no message for each small tip, but one line a day. The line comes at the time of day of this choice. */
  quietPeople: k.table('quiet_people', {
    userId: k.text('user_id').primaryKey(),
    sinceMs: k.int('since_ms').notNull(),
  }),

  /** Small tips that their recipient has not been told of yet; those of a day make one line, and go with it. */
  quietTips: k.table(
    'quiet_tips',
    {
      txnId: k.int('txn_id').primaryKey(),
      userId: k.text('user_id').notNull(),
      giverId: k.text('giver_id').notNull(),
      /** The line that counts it: of one person and one day. */
      lineId: k.text('line_id').notNull(),
    },
    (t) => [
      k.index('quiet_tips_line_idx').on(t.lineId),
      k.index('quiet_tips_user_idx').on(t.userId),
      k.index('quiet_tips_giver_idx').on(t.giverId),
    ],
  ),

  /** Givers whose notes this person reads at once, because they have kept something of theirs. */
  acceptedGivers: k.table(
    'accepted_givers',
    {
      userId: k.text('user_id').notNull(),
      giverId: k.text('giver_id').notNull(),
      sinceMs: k.int('since_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.userId, t.giverId] }), k.index('accepted_givers_giver_idx').on(t.giverId)],
  ),

  /** The message that shows a withdrawal's progress; the row is deleted once it shows the end. */
  withdrawalMessages: k.table('withdrawal_messages', {
    withdrawalId: k.text('withdrawal_id').primaryKey(),
    transport: k.text('transport').notNull(),
    chatId: k.text('chat_id').notNull(),
    messageId: k.text('message_id').notNull(),
    language: k.text('language'),
  }),
});
