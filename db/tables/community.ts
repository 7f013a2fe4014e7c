import { sql } from 'drizzle-orm';
import type { CommunitySettings } from '../../core/communities/community-settings.ts';
import { DROP_ENDS, DROP_STATES } from '../../core/drops/drops.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** A community is a guild on Discord or a group on Telegram, named by the transport and the platform's own id. */
export const defineCommunityTables = (k: Kit) => ({
  /** What its moderators have set; no row means all defaults. */
  communitySettings: k.table(
    'community_settings',
    {
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      settings: k.json<CommunitySettings>('settings').notNull(),
      /** Raised by each change, so that of two moderators at once neither undoes what the other has changed. */
      revision: k.int('revision').notNull(),
      changedBy: k.text('changed_by').notNull(),
      changedAtMs: k.int('changed_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.transport, t.communityId] })],
  ),

  /** Who may not tip there. */
  communityBans: k.table(
    'community_bans',
    {
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      userId: k.text('user_id').notNull(),
      bannedBy: k.text('banned_by').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.transport, t.communityId, t.userId] })],
  ),

  /** When each member last tipped there, for the pause between two tips; changed only by a guarded update. */
  communityTips: k.table(
    'community_tips',
    {
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      userId: k.text('user_id').notNull(),
      lastTipAtMs: k.int('last_tip_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.transport, t.communityId, t.userId] })],
  ),

  /**
   * Who has been seen there and by which name, so that a typed name becomes a person before anything is paid. A row
   * lapses a while after it was last seen (core/communities/people.ts).
   */
  communityPeople: k.table(
    'community_people',
    {
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      /** The id of the person: `telegram:7`. */
      userId: k.text('user_id').notNull(),
      /** In lower case; null for a person who has none, or whose name another person bears by now. */
      username: k.text('username'),
      /** What the chat calls them, for messages that are shown after a restart. Nothing is paid by it. */
      name: k.text('name'),
      isBot: k.bool('is_bot').notNull(),
      firstSeenAtMs: k.int('first_seen_at_ms').notNull(),
      seenAtMs: k.int('seen_at_ms').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transport, t.communityId, t.userId] }),
      k.index('community_people_name_idx').on(t.transport, t.username),
      k.index('community_people_user_idx').on(t.userId),
      k.index('community_people_seen_idx').on(t.seenAtMs),
    ],
  ),

  /** A few messages of each person that others have answered (core/communities/people.ts); kept as long as the person. */
  communityAnswers: k.table(
    'community_answers',
    {
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      userId: k.text('user_id').notNull(),
      messageId: k.text('message_id').notNull(),
      byId: k.text('by_id').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transport, t.communityId, t.userId, t.messageId] }),
      k.index('community_answers_user_idx').on(t.userId),
    ],
  ),

  /** A sum that a member gives to those of the group who ask for a share in time. */
  drops: k.table(
    'drops',
    {
      id: k.text('id').primaryKey(),
      /** The event that asked for it: a repeated delivery is the same row. */
      eventKey: k.text('event_key').notNull(),
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      /** The card; its message is null until it stood there. The order that pays it goes on in the same message. */
      chatId: k.text('chat_id').notNull(),
      messageId: k.text('message_id'),
      language: k.text('language'),
      giverId: k.text('giver_id').notNull(),
      /** The community's treasury, which pays it once enough have confirmed; null: the giver does. */
      walletId: k.text('wallet_id'),
      /** What was known of the community's moderators at the last press that could have confirmed it. */
      isOneEnough: k.bool('is_one_enough'),
      isLone: k.bool('is_lone'),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      people: k.int('people').notNull(),
      /** Who may take a share, as the card says it: those with this role; null: those who are known there for long. */
      role: k.json<{ id: string; name: string }>('role'),
      status: k.oneOf('status', DROP_STATES).notNull(),
      endReason: k.oneOf('end_reason', DROP_ENDS),
      /** The one order that pays it; how that ended, the order says. */
      orderId: k.text('order_id'),
      createdAtMs: k.int('created_at_ms').notNull(),
      /** Until then shares can be asked for; from then on, until it ends, the giver can pay it. */
      closesAtMs: k.int('closes_at_ms').notNull(),
      endsAtMs: k.int('ends_at_ms').notNull(),
      /** When the bot next looks at it without a press; null: its end is shown. */
      nextLookAtMs: k.int('next_look_at_ms'),
    },
    (t) => [
      k.uniqueIndex('drops_event_uq').on(t.eventKey),
      k.index('drops_giver_idx').on(t.giverId, t.createdAtMs),
      k.index('drops_wallet_idx').on(t.walletId, t.status),
      k.index('drops_order_idx').on(t.orderId),
      k.index('drops_look_idx').on(t.nextLookAtMs, t.createdAtMs),
      k.check('drops_amount_positive', sql`${t.amountMicroUsdc} > 0 AND ${t.people} > 1`),
      k.check('drops_agreed_order', sql`(${t.status} = 'agreed') = (${t.orderId} IS NOT NULL)`),
    ],
  ),

  /** Who has asked for a share, in this order. */
  dropTakers: k.table(
    'drop_takers',
    {
      dropId: k.text('drop_id').notNull(),
      userId: k.text('user_id').notNull(),
      position: k.int('position').notNull(),
      /** The identities that the person had proven then: one share for each person. */
      names: k.json<string[]>('names').notNull(),
      isStruck: k.bool('is_struck').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.dropId, t.userId] }),
      k.uniqueIndex('drop_takers_position_uq').on(t.dropId, t.position),
      k.index('drop_takers_user_idx').on(t.userId),
    ],
  ),

  /**
   * Who of those who moderate has confirmed which list of a drop out of the treasury: the last one that each has confirmed.
   * A changed list is confirmed anew.
   */
  dropConfirmations: k.table(
    'drop_confirmations',
    {
      dropId: k.text('drop_id').notNull(),
      userId: k.text('user_id').notNull(),
      listHash: k.text('list_hash').notNull(),
      confirmedAtMs: k.int('confirmed_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.dropId, t.userId] }), k.index('drop_confirmations_user_idx').on(t.userId)],
  ),

  /** Who wants to stand in the list of those who thank others there. */
  topMembers: k.table(
    'top_members',
    {
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      userId: k.text('user_id').notNull(),
      sinceMs: k.int('since_ms').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transport, t.communityId, t.userId] }),
      k.index('top_members_user_idx').on(t.userId),
    ],
  ),

  /** Messages of the bot that it deletes when their time is over. */
  expiringMessages: k.table(
    'expiring_messages',
    {
      transport: k.text('transport').notNull(),
      chatId: k.text('chat_id').notNull(),
      messageId: k.text('message_id').notNull(),
      dueAtMs: k.int('due_at_ms').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transport, t.chatId, t.messageId] }),
      k.index('expiring_messages_due_idx').on(t.transport, t.dueAtMs),
    ],
  ),
});
