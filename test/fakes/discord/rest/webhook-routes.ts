import { MessageFlags, MessageType } from 'discord-api-types/v10';
import { failure } from '../forms/failure.ts';
import { readForm } from '../forms/form.ts';
import { interactionMessage, messageEdit } from '../forms/messages.ts';
import { toMessage } from '../state/message-shape.ts';
import { createMessage, deleteMessage, editMessage } from '../state/messages.ts';
import type { Interaction, Message } from '../state/world.ts';
import { type Call, param, type Reply, type Route } from './route.ts';

const WEBHOOK = '/webhooks/:application/:token';
const FOLLOW_UPS_OF_USER_INSTALL_MAX = 5;
const COMMON = { bucket: 'webhook', auth: 'path' } as const;

/** What the token of an interaction can do for 15 minutes. None of it counts towards the global limit. */
export const WEBHOOK_ROUTES: Route[] = [
  { ...COMMON, method: 'POST', path: WEBHOOK, query: ['wait', 'with_components'], handle: followUp },
  { ...COMMON, method: 'GET', path: `${WEBHOOK}/messages/:message`, handle: getMessage },
  {
    ...COMMON,
    method: 'PATCH',
    path: `${WEBHOOK}/messages/:message`,
    query: ['with_components'],
    handle: patchMessage,
  },
  { ...COMMON, method: 'DELETE', path: `${WEBHOOK}/messages/:message`, handle: removeMessage },
];

/** Before the first answer the token opens nothing; after 15 minutes it is no token any more. */
function findInteraction(call: Call): Interaction {
  const { world } = call;
  if (param(call, 'application') !== world.bot.id) throw failure('unknownWebhook');
  const interaction = world.tokens.get(param(call, 'token'));
  if (!interaction || world.now() > interaction.tokenUntil) throw failure('invalidWebhookToken');
  if (interaction.answer === null) throw failure('unknownWebhook');
  return interaction;
}

/** Only messages of this interaction: its answer, and what followed. */
function findMessage(call: Call, interaction: Interaction): Message {
  const wanted = param(call, 'message');
  const id = wanted === '@original' ? interaction.originalMessageId : wanted;
  const isOurs = id !== null && (id === interaction.originalMessageId || interaction.followUpIds.includes(id));
  const message = isOurs ? call.world.messages.get(id) : undefined;
  if (!message || message.deletedAt !== null) throw failure('unknownMessage');
  return message;
}

function followUp(call: Call): Reply {
  const { world, uploads } = call;
  const interaction = findInteraction(call);
  const body = readForm(interactionMessage, call.body ?? {});
  if (interaction.loading && interaction.originalMessageId !== null) {
    const original = world.messages.get(interaction.originalMessageId);
    if (original && original.deletedAt === null) {
      // Discord's old way, which it calls deprecated: the first follow-up fills the deferred answer, whose visibility stays.
      interaction.loading = false;
      editMessage(world, original, body, uploads);
      return { status: 200, body: toMessage(world, original) };
    }
  }
  const isUserInstallOnly = interaction.owners['0'] === undefined;
  if (isUserInstallOnly && interaction.followUpIds.length >= FOLLOW_UPS_OF_USER_INSTALL_MAX) {
    throw failure('tooManyFollowUps');
  }
  const channel = world.channels.get(interaction.channelId);
  if (!channel) throw failure('unknownChannel');
  const message = createMessage(world, {
    channel,
    authorId: world.bot.id,
    body,
    uploads,
    type: interaction.originalMessageId === null ? MessageType.Default : MessageType.Reply,
    replyToId: interaction.originalMessageId,
    interactionId: interaction.id,
    onlyFor: ((body.flags ?? 0) & MessageFlags.Ephemeral) === 0 ? null : interaction.userId,
  });
  interaction.followUpIds.push(message.id);
  return { status: 200, body: toMessage(world, message) };
}

function getMessage(call: Call): Reply {
  return { status: 200, body: toMessage(call.world, findMessage(call, findInteraction(call))) };
}

function patchMessage(call: Call): Reply {
  const { world } = call;
  const interaction = findInteraction(call);
  const message = findMessage(call, interaction);
  editMessage(world, message, readForm(messageEdit, call.body ?? {}), call.uploads);
  if (message.id === interaction.originalMessageId) interaction.loading = false;
  return { status: 200, body: toMessage(world, message) };
}

function removeMessage(call: Call): Reply {
  const interaction = findInteraction(call);
  deleteMessage(call.world, findMessage(call, interaction));
  return { status: 204 };
}
