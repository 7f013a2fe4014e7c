import { Routes, type REST } from 'discord.js';
import { z } from 'zod';
import { untilKnown } from './attempts.ts';
import { outcomeOf } from './outcome.ts';

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

/** What a guild tells a bot that is in it. Neither needs an intent. */
export function createGuildCalls(rest: REST) {
  return {
    /** Rejects where the bot is no member. */
    async readGuild(guildId: string): Promise<GuildFacts> {
      const outcome = await untilKnown(() => outcomeOf(rest.get(Routes.guild(guildId))));
      if (outcome.kind === 'refused') throw new Error(`Discord does not tell about a guild: ${outcome.code}`);
      return guildSchema.parse(outcome.value);
    },
    /** Null for who is not in it. */
    async readMember(guildId: string, userId: string): Promise<MemberFacts | null> {
      const outcome = await untilKnown(() => outcomeOf(rest.get(Routes.guildMember(guildId, userId))));
      if (outcome.kind === 'done') return memberSchema.parse(outcome.value);
      if (outcome.status === 404) return null;
      throw new Error(`Discord does not tell about a member: ${outcome.code}`);
    },
  };
}
