import {
  PermissionFlagsBits,
  type ChatInputCommandInteraction,
  type Interaction,
  type ModalSubmitInteraction,
} from 'discord.js';
import { formatDiscordChat, readDiscordChat, type DiscordChat } from '../../core/discord/chat.ts';
import { OPTIONS } from './command-list.ts';
import { composeTip, FORM, readFormId } from './command-text.ts';
import type { Place } from './gateway.ts';
import type { Asked, Incoming, Person } from './event.ts';
import {
  DROP_COMMAND,
  readDrop,
  readReward,
  readSettings,
  readTop,
  readTreasury,
  REWARD_COMMAND,
  SETTINGS_COMMAND,
  TOP_COMMAND,
  TREASURY_COMMAND,
} from './guild-commands.ts';
import { COMMAND_NAMES } from '../../texts/discord/words.ts';

/** Null for anything but our own commands. */
export function readInteraction(interaction: Interaction, place: Place): Incoming | null {
  const { channelId } = interaction;
  if (channelId === null) return null;
  const asked = askedOf(interaction, channelId, place);
  if (interaction.isAutocomplete()) return { kind: 'suggest', asked, typed: interaction.options.getFocused() };
  if (interaction.isButton()) {
    const { customId: buttonId, message } = interaction;
    return { kind: 'press', asked, buttonId, messageId: message.id, isPrivate: message.flags.has('Ephemeral') };
  }
  if (interaction.isUserContextMenuCommand()) {
    return { kind: 'menu', asked, person: toPerson(interaction.targetUser), messageId: null };
  }
  if (interaction.isMessageContextMenuCommand()) {
    const { author, id: messageId } = interaction.targetMessage;
    return { kind: 'menu', asked, person: toPerson(author), messageId };
  }
  if (interaction.isModalSubmit()) return readForm(interaction, asked);
  return interaction.isChatInputCommand() ? readCommand(interaction, asked) : null;
}

function readCommand(interaction: ChatInputCommandInteraction, asked: Asked): Incoming | null {
  const { commandName, options } = interaction;
  if (commandName === SETTINGS_COMMAND) {
    const entered = readSettings(interaction);
    // The command is about this channel even where the bot may not write, so the person's chat does not replace it.
    const chatId = formatDiscordChat({ kind: 'guild', channelId: asked.channelId });
    return entered === null ? null : { kind: 'command', asked: { ...asked, chatId }, ...entered };
  }
  if (commandName === TREASURY_COMMAND) {
    const text = readTreasury(interaction);
    return text === null ? null : { kind: 'command', asked, text, people: [], roles: [] };
  }
  if (commandName === REWARD_COMMAND) {
    return { kind: 'command', asked, text: readReward(interaction), people: [], roles: [] };
  }
  if (commandName === DROP_COMMAND) {
    return { kind: 'command', asked, text: readDrop(interaction), people: [], roles: [] };
  }
  if (commandName === TOP_COMMAND) {
    return { kind: 'command', asked, text: readTop(interaction), people: [], roles: [] };
  }
  const name = COMMAND_NAMES.find((known) => known === commandName);
  if (name === undefined) return null;
  if (name === 'tip' || name === 'pay' || name === 'request') {
    const user = options.getUser('user');
    const people = user === null ? [] : [toPerson(user)];
    const text = composeTip({
      command: name,
      to: options.getString('to'),
      people: people.map(({ id }) => id),
      amount: options.getString('amount') ?? '',
      note: options.getString('note'),
    });
    return { kind: 'command', asked, text, people, roles: [] };
  }
  const values = OPTIONS[name].flatMap(({ key }) => options.getString(key) ?? []);
  return { kind: 'command', asked, text: [`/${name}`, ...values].join(' '), people: [], roles: [] };
}

function readForm({ customId, fields }: ModalSubmitInteraction, asked: Asked): Incoming | null {
  const tipped = readFormId(customId);
  if (tipped === null) return null;
  const { personId: id, messageId: tippedMessageId } = tipped;
  const [amount, note] = [fields.getTextInputValue(FORM.amount), fields.getTextInputValue(FORM.note)];
  // The form of a program is never opened, so this is a person.
  const people = [{ id, name: id, isBot: false }];
  const text = composeTip({ command: 'tip', to: null, people: [id], amount, note });
  // Where the bot may not write, it cannot reply to a message either.
  const isAnswered = tippedMessageId !== null && readDiscordChat(asked.chatId).kind === 'guild';
  return { kind: 'command', asked, text, people, roles: [], ...(isAnswered ? { tippedMessageId } : {}) };
}

function askedOf(interaction: Interaction, channelId: string, place: Place): Asked {
  const { id, token, user, locale, guildId, memberPermissions, context } = interaction;
  const isDirect = guildId === null && context === 1;
  return {
    id,
    token,
    user: { id: user.id, name: user.displayName },
    locale,
    channelId,
    isDirect,
    chatId: formatDiscordChat(chatOf(interaction, { ...place, channelId, isDirect })),
    chatName: place.name === null ? null : `#${place.name}`,
    communityId: guildId,
    // Anyone who may change the guild's settings may change ours for it.
    isModerator: memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false,
  };
}

type Here = Place & { channelId: string; isDirect: boolean };

/** A person may use the bot where it is no member: its answer appears there, but nothing that comes later. */
function chatOf(interaction: Interaction, { channelId, isDirect, isThread }: Here): DiscordChat {
  if (isDirect) return { kind: 'direct', channelId };
  const { guildId, appPermissions, authorizingIntegrationOwners, user } = interaction;
  const { ViewChannel, SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  const isInstalled = guildId !== null && authorizingIntegrationOwners[0] === guildId;
  const mayWrite = appPermissions.has([ViewChannel, isThread ? SendMessagesInThreads : SendMessages]);
  return isInstalled && mayWrite ? { kind: 'guild', channelId } : { kind: 'person', userId: user.id };
}

function toPerson({ id, bot, displayName }: { id: string; bot: boolean; displayName: string }): Person {
  return { id, isBot: bot, name: displayName };
}
