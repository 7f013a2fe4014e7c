import { MessageReferenceType } from 'discord-api-types/v10';
import { toPartialMember, toUser } from './shapes.ts';
import type { Attachment, Message, World } from './world.ts';

/** How Discord's API shows a message. */
export function toMessage(world: World, message: Message, depth = 0): object {
  const author = world.users.get(message.authorId);
  if (!author) throw new Error(`expected the author ${message.authorId} of the message ${message.id}`);
  const replyTo = message.replyToId === null ? undefined : world.messages.get(message.replyToId);
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: toUser(author),
    content: message.content,
    timestamp: new Date(message.createdAt).toISOString(),
    edited_timestamp: message.editedAt === null ? null : new Date(message.editedAt).toISOString(),
    tts: message.tts,
    mention_everyone: message.mentions.everyone,
    mention_roles: message.mentions.roleIds,
    mentions: message.mentions.userIds.flatMap((id) => world.users.get(id) ?? []).map(toUser),
    attachments: message.attachments.map((attachment) => toAttachment(world, message.channelId, attachment)),
    embeds: message.embeds.map((embed) => ({ type: 'rich', ...embed })),
    components: message.components,
    reactions: reactionsOf(world, message),
    pinned: false,
    flags: message.flags,
    ...(message.nonce === null ? {} : { nonce: message.nonce }),
    ...(author.id === world.bot.id ? { application_id: world.bot.id } : {}),
    ...interactionOf(world, message),
    ...(message.replyToId === null
      ? {}
      : {
          message_reference: {
            type: MessageReferenceType.Default,
            message_id: message.replyToId,
            channel_id: message.channelId,
            ...guildOf(world, message),
          },
          // Only one level of a chain of replies is shown.
          ...(depth === 0
            ? { referenced_message: replyTo && replyTo.deletedAt === null ? toMessage(world, replyTo, 1) : null }
            : {}),
        }),
  };
}

/** With what the gateway adds to a message. */
export function toMessageEvent(world: World, message: Message): object {
  const { guildId } = world.channels.get(message.channelId) ?? { guildId: null };
  const member = guildId === null ? undefined : world.guilds.get(guildId)?.members.get(message.authorId);
  return {
    ...toMessage(world, message),
    ...guildOf(world, message),
    ...(member ? { member: { ...toPartialMember(member), deaf: false, mute: false } } : {}),
    channel_type: guildId === null ? 1 : 0,
  };
}

export function attachmentUrl(world: World, channelId: string, { id, filename }: Attachment): string {
  return `${world.origin}/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`;
}

function toAttachment(world: World, channelId: string, attachment: Attachment) {
  const url = attachmentUrl(world, channelId, attachment);
  const { id, filename, contentType, bytes, description } = attachment;
  return {
    id,
    filename,
    size: bytes.length,
    url,
    proxy_url: url,
    content_type: contentType,
    ...(description === undefined ? {} : { description }),
  };
}

function guildOf(world: World, message: Message): { guild_id?: string } {
  const guildId = world.channels.get(message.channelId)?.guildId ?? null;
  return guildId === null ? {} : { guild_id: guildId };
}

function reactionsOf(world: World, message: Message) {
  return [...message.reactions].map(([name, userIds]) => ({
    emoji: { id: null, name },
    count: userIds.size,
    count_details: { normal: userIds.size, burst: 0 },
    me: userIds.has(world.bot.id),
    me_burst: false,
    burst_colors: [],
  }));
}

function interactionOf(world: World, message: Message) {
  const found = message.interactionId === null ? undefined : world.interactions.get(message.interactionId);
  const user = found && world.users.get(found.userId);
  if (!found || !user) return {};
  return {
    webhook_id: world.bot.id,
    interaction_metadata: {
      id: found.id,
      type: found.type,
      user: toUser(user),
      authorizing_integration_owners: found.owners,
      ...(found.originalMessageId !== null && found.originalMessageId !== message.id
        ? { original_response_message_id: found.originalMessageId }
        : {}),
      ...(found.sourceMessageId === null ? {} : { interacted_message_id: found.sourceMessageId }),
    },
  };
}
