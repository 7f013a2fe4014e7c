import { z } from 'zod';

/** How the end of a tip is told where many read along: in a message, by a reaction, or not at all. */
export const RECEIPT_STYLES = ['message', 'reaction', 'none'] as const;
export type ReceiptStyle = (typeof RECEIPT_STYLES)[number];

/** Telegram lets no message be deleted later than two days after it was sent. */
export const MESSAGE_LIFETIME_MIN_S = 60;
export const MESSAGE_LIFETIME_MAX_S = 24 * 60 * 60;
export const COOLDOWN_MAX_S = 24 * 60 * 60;
/** How many channels a community can name; more are a list nobody can read. */
export const CHANNELS_MAX = 50;

/** By the platform's id, and as people knew it when it was set. */
const namedSchema = z.strictObject({ id: z.string().max(100), name: z.string().max(100) });

const microUsdcText = z.string().regex(/^[0-9]{1,12}$/);

/**
 * What a community's moderators have decided for it. What is left out is as it always was: everywhere, any amount, at any
 * pace, with messages that stay.
 */
export const communitySettingsSchema = z.strictObject({
  /** Chats (as in `orders.chat_id`) that people may tip in; none named: in all of them. */
  channels: z.array(namedSchema).max(CHANNELS_MAX).default([]),
  /** Decimal text of micro-USDC, of one recipient's part. */
  tipMinMicroUsdc: microUsdcText.nullable().default(null),
  tipMaxMicroUsdc: microUsdcText.nullable().default(null),
  /** Between two tips of one person; 0 is none. */
  cooldownSeconds: z.int().min(0).max(COOLDOWN_MAX_S).default(0),
  receipts: z.enum(RECEIPT_STYLES).default('message'),
  /** Whether a tip may carry a note, which everybody reads. */
  hasNotes: z.boolean().default(true),
  /** After it the bot deletes its own messages there; null: they stay. */
  messageLifetimeSeconds: z.int().min(MESSAGE_LIFETIME_MIN_S).max(MESSAGE_LIFETIME_MAX_S).nullable().default(null),
  /** The chat that gets a line for each tip; null: none. */
  logChat: namedSchema.nullable().default(null),
  /** Who may confirm rewards beside the moderators: a role of the platform; null: nobody. */
  rewardRole: namedSchema.nullable().default(null),
  /** How many have to confirm a reward above 10 USDC. Only a guild's owner says that one is enough. */
  rewardQuorum: z.union([z.literal(1), z.literal(2)]).default(2),
});

export type CommunitySettings = z.infer<typeof communitySettingsSchema>;

export const DEFAULT_SETTINGS: CommunitySettings = communitySettingsSchema.parse({});
