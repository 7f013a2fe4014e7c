import { InteractionResponseType as Answer, InteractionType, MessageFlags, MessageType } from 'discord-api-types/v10';
import { type Callback, readCallback } from '../forms/callbacks.ts';
import { Failure, failure } from '../forms/failure.ts';
import { toMessage } from '../state/message-shape.ts';
import { createMessage, createThinking, editMessage } from '../state/messages.ts';
import type { Channel, Interaction, Message, World } from '../state/world.ts';
import { type Call, param, type Reply, type Route } from './route.ts';

/** Answers to interactions have no bucket of their own and do not count towards the global limit. */
export const CALLBACK_ROUTES: Route[] = [
  {
    method: 'POST',
    path: '/interactions/:interaction/:token/callback',
    bucket: null,
    auth: 'path',
    query: ['with_response'],
    handle: answer,
  },
];

function answer(call: Call): Reply {
  const { world } = call;
  const interaction = world.interactions.get(param(call, 'interaction'));
  if (!interaction || interaction.token !== param(call, 'token')) throw failure('unknownInteraction');
  try {
    const message = accept(call, interaction);
    if (call.query.get('with_response') !== 'true') return { status: 204 };
    return { status: 200, body: toResponse(world, interaction, message) };
  } catch (error) {
    if (error instanceof Failure) interaction.refusedAnswers.push({ at: world.now(), code: error.code });
    throw error;
  }
}

function accept(call: Call, interaction: Interaction): Message | null {
  const { world } = call;
  const now = world.now();
  if (interaction.answer !== null && now <= interaction.tokenUntil) throw failure('alreadyAcknowledged');
  if (now > interaction.answerUntil || now > interaction.tokenUntil) throw failure('unknownInteraction');
  const callback = readCallback(call.body, interaction.type, interaction.sourceMessageId !== null);
  const message = carryOut(call, interaction, callback);
  interaction.answer = { type: callback.type, at: now, afterMs: now - interaction.createdAt };
  world.changes.happened();
  return message;
}

function carryOut(call: Call, interaction: Interaction, callback: Callback): Message | null {
  const { world, uploads } = call;
  const channel = world.channels.get(interaction.channelId);
  if (!channel) throw failure('unknownInteraction');
  switch (callback.type) {
    case Answer.ChannelMessageWithSource: {
      const draft = draftOf(interaction, channel, world, ((callback.data.flags ?? 0) & MessageFlags.Ephemeral) !== 0);
      return keepOriginal(interaction, createMessage(world, { ...draft, body: callback.data, uploads }));
    }
    case Answer.DeferredChannelMessageWithSource: {
      interaction.loading = true;
      const isPrivate = ((callback.data.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
      return keepOriginal(interaction, createThinking(world, draftOf(interaction, channel, world, isPrivate)));
    }
    case Answer.DeferredMessageUpdate:
      return keepOriginal(interaction, sourceOf(world, interaction));
    case Answer.UpdateMessage: {
      const source = sourceOf(world, interaction);
      editMessage(world, source, callback.data, uploads);
      return keepOriginal(interaction, source);
    }
    case Answer.ApplicationCommandAutocompleteResult:
      interaction.choices = callback.data.choices;
      return null;
    case Answer.Modal:
      interaction.modal = callback.data;
      return null;
  }
}

/** The message that `@original` means from now on. */
function keepOriginal(interaction: Interaction, message: Message): Message {
  interaction.originalMessageId = message.id;
  return message;
}

function sourceOf(world: World, interaction: Interaction): Message {
  const source = world.messages.get(interaction.sourceMessageId ?? '');
  if (!source || source.deletedAt !== null) throw failure('unknownMessage');
  return source;
}

function draftOf(interaction: Interaction, channel: Channel, world: World, isPrivate: boolean) {
  const isCommand = interaction.type === InteractionType.ApplicationCommand;
  return {
    channel,
    authorId: world.bot.id,
    type: isCommand ? MessageType.ChatInputCommand : MessageType.Default,
    replyToId: interaction.sourceMessageId,
    interactionId: interaction.id,
    onlyFor: isPrivate ? interaction.userId : null,
  };
}

function toResponse(world: World, interaction: Interaction, message: Message | null): object {
  const type = interaction.answer?.type;
  const hasMessage = type === Answer.ChannelMessageWithSource || type === Answer.UpdateMessage;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(message === null
        ? {}
        : {
            response_message_id: message.id,
            response_message_loading: (message.flags & MessageFlags.Loading) !== 0,
            response_message_ephemeral: message.onlyFor !== null,
          }),
    },
    ...(type === undefined
      ? {}
      : { resource: { type, ...(message !== null && hasMessage ? { message: toMessage(world, message) } : {}) } }),
  };
}
