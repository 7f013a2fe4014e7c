import { toChannel, toGuild, toMember, toUser } from '../state/shapes.ts';
import { canView } from '../state/permissions.ts';
import type { Guild, World } from '../state/world.ts';

/** Guilds come one by one after READY, which only lists them. */
export function toReady(world: World, sessionId: string, shard: readonly [number, number], guilds: readonly Guild[]) {
  return {
    v: 10,
    user: { ...toUser(world.bot), mfa_enabled: false, verified: true, email: null, flags: 0 },
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: sessionId,
    session_type: 'normal',
    resume_gateway_url: `${world.origin.replace('http:', 'ws:')}/resume`,
    shard,
    application: { id: world.bot.id, flags: 0 },
    private_channels: [],
    relationships: [],
    presences: [],
    user_settings: {},
  };
}

/** Without the privileged intent a bot learns of itself only. */
export function toGuildCreate(world: World, guild: Guild): object {
  const self = guild.members.get(world.bot.id);
  if (!self) throw new Error(`expected the bot to be in the guild ${guild.id}`);
  return {
    ...toGuild(guild),
    joined_at: new Date(self.joinedAt).toISOString(),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: [toMember(world, self)],
    channels: [...world.channels.values()]
      .filter((channel) => channel.guildId === guild.id && canView(world, channel, world.bot.id))
      .map((channel) => toChannel(world, channel)),
    threads: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function guildsOfShard(world: World, [shard, count]: readonly [number, number]): Guild[] {
  return [...world.guilds.values()].filter(
    ({ id, members }) => members.has(world.bot.id) && shardOf(id, count) === shard,
  );
}

/** Direct messages, and interactions in them, belong to the first shard. */
export function shardOf(guildId: string | null, count: number): number {
  return guildId === null ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count));
}
