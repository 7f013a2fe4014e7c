import { ApplicationCommandOptionType as Type } from 'discord-api-types/v10';
import type { CommandOption } from '../forms/commands.ts';
import { toPartialMember, toResolvedChannel, toRole, toUser } from '../state/shapes.ts';
import { channelPermissions } from '../state/permissions.ts';
import type { Channel, User, World } from '../state/world.ts';
import type { Ref } from './directory.ts';

/** What a person enters: a user, role or channel stands for itself. */
export type OptionValue = string | number | boolean | Ref;
export type OptionValues = Readonly<Record<string, OptionValue>>;

export type Resolved = Partial<Record<'users' | 'members' | 'roles' | 'channels' | 'messages', Record<string, object>>>;

type Entered = { name: string; type: Type; value?: string | number | boolean; focused?: true; options?: Entered[] };
type Place = { world: World; user: User; channel: Channel };

/**
 * Turns what a person enters into what Discord sends, and refuses what Discord's client would not let them enter:
 * a test that enters it would prove nothing. While a value is still typed (`focused`), nothing is complete.
 */
export function enterOptions(
  place: Place,
  command: string,
  options: readonly CommandOption[],
  values: OptionValues,
  focused: string | null,
): { entered: Entered[]; resolved: Resolved } {
  const resolved: Resolved = {};
  for (const name of Object.keys(values)) {
    if (!options.some((option) => option.name === name)) throw new Error(`/${command} has no option "${name}"`);
  }
  const entered = options.flatMap((option): Entered[] => {
    const value = values[option.name];
    if (value === undefined) {
      if (option.required && focused === null) throw new Error(`/${command} needs its option "${option.name}"`);
      return [];
    }
    const { name, type } = option;
    if (name === focused) {
      if (!option.autocomplete) throw new Error(`the option "${name}" of /${command} has no autocomplete`);
      // Whatever the option's type, an unfinished value is text.
      return [{ name, type, value: typeof value === 'object' ? value.id : String(value), focused: true }];
    }
    return [{ name, type, value: toValue(place, option, value, resolved) }];
  });
  return { entered, resolved };
}

function toValue(place: Place, option: CommandOption, value: OptionValue, resolved: Resolved) {
  const wrong = (why: string) => new Error(`the option "${option.name}" ${why}`);
  if (typeof value === 'object') {
    if (!resolveEntity(place, option.type, value.id, resolved)) throw wrong('does not take this, or nobody knows it');
    return value.id;
  }
  const kinds: Partial<Record<Type, string>> = {
    [Type.String]: 'string',
    [Type.Integer]: 'number',
    [Type.Number]: 'number',
    [Type.Boolean]: 'boolean',
  };
  if (typeof value !== kinds[option.type]) throw wrong(`does not take ${typeof value}`);
  if (option.type === Type.Integer && !Number.isInteger(value)) throw wrong('takes integers');
  const size = typeof value === 'string' ? value.length : Number(value);
  const [least, most] =
    typeof value === 'string'
      ? [option.min_length ?? 1, option.max_length ?? 6000]
      : [option.min_value ?? -Infinity, option.max_value ?? Infinity];
  if (typeof value !== 'boolean' && (size < least || size > most)) throw wrong(`takes ${least} to ${most}`);
  const { choices = [] } = option;
  if (choices.length > 0 && !choices.some((choice) => choice.value === value)) throw wrong('has no such choice');
  return value;
}

/** Adds what Discord says about a chosen user, role or channel. False when the option takes no such thing. */
export function resolveEntity(place: Place, type: Type, id: string, resolved: Resolved): boolean {
  const { world, channel } = place;
  const guild = channel.guildId === null ? undefined : world.guilds.get(channel.guildId);
  const [user, role, target] = [world.users.get(id), guild?.roles.get(id), world.channels.get(id)];
  if (user && (type === Type.User || type === Type.Mentionable)) {
    resolved.users = { ...resolved.users, [id]: toUser(user) };
    const member = guild?.members.get(id);
    if (member) {
      const permissions = channelPermissions(world, channel, id).toString();
      resolved.members = { ...resolved.members, [id]: { ...toPartialMember(member), permissions } };
    }
    return true;
  }
  if (role && (type === Type.Role || type === Type.Mentionable)) {
    resolved.roles = { ...resolved.roles, [id]: toRole(role) };
    return true;
  }
  if (target && target.guildId === channel.guildId && type === Type.Channel) {
    resolved.channels = { ...resolved.channels, [id]: toResolvedChannel(world, target, place.user.id) };
    return true;
  }
  return false;
}
