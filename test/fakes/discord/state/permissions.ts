import { OverwriteType, PermissionFlagsBits as Permission } from 'discord-api-types/v10';
import { failure } from '../forms/failure.ts';
import type { Channel, Guild, World } from './world.ts';

export const ALL_PERMISSIONS = Object.values(Permission).reduce((all, bit) => all | bit, 0n);

/** What everybody may do in a new guild, about as Discord sets it. */
export const EVERYONE_PERMISSIONS =
  Permission.ViewChannel |
  Permission.SendMessages |
  Permission.EmbedLinks |
  Permission.AttachFiles |
  Permission.ReadMessageHistory |
  Permission.AddReactions |
  Permission.UseExternalEmojis |
  Permission.UseApplicationCommands |
  Permission.UseExternalApps |
  Permission.CreateInstantInvite |
  Permission.ChangeNickname;

/** What an app may do in a direct message. */
const DM_PERMISSIONS =
  Permission.ViewChannel |
  Permission.SendMessages |
  Permission.EmbedLinks |
  Permission.AttachFiles |
  Permission.ReadMessageHistory |
  Permission.AddReactions |
  Permission.MentionEveryone |
  Permission.UseExternalEmojis;

export function guildPermissions(guild: Guild, userId: string): bigint {
  const member = guild.members.get(userId);
  if (!member) return 0n;
  if (guild.ownerId === userId) return ALL_PERMISSIONS;
  let permissions = guild.roles.get(guild.id)?.permissions ?? 0n;
  for (const id of member.roleIds) permissions |= guild.roles.get(id)?.permissions ?? 0n;
  return (permissions & Permission.Administrator) === 0n ? permissions : ALL_PERMISSIONS;
}

/** Overwrites count in the order of everybody, roles, person; within a step what is allowed wins over what is denied. */
export function channelPermissions(world: World, channel: Channel, userId: string): bigint {
  if (channel.guildId === null) return channel.recipientIds.includes(userId) ? DM_PERMISSIONS : 0n;
  const guild = world.guilds.get(channel.guildId);
  const member = guild?.members.get(userId);
  if (!guild || !member) return 0n;
  const base = guildPermissions(guild, userId);
  if (base === ALL_PERMISSIONS) return base;

  const { overwrites } = channel;
  const steps = [
    overwrites.filter(({ id }) => id === guild.id),
    overwrites.filter(({ id, type }) => type === OverwriteType.Role && member.roleIds.has(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === userId),
  ];
  return steps.reduce((permissions, step) => {
    const denied = step.reduce((bits, { deny }) => bits | BigInt(deny), 0n);
    const allowed = step.reduce((bits, { allow }) => bits | BigInt(allow), 0n);
    return (permissions & ~denied) | allowed;
  }, base);
}

export function canView(world: World, channel: Channel, userId: string): boolean {
  return (channelPermissions(world, channel, userId) & Permission.ViewChannel) !== 0n;
}

/** Refuses what the bot may not do: no access to the channel at all is 50001, a missing permission in it is 50013. */
export function requireBotPermissions(world: World, channel: Channel, needed: bigint): void {
  const permissions = channelPermissions(world, channel, world.bot.id);
  if ((permissions & Permission.ViewChannel) === 0n) throw failure('missingAccess');
  if ((permissions & needed) !== needed) throw failure('missingPermissions');
}
