import { z } from 'zod';
import { LANGUAGE_TAGS } from '../languages.ts';

/** How a group chat learns the outcome of a tip: by a message, by a reaction, or not at all. */
export const RECEIPT_STYLES = ['message', 'reaction', 'none'] as const;
export type ReceiptStyle = (typeof RECEIPT_STYLES)[number];

/** Telegram deletes no message that is older than two days. */
export const MESSAGE_LIFETIME_MIN_S = 60;
export const MESSAGE_LIFETIME_MAX_S = 24 * 60 * 60;
export const COOLDOWN_MAX_S = 24 * 60 * 60;
/** A longer list of channels could not be read. */
export const CHANNELS_MAX = 50;

/** The platform's id, and the name it had when it was set. */
const namedSchema = z.strictObject({ id: z.string().max(100), name: z.string().max(100) });

const microUsdcText = z.string().regex(/^[0-9]{1,12}$/);

/**
 * A community's settings, made by its moderators. The defaults restrict nothing: tips in every channel, of any amount,
 * at any pace, with messages that stay.
 */
export const communitySettingsSchema = z.strictObject({
  /** Chats (as in `orders.chat_id`) in which people may tip; none: all of them. */
  channels: z.array(namedSchema).max(CHANNELS_MAX).default([]),
  /** For one recipient, as decimal text in micro-USDC. */
  tipMinMicroUsdc: microUsdcText.nullable().default(null),
  tipMaxMicroUsdc: microUsdcText.nullable().default(null),
  /** Between two tips of one person; 0: no wait. */
  cooldownSeconds: z.int().min(0).max(COOLDOWN_MAX_S).default(0),
  receipts: z.enum(RECEIPT_STYLES).default('message'),
  /** Whether a tip may carry a note, which everyone can read. */
  hasNotes: z.boolean().default(true),
  /** What all members read is said in it; null: in that of the person who asked. Alone each reads their own. */
  language: z.enum(LANGUAGE_TAGS).nullable().default(null),
  /** The bot deletes its own messages after this time; null: they stay. */
  messageLifetimeSeconds: z.int().min(MESSAGE_LIFETIME_MIN_S).max(MESSAGE_LIFETIME_MAX_S).nullable().default(null),
  /** The chat that gets a line for each tip; null: none. */
  logChat: namedSchema.nullable().default(null),
  /** Who may confirm rewards beside the moderators: a role of the platform; null: nobody. */
  rewardRole: namedSchema.nullable().default(null),
  /** Who may take a share of a drop: a role of the platform; null: where there are roles, nobody. */
  dropRole: namedSchema.nullable().default(null),
  /** How many confirmations a reward above 10 USDC needs. Only a guild's owner may set it to one. */
  rewardQuorum: z.union([z.literal(1), z.literal(2)]).default(2),
});

export type CommunitySettings = z.infer<typeof communitySettingsSchema>;

export const DEFAULT_SETTINGS: CommunitySettings = communitySettingsSchema.parse({});
