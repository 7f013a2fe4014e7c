import { GatewayOpcodes as Op } from 'discord-api-types/v10';
import { z } from 'zod';

/** What a bot may send over the gateway. */
const heartbeat = z.strictObject({ op: z.literal(Op.Heartbeat), d: z.int().nullable() });

const identify = z.strictObject({
  op: z.literal(Op.Identify),
  d: z.strictObject({
    token: z.string(),
    properties: z.strictObject({ os: z.string(), browser: z.string(), device: z.string() }),
    compress: z.literal(false).optional(),
    large_threshold: z.int().min(50).max(250).optional(),
    shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
    presence: z.looseObject({}).optional(),
    intents: z.int().min(0),
  }),
});

const resume = z.strictObject({
  op: z.literal(Op.Resume),
  d: z.strictObject({ token: z.string(), session_id: z.string(), seq: z.int() }),
});

/** Understood and without effect here. */
const ignored = z.strictObject({
  op: z.literal([Op.PresenceUpdate, Op.VoiceStateUpdate, Op.RequestGuildMembers, Op.RequestSoundboardSounds]),
  d: z.looseObject({}),
});

export const frame = z.discriminatedUnion('op', [heartbeat, identify, resume, ignored]);
export type Frame = z.infer<typeof frame>;

export const KNOWN_OPCODES: ReadonlySet<number> = new Set([
  Op.Heartbeat,
  Op.Identify,
  Op.Resume,
  Op.PresenceUpdate,
  Op.VoiceStateUpdate,
  Op.RequestGuildMembers,
  Op.RequestSoundboardSounds,
]);
