import { PermissionFlagsBits as Permission } from 'discord-api-types/v10';
import { failure } from '../forms/failure.ts';
import { requireBotPermissions } from '../state/permissions.ts';
import { react, unreact } from '../state/reactions.ts';
import { toUser } from '../state/shapes.ts';
import { findChannel, findMessage } from './channel-routes.ts';
import { type Call, param, type Reply, type Route } from './route.ts';

const REACTIONS = '/channels/:channel/messages/:message/reactions';
const KINDS_MAX = 20;
/** With or without the selector that asks for the coloured form. */
const EMOJI = new RegExp('^(\\p{RGI_Emoji}|\\p{Emoji}\\uFE0F?)$', 'v');

export const REACTION_ROUTES: Route[] = [
  { method: 'PUT', path: `${REACTIONS}/:emoji/@me`, bucket: 'reaction', auth: 'bot', handle: addReaction },
  { method: 'DELETE', path: `${REACTIONS}/:emoji/@me`, bucket: 'reaction', auth: 'bot', handle: removeOwn },
  { method: 'DELETE', path: `${REACTIONS}/:emoji/:user`, bucket: 'reaction', auth: 'bot', handle: removeOther },
  {
    method: 'GET',
    path: `${REACTIONS}/:emoji`,
    bucket: 'message-get',
    auth: 'bot',
    query: ['limit', 'after', 'type'],
    handle: listReactions,
  },
  { method: 'DELETE', path: REACTIONS, bucket: 'reaction', auth: 'bot', handle: removeAll },
];

function addReaction(call: Call): Reply {
  const { world } = call;
  const channel = findChannel(call);
  const message = findMessage(call, channel);
  const emoji = readEmoji(call);
  const isNew = !message.reactions.has(emoji);
  requireBotPermissions(world, channel, Permission.ReadMessageHistory | (isNew ? Permission.AddReactions : 0n));
  if (isNew && message.reactions.size >= KINDS_MAX) throw failure('tooManyReactions');
  react(world, message, world.bot.id, emoji);
  return { status: 204 };
}

function removeOwn(call: Call): Reply {
  const message = findMessage(call, findChannel(call));
  unreact(call.world, message, call.world.bot.id, readEmoji(call));
  return { status: 204 };
}

function removeOther(call: Call): Reply {
  const channel = findChannel(call);
  const message = findMessage(call, channel);
  requireBotPermissions(call.world, channel, Permission.ManageMessages);
  unreact(call.world, message, param(call, 'user'), readEmoji(call));
  return { status: 204 };
}

function removeAll(call: Call): Reply {
  const channel = findChannel(call);
  const message = findMessage(call, channel);
  requireBotPermissions(call.world, channel, Permission.ManageMessages);
  message.reactions.clear();
  call.world.changes.happened();
  return { status: 204 };
}

function listReactions(call: Call): Reply {
  const { world } = call;
  const message = findMessage(call, findChannel(call));
  const userIds = [...(message.reactions.get(readEmoji(call)) ?? [])];
  return { status: 200, body: userIds.flatMap((id) => world.users.get(id) ?? []).map(toUser) };
}

/** A Unicode emoji. Custom ones would have to belong to a guild, and there are none here. */
function readEmoji(call: Call): string {
  const emoji = param(call, 'emoji');
  if (!EMOJI.test(emoji) || /^[0-9#*]$/.test(emoji)) throw failure('unknownEmoji');
  return emoji;
}
