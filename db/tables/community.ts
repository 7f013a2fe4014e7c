import type { CommunitySettings } from '../../core/communities/community-settings.ts';
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
