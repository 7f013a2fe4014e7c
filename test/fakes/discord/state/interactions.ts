import { randomBytes } from 'node:crypto';
import type { InteractionContextType, InteractionType } from 'discord-api-types/v10';
import { channelPermissions } from './permissions.ts';
import { toMember, toUser, toChannel } from './shapes.ts';
import { toMessage } from './message-shape.ts';
import type { Channel, Interaction, Message, User, World } from './world.ts';

const CONTEXT = { guild: 0, botDm: 1, privateChannel: 2 } as const;

export type Opening = {
  type: InteractionType;
  name: string;
  user: User;
  channel: Channel;
  owners: Interaction['owners'];
  data: object;
  source: Message | null;
};

/** Starts an interaction and sends it to the bot. Its 3 seconds and its 15 minutes begin here. */
export function openInteraction(world: World, opening: Opening): Interaction {
  const { type, user, channel, owners, data, source } = opening;
  const now = world.now();
  const interaction: Interaction = {
    id: world.nextId(),
    token: randomBytes(48).toString('base64url'),
    type,
    name: opening.name,
    userId: user.id,
    channelId: channel.id,
    guildId: channel.guildId,
    context: contextOf(world, channel),
    owners,
    createdAt: now,
    answerUntil: now + world.settings.answerMs,
    tokenUntil: now + world.settings.tokenMs,
    answer: null,
    refusedAnswers: [],
    sourceMessageId: source?.id ?? null,
    originalMessageId: null,
    loading: false,
    followUpIds: [],
    choices: null,
    modal: null,
    event: { t: 'INTERACTION_CREATE', d: null, guildId: channel.guildId },
  };
  interaction.event = { ...interaction.event, d: toInteraction(world, interaction, user, channel, data, source) };
  world.interactions.set(interaction.id, interaction);
  world.tokens.set(interaction.token, interaction);
  world.changes.happened();
  world.publish(interaction.event);
  return interaction;
}

export function contextOf(world: World, channel: Channel): InteractionContextType {
  if (channel.guildId !== null) return CONTEXT.guild;
  return channel.kind === 'dm' && channel.recipientIds.includes(world.bot.id) ? CONTEXT.botDm : CONTEXT.privateChannel;
}

function toInteraction(
  world: World,
  interaction: Interaction,
  user: User,
  channel: Channel,
  data: object,
  source: Message | null,
): object {
  const guild = channel.guildId === null ? undefined : world.guilds.get(channel.guildId);
  const member = guild?.members.get(user.id);
  const permissions = channelPermissions(world, channel, user.id).toString();
  return {
    id: interaction.id,
    application_id: world.bot.id,
    type: interaction.type,
    data,
    token: interaction.token,
    version: 1,
    channel_id: channel.id,
    channel: toChannel(world, channel),
    ...(guild && member
      ? {
          guild_id: guild.id,
          guild: { id: guild.id, locale: guild.locale, features: [] },
          guild_locale: guild.locale,
          member: { ...toMember(world, member), permissions },
        }
      : { user: toUser(user) }),
    ...(source === null ? {} : { message: toMessage(world, source) }),
    locale: user.locale,
    app_permissions: channelPermissions(world, channel, world.bot.id).toString(),
    entitlements: [],
    authorizing_integration_owners: interaction.owners,
    context: interaction.context,
    attachment_size_limit: world.settings.attachmentBytesMax,
  };
}
