import { type APIGuildMember, type APIUser, ChannelType, GuildMemberFlags } from 'discord-api-types/v10';
import { channelPermissions } from './permissions.ts';
import type { Channel, Guild, Member, Role, User, World } from './world.ts';

/** How Discord's API shows people, roles and places. */
export function toUser(user: User): APIUser {
  return {
    id: user.id,
    username: user.username,
    discriminator: '0',
    global_name: user.globalName,
    avatar: null,
    ...(user.bot ? { bot: true } : {}),
  };
}

export function toMember(world: World, member: Member): APIGuildMember {
  const user = world.users.get(member.userId);
  if (!user) throw new Error(`expected a user for the member ${member.userId}`);
  return { ...toPartialMember(member), user: toUser(user), deaf: false, mute: false };
}

/** Without the person: so messages and resolved data show members. */
export function toPartialMember(member: Member) {
  return {
    roles: [...member.roleIds],
    nick: member.nick,
    avatar: null,
    joined_at: new Date(member.joinedAt).toISOString(),
    premium_since: null,
    pending: false,
    communication_disabled_until: null,
    flags: GuildMemberFlags.CompletedOnboarding,
  };
}

export function toRole(role: Role) {
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: role.permissions.toString(),
    managed: false,
    mentionable: role.mentionable,
    flags: 0,
  };
}

export function toChannel(world: World, channel: Channel) {
  if (channel.guildId !== null) {
    return {
      id: channel.id,
      type: ChannelType.GuildText as const,
      guild_id: channel.guildId,
      name: channel.name ?? '',
      position: 0,
      permission_overwrites: channel.overwrites,
      parent_id: null,
      topic: null,
      nsfw: false,
      rate_limit_per_user: 0,
      last_message_id: channel.lastMessageId,
      flags: 0,
    };
  }
  const people = channel.recipientIds.filter((id) => id !== world.bot.id);
  return {
    id: channel.id,
    type: channel.kind === 'group' ? ChannelType.GroupDM : ChannelType.DM,
    name: channel.name,
    recipients: people.flatMap((id) => world.users.get(id) ?? []).map(toUser),
    last_message_id: channel.lastMessageId,
    flags: 0,
  };
}

/** How options and selects show a chosen channel. */
export function toResolvedChannel(world: World, channel: Channel, userId: string) {
  return {
    ...toChannel(world, channel),
    permissions: channelPermissions(world, channel, userId).toString(),
    app_permissions: channelPermissions(world, channel, world.bot.id).toString(),
  };
}

export function toGuild(guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    owner_id: guild.ownerId,
    region: null,
    afk_channel_id: null,
    afk_timeout: 300,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    roles: [...guild.roles.values()].map(toRole),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    max_members: 500_000,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: guild.locale,
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    incidents_data: null,
  };
}
