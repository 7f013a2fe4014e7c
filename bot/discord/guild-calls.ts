import { Routes, type REST } from 'discord.js';
import { z } from 'zod';
import { createShared } from '../../queue/by-key.ts';
import { outcomeOf, untilKnown } from './outcome.ts';

const bits = z
  .string()
  .regex(/^[0-9]{1,30}$/)
  .transform(BigInt);

/** A guild has 250 roles at most. */
const guildSchema = z.looseObject({
  id: z.string(),
  owner_id: z.string(),
  roles: z
    .array(
      z.looseObject({
        id: z.string(),
        permissions: bits,
        tags: z.looseObject({ bot_id: z.string().optional() }).optional(),
      }),
    )
    .max(1_000),
});
const memberSchema = z.looseObject({ roles: z.array(z.string()).max(1_000), joined_at: z.string().nullish() });

export type GuildFacts = z.infer<typeof guildSchema>;
export type MemberFacts = z.infer<typeof memberSchema>;

/**
 * What a guild tells a bot that is in it. Neither needs an intent. Discord allows few such questions, so callers who ask
 * the same while one waits share its answer: else each that gives up leaves one more in the queue, and none is answered.
 */
export function createGuildCalls(rest: REST) {
  const guilds = createShared<string, GuildFacts>();
  const members = createShared<string, MemberFacts | null>();
  return {
    /** Rejects where the bot is no member. */
    readGuild: (guildId: string): Promise<GuildFacts> => guilds.share(guildId, () => askGuild(rest, guildId)),
    /** Null for a person who is not in it. */
    readMember: (guildId: string, userId: string): Promise<MemberFacts | null> =>
      members.share(`${guildId}/${userId}`, () => askMember(rest, guildId, userId)),
  };
}

async function askGuild(rest: REST, guildId: string): Promise<GuildFacts> {
  const outcome = await untilKnown(() => outcomeOf(rest.get(Routes.guild(guildId))));
  if (outcome.kind === 'refused') throw new Error(`Discord does not tell about a guild: ${outcome.code}`);
  return guildSchema.parse(outcome.value);
}

async function askMember(rest: REST, guildId: string, userId: string): Promise<MemberFacts | null> {
  const outcome = await untilKnown(() => outcomeOf(rest.get(Routes.guildMember(guildId, userId))));
  if (outcome.kind === 'done') return memberSchema.parse(outcome.value);
  if (outcome.status === 404) return null;
  throw new Error(`Discord does not tell about a member: ${outcome.code}`);
}
