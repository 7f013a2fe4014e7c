import { MessageFlags, type MessageType } from 'discord-api-types/v10';
import type { MessageBody } from '../forms/messages.ts';
import { checkContents, textsOf } from './contents.ts';
import { findMentions, findNotified } from './mentions.ts';
import { toMessageEvent } from './message-shape.ts';
import { canView } from './permissions.ts';
import { mergeAttachments, type Upload } from './uploads.ts';
import type { Channel, Message, World } from './world.ts';

export type Draft = {
  channel: Channel;
  authorId: string;
  body: MessageBody;
  uploads: readonly Upload[];
  type: MessageType;
  replyToId: string | null;
  interactionId: string | null;
  onlyFor: string | null;
};

const ALL_KINDS = ['users', 'roles', 'everyone'];

export function createMessage(world: World, draft: Draft): Message {
  const { body, onlyFor, channel } = draft;
  const message = emptyMessage(world, draft);
  message.tts = body.tts ?? false;
  message.flags = (body.flags ?? 0) & ~MessageFlags.Ephemeral;
  if (onlyFor !== null) message.flags |= MessageFlags.Ephemeral;
  fill(world, message, body, draft.uploads);
  checkContents(message);
  mention(world, channel, message, body);
  message.notifiedIds = findNotified(world, channel, message);
  keep(world, message);
  return message;
}

/** What a deferred answer shows until its content comes. */
export function createThinking(world: World, draft: Omit<Draft, 'body' | 'uploads'>): Message {
  const message = emptyMessage(world, { ...draft, body: {}, uploads: [] });
  message.flags = MessageFlags.Loading | (draft.onlyFor === null ? 0 : MessageFlags.Ephemeral);
  keep(world, message);
  return message;
}

/** Edits notify nobody, not even the first content of a deferred answer; so it is on Discord. */
export function editMessage(world: World, message: Message, body: MessageBody, uploads: readonly Upload[]): void {
  const channel = channelOf(world, message);
  const wasLoading = (message.flags & MessageFlags.Loading) !== 0;
  const next = copyOf(message);
  next.flags &= ~MessageFlags.Loading;
  const settable = MessageFlags.IsComponentsV2 | MessageFlags.SuppressEmbeds;
  if (typeof body.flags === 'number') {
    const isNewStyle = next.flags & MessageFlags.IsComponentsV2;
    next.flags = (next.flags & ~settable) | (body.flags & settable) | isNewStyle;
  }
  fill(world, next, body, uploads);
  checkContents(next);
  if (body.content !== undefined || body.components !== undefined) mention(world, channel, next, body);
  if (!wasLoading) next.editedAt = world.now();
  next.at = world.now();
  Object.assign(message, next);
  message.versions.push(versionOf(message));
  announce(world, 'MESSAGE_UPDATE', message);
}

export function deleteMessage(world: World, message: Message): void {
  message.deletedAt = world.now();
  const { guildId } = channelOf(world, message);
  world.changes.happened();
  if (message.onlyFor !== null) return;
  const where = guildId === null ? {} : { guild_id: guildId };
  world.publish({ t: 'MESSAGE_DELETE', d: { id: message.id, channel_id: message.channelId, ...where }, guildId });
}

export function canSee(world: World, message: Message, userId: string): boolean {
  if (message.deletedAt !== null) return false;
  return message.onlyFor === null ? canView(world, channelOf(world, message), userId) : message.onlyFor === userId;
}

export function channelOf(world: World, message: Message): Channel {
  const channel = world.channels.get(message.channelId);
  if (!channel) throw new Error(`expected the channel ${message.channelId} of the message ${message.id}`);
  return channel;
}

function emptyMessage(world: World, draft: Draft): Message {
  const now = world.now();
  return {
    id: world.nextId(),
    type: draft.type,
    channelId: draft.channel.id,
    authorId: draft.authorId,
    at: now,
    createdAt: now,
    editedAt: null,
    deletedAt: null,
    tts: false,
    flags: 0,
    content: '',
    embeds: [],
    components: [],
    attachments: [],
    nonce: draft.body.nonce ?? null,
    replyToId: draft.replyToId,
    interactionId: draft.interactionId,
    onlyFor: draft.onlyFor,
    mentions: { userIds: [], roleIds: [], everyone: false },
    notifiedIds: [],
    reactions: new Map(),
    versions: [],
  };
}

function fill(world: World, message: Message, body: MessageBody, uploads: readonly Upload[]): void {
  if (body.content !== undefined) message.content = (body.content ?? '').trim();
  if (body.embeds !== undefined) message.embeds = body.embeds ?? [];
  if (body.components !== undefined) message.components = body.components ?? [];
  message.attachments = mergeAttachments(world, message.attachments, body, uploads);
}

function mention(world: World, channel: Channel, message: Message, body: MessageBody): void {
  message.mentions = findMentions(world, channel, {
    texts: textsOf(message),
    allowed: body.allowed_mentions ?? null,
    byDefault: message.interactionId === null ? ALL_KINDS : ['users'],
    authorId: message.authorId,
    replyTo: message.interactionId === null ? (world.messages.get(message.replyToId ?? '') ?? null) : null,
  });
}

function keep(world: World, message: Message): void {
  message.versions.push(versionOf(message));
  world.messages.set(message.id, message);
  channelOf(world, message).lastMessageId = message.id;
  announce(world, 'MESSAGE_CREATE', message);
}

function announce(world: World, t: string, message: Message): void {
  world.changes.happened();
  if (message.onlyFor !== null) return;
  const { guildId } = channelOf(world, message);
  const isForBot =
    guildId === null || message.authorId === world.bot.id || message.mentions.userIds.includes(world.bot.id);
  world.publish({
    t,
    guildId,
    // Made when a session takes it, which is now or never: hundreds appear at once that nobody listens to.
    get d() {
      return toMessageEvent(world, message);
    },
    get withoutContent() {
      const bare = { content: '', embeds: [], attachments: [], components: [] };
      return isForBot ? undefined : { ...toMessageEvent(world, message), ...bare };
    },
  });
}

/** An edit that is refused must leave the message as it was. */
function copyOf(message: Message): Message {
  return { ...message, attachments: [...message.attachments] };
}

function versionOf({ at, content, embeds, components, attachments }: Message) {
  return { at, content, embeds, components, attachments };
}
