import { ApplicationCommandOptionType as Type, ApplicationCommandType, InteractionType } from 'discord-api-types/v10';
import type { Command, CommandOption } from '../forms/commands.ts';
import { openInteraction } from '../state/interactions.ts';
import { canSee } from '../state/messages.ts';
import { toMessage } from '../state/message-shape.ts';
import type { Channel, Interaction, User, World } from '../state/world.ts';
import { findOffer } from './availability.ts';
import type { Ref } from './directory.ts';
import { enterOptions, type OptionValues, resolveEntity, type Resolved } from './option-values.ts';

/** What people do with commands. */
export function createCommandActions(world: World) {
  const invoke = (user: User, channel: Channel, name: string, values: OptionValues, focused: string | null) => {
    const [root = '', ...path] = name.split(' ');
    const { command, owners } = findOffer(world, user, channel, ApplicationCommandType.ChatInput, root);
    const { options, wrap } = descend(command, path);
    const { entered, resolved } = enterOptions({ world, user, channel }, name, options, values, focused);
    const isTyping = focused !== null;
    return openInteraction(world, {
      type: isTyping ? InteractionType.ApplicationCommandAutocomplete : InteractionType.ApplicationCommand,
      name: [command.name, ...path].join(' '),
      user,
      channel,
      owners,
      source: null,
      data: {
        ...headOf(command),
        options: wrap(entered),
        ...(Object.keys(resolved).length > 0 ? { resolved } : {}),
      },
    });
  };

  return {
    /** Subcommands follow the name after a space: `settings channel`. */
    slash: (user: User, channel: Channel, name: string, values: OptionValues = {}): Interaction =>
      invoke(user, channel, name, values, null),

    /** Asks for suggestions while `focused` is being typed; they come into the interaction's `choices`. */
    autocomplete: (user: User, channel: Channel, name: string, values: OptionValues, focused: string): Interaction =>
      invoke(user, channel, name, values, focused),

    /** The menu on a user or on a message. */
    contextMenu: (user: User, channel: Channel, name: string, target: Ref): Interaction => {
      const message = world.messages.get(target.id);
      const resolved: Resolved = {};
      const type = message ? ApplicationCommandType.Message : ApplicationCommandType.User;
      const { command, owners } = findOffer(world, user, channel, type, name);
      if (message) {
        if (message.channelId !== channel.id || !canSee(world, message, user.id)) {
          throw new Error(`${user.username} does not see the message ${target.id} in this channel`);
        }
        resolved.messages = { [message.id]: toMessage(world, message) };
      } else if (!resolveEntity({ world, user, channel }, Type.User, target.id, resolved)) {
        throw new Error(`expected a user or a message, found ${target.id}`);
      }
      const data = { ...headOf(command), target_id: target.id, resolved };
      return openInteraction(world, {
        type: InteractionType.ApplicationCommand,
        name: command.name,
        user,
        channel,
        owners,
        source: null,
        data,
      });
    },
  };
}

function headOf({ id, name, type, guildId }: Command) {
  return { id, name, type, ...(guildId === null ? {} : { guild_id: guildId }) };
}

/** The options of a subcommand, and how its values are wrapped on the way to the bot. */
function descend(command: Command, path: readonly string[]) {
  let options: readonly CommandOption[] = 'options' in command ? (command.options ?? []) : [];
  let wrap = (entered: object[]): object[] => entered;
  for (const name of path) {
    const next = options.find((option) => option.name === name);
    if (!next || (next.type !== Type.Subcommand && next.type !== Type.SubcommandGroup)) {
      throw new Error(`/${command.name} has no subcommand "${name}"`);
    }
    const outer = wrap;
    wrap = (entered) => outer([{ name, type: next.type, options: entered }]);
    options = next.options ?? [];
  }
  if (options.some(({ type }) => type === Type.Subcommand || type === Type.SubcommandGroup)) {
    throw new Error(`/${command.name} needs a subcommand`);
  }
  return { options, wrap };
}
