import { MessageType, PermissionFlagsBits as Permission } from 'discord-api-types/v10';
import { failure } from '../forms/failure.ts';
import { formFailure, readForm } from '../forms/form.ts';
import { channelMessage, type ChannelMessageBody, messageEdit } from '../forms/messages.ts';
import { toMessage } from '../state/message-shape.ts';
import { createMessage, deleteMessage, editMessage } from '../state/messages.ts';
import { canView, requireBotPermissions } from '../state/permissions.ts';
import { toChannel } from '../state/shapes.ts';
import type { Channel, Message, World } from '../state/world.ts';
import { type Call, param, type Reply, type Route } from './route.ts';

const MESSAGES = '/channels/:channel/messages';

export const CHANNEL_ROUTES: Route[] = [
  { method: 'GET', path: '/channels/:channel', bucket: 'channel', auth: 'bot', handle: getChannel },
  { method: 'POST', path: '/channels/:channel/typing', bucket: 'channel', auth: 'bot', handle: startTyping },
  {
    method: 'GET',
    path: MESSAGES,
    bucket: 'message-get',
    auth: 'bot',
    query: ['limit', 'before', 'after', 'around'],
    handle: listMessages,
  },
  { method: 'POST', path: MESSAGES, bucket: 'message-create', auth: 'bot', handle: postMessage },
  { method: 'GET', path: `${MESSAGES}/:message`, bucket: 'message-get', auth: 'bot', handle: getMessage },
  { method: 'PATCH', path: `${MESSAGES}/:message`, bucket: 'message-edit', auth: 'bot', handle: patchMessage },
  { method: 'DELETE', path: `${MESSAGES}/:message`, bucket: 'message-delete', auth: 'bot', handle: removeMessage },
];

/** The channel as the bot knows it: direct messages of others do not exist for it. */
export function findChannel(call: Call): Channel {
  const { world } = call;
  const channel = world.channels.get(param(call, 'channel'));
  if (!channel) throw failure('unknownChannel');
  if (channel.guildId === null && !channel.recipientIds.includes(world.bot.id)) throw failure('missingAccess');
  if (!canView(world, channel, world.bot.id)) throw failure('missingAccess');
  return channel;
}

/** Ephemeral messages cannot be reached here: only the token of their interaction leads to them. */
export function findMessage(call: Call, channel: Channel): Message {
  const message = call.world.messages.get(param(call, 'message'));
  if (!message || message.channelId !== channel.id || message.deletedAt !== null || message.onlyFor !== null) {
    throw failure('unknownMessage');
  }
  return message;
}

function getChannel(call: Call): Reply {
  return { status: 200, body: toChannel(call.world, findChannel(call)) };
}

function startTyping(call: Call): Reply {
  requireBotPermissions(call.world, findChannel(call), Permission.SendMessages);
  return { status: 204 };
}

function listMessages(call: Call): Reply {
  const { world, query } = call;
  const channel = findChannel(call);
  requireBotPermissions(world, channel, Permission.ReadMessageHistory);
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw formFailure([
      { path: ['limit'], code: 'NUMBER_TYPE_MAX', message: 'int value should be between 1 and 100.' },
    ]);
  }
  const [before, after] = [query.get('before'), query.get('after')];
  const found = [...world.messages.values()].filter(
    ({ id, channelId, deletedAt, onlyFor }) =>
      channelId === channel.id &&
      deletedAt === null &&
      onlyFor === null &&
      (before === null || BigInt(id) < BigInt(before)) &&
      (after === null || BigInt(id) > BigInt(after)),
  );
  return {
    status: 200,
    body: found
      .slice(-limit)
      .toReversed()
      .map((message) => toMessage(world, message)),
  };
}

function getMessage(call: Call): Reply {
  const channel = findChannel(call);
  requireBotPermissions(call.world, channel, Permission.ReadMessageHistory);
  return { status: 200, body: toMessage(call.world, findMessage(call, channel)) };
}

function postMessage(call: Call): Reply {
  const { world, uploads } = call;
  const channel = findChannel(call);
  const body = readForm(channelMessage, call.body ?? {});
  requireBotPermissions(world, channel, neededFor(body, uploads.length > 0));
  requireReachable(world, channel);
  const earlier = findByNonce(world, body);
  if (earlier) return { status: 200, body: toMessage(world, earlier) };

  const replyToId = findReplyTo(world, channel, body);
  const message = createMessage(world, {
    channel,
    authorId: world.bot.id,
    body,
    uploads,
    type: replyToId === null ? MessageType.Default : MessageType.Reply,
    replyToId,
    interactionId: null,
    onlyFor: null,
  });
  if (message.nonce !== null) world.nonces.set(String(message.nonce), { messageId: message.id, at: world.now() });
  return { status: 200, body: toMessage(world, message) };
}

function neededFor(body: ChannelMessageBody, hasFiles: boolean): bigint {
  let needed = Permission.SendMessages;
  if ((body.embeds?.length ?? 0) > 0) needed |= Permission.EmbedLinks;
  if (hasFiles) needed |= Permission.AttachFiles;
  if (body.message_reference) needed |= Permission.ReadMessageHistory;
  return needed;
}

/** Direct messages reach who has them open and shares a guild with the bot, or has added the app. */
function requireReachable(world: World, channel: Channel): void {
  if (channel.guildId !== null) return;
  for (const id of channel.recipientIds.filter((recipient) => recipient !== world.bot.id)) {
    const user = world.users.get(id);
    if (!user?.acceptsMessages) throw failure('cannotMessageUser');
    const shared = [...world.guilds.values()].some(({ members }) => members.has(id) && members.has(world.bot.id));
    if (!shared && !user.installed) throw failure('noMutualGuild');
  }
}

/** The same author's message with the same nonce of the past few minutes is the answer, and nothing new is posted. */
function findByNonce(world: World, body: ChannelMessageBody): Message | null {
  if (!body.enforce_nonce || body.nonce === undefined || body.nonce === null) return null;
  const earlier = world.nonces.get(String(body.nonce));
  if (!earlier || world.now() - earlier.at > world.settings.nonceMs) return null;
  return world.messages.get(earlier.messageId) ?? null;
}

function findReplyTo(world: World, channel: Channel, body: ChannelMessageBody): string | null {
  const reference = body.message_reference;
  if (!reference) return null;
  const target = world.messages.get(reference.message_id);
  if (target && target.channelId === channel.id && target.deletedAt === null && target.onlyFor === null) {
    return target.id;
  }
  if (reference.fail_if_not_exists === false) return null;
  throw formFailure([{ path: ['message_reference'], code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }]);
}

function patchMessage(call: Call): Reply {
  const { world } = call;
  const channel = findChannel(call);
  const message = findMessage(call, channel);
  const body = readForm(messageEdit, call.body ?? {});
  if (message.authorId !== world.bot.id) throw failure('notYourMessage');
  editMessage(world, message, body, call.uploads);
  return { status: 200, body: toMessage(world, message) };
}

function removeMessage(call: Call): Reply {
  const { world } = call;
  const channel = findChannel(call);
  const message = findMessage(call, channel);
  if (message.authorId !== world.bot.id) {
    if (channel.guildId === null) throw failure('missingPermissions');
    requireBotPermissions(world, channel, Permission.ManageMessages);
  }
  deleteMessage(world, message);
  return { status: 204 };
}
