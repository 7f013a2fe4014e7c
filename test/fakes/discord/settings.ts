import { randomBytes } from 'node:crypto';
import { GatewayIntentBits } from 'discord-api-types/v10';

/** How many requests fit into which time; a bucket is per channel, guild or interaction token. */
export type Limit = { requests: number; windowMs: number };

export const BUCKETS = {
  'message-create': { requests: 5, windowMs: 5_000 },
  'message-edit': { requests: 5, windowMs: 5_000 },
  'message-delete': { requests: 5, windowMs: 1_000 },
  'message-get': { requests: 50, windowMs: 1_000 },
  reaction: { requests: 1, windowMs: 250 },
  webhook: { requests: 5, windowMs: 2_000 },
  commands: { requests: 2, windowMs: 5_000 },
  channel: { requests: 50, windowMs: 1_000 },
  guild: { requests: 10, windowMs: 10_000 },
  user: { requests: 30, windowMs: 30_000 },
  'open-dm': { requests: 10, windowMs: 10_000 },
  gateway: { requests: 2, windowMs: 5_000 },
} as const satisfies Record<string, Limit>;

export type BucketName = keyof typeof BUCKETS;

/**
 * The numbers of BUCKETS were observed on Discord and are not promised by it: a bot has to read the headers. Answers to
 * interactions have no bucket, and neither they nor follow-ups count towards the global limit.
 */
export type Settings = {
  token: string;
  botName: string;
  now: () => number;
  /** Off means that no request is ever limited; headers are sent all the same. */
  rateLimits: 'on' | 'off';
  globalPerSecond: number;
  buckets: Partial<Record<BucketName, Limit>>;
  /** Privileged intents that the app was granted; identifying with others closes with 4014. */
  privilegedIntents: number;
  /** What its owner has chosen on the application's pages. */
  application: { isPublic: boolean; needsCodeGrant: boolean; installs: readonly ('0' | '1')[] };
  heartbeatIntervalMs: number;
  /** How long a lost connection can be resumed. */
  sessionMs: number;
  answerMs: number;
  tokenMs: number;
  /** "The past few minutes" in which a nonce is compared. */
  nonceMs: number;
  bodyBytesMax: number;
  attachmentBytesMax: number;
  /** How often each event is delivered. Discord promises at least once in practice; three times is a torture. */
  deliveries: number;
};

export const PRIVILEGED_INTENTS =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;

export function createSettings(chosen: Partial<Settings>): Settings {
  return {
    token: randomBytes(32).toString('base64url'),
    botName: 'pennypost',
    now: Date.now,
    rateLimits: 'on',
    globalPerSecond: 50,
    buckets: {},
    privilegedIntents: 0,
    application: { isPublic: true, needsCodeGrant: false, installs: ['0', '1'] },
    heartbeatIntervalMs: 41_250,
    sessionMs: 180_000,
    answerMs: 3_000,
    tokenMs: 900_000,
    nonceMs: 120_000,
    bodyBytesMax: 25 * 1024 * 1024,
    attachmentBytesMax: 10 * 1024 * 1024,
    deliveries: 1,
    ...chosen,
  };
}
