import { type ApplicationCommandType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Command } from '../forms/commands.ts';
import { contextOf } from '../state/interactions.ts';
import { channelPermissions } from '../state/permissions.ts';
import type { Channel, Interaction, User, World } from '../state/world.ts';

export type Offer = { command: Command; owners: Interaction['owners'] };

/** The command as this person's client offers it in this place, or an error that says why it does not. */
export function findOffer(
  world: World,
  user: User,
  channel: Channel,
  type: ApplicationCommandType,
  name: string,
): Offer {
  const named = [...world.commands.values()].filter(
    (command) => command.type === type && namesOf(command, user.locale).includes(name),
  );
  // A guild's own command hides the global one of the same name.
  const command =
    named.find(({ guildId }) => guildId !== null && guildId === channel.guildId) ??
    named.find(({ guildId }) => guildId === null);
  if (!command) throw new Error(`no command "${name}" is registered for this place`);
  const owners = ownersOf(world, user, channel, command.guildId === null ? (command.integration_types ?? [0]) : [0]);
  if (Object.keys(owners).length === 0) throw new Error(`"${name}" is installed neither here nor for ${user.username}`);
  const context = contextOf(world, channel);
  const isHere = command.contexts?.includes(context) ?? (context === 0 || command.dm_permission !== false);
  if (!isHere) throw new Error(`"${name}" is not offered in the context ${context}`);
  checkPermissions(world, user, channel, command);
  return { command, owners };
}

/** Who allowed the app here: the guild, the person, or both. */
export function ownersOf(
  world: World,
  user: User,
  channel: Channel,
  integrationTypes: readonly number[],
): Interaction['owners'] {
  const guild = channel.guildId === null ? undefined : world.guilds.get(channel.guildId);
  const context = contextOf(world, channel);
  const byGuild = integrationTypes.includes(0) && (guild ? guild.installed : context === 1);
  const byUser = integrationTypes.includes(1) && user.installed;
  return { ...(byGuild ? { '0': guild?.id ?? '0' } : {}), ...(byUser ? { '1': user.id } : {}) };
}

function namesOf({ name, name_localizations }: Command, locale: string): string[] {
  const translated = Object.entries(name_localizations ?? {}).find(([key]) => key === locale)?.[1];
  return translated === undefined ? [name] : [name, translated];
}

function checkPermissions(world: World, user: User, channel: Channel, command: Command): void {
  if (channel.guildId === null) {
    if (!channel.recipientIds.includes(user.id)) throw new Error(`${user.username} is not in this direct channel`);
    return;
  }
  const has = channelPermissions(world, channel, user.id);
  const needed = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.UseApplicationCommands;
  if ((has & needed) !== needed) throw new Error(`${user.username} cannot use commands in this channel`);
  const special = command.default_member_permissions ?? null;
  if (special === null || (has & PermissionFlagsBits.Administrator) !== 0n) return;
  // "0" leaves a command to administrators.
  if (special === '0' || (has & BigInt(special)) !== BigInt(special)) {
    throw new Error(`"${command.name}" is not offered to ${user.username}: it needs the permissions ${special}`);
  }
}
