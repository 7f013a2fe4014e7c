/** Answers to presses, and reactions. */
import { z } from 'zod';
import { writableChat } from '../members.ts';
import { chatId, flag, integer, structure } from '../parameters.ts';
import { reactionEmoji } from '../reactions.ts';
import { badRequest } from '../refusal.ts';
import { characters } from '../text/formatted.ts';
import { method } from './method.ts';

const ANSWER_CHARACTERS_MAX = 200;

export const answerCallbackQuery = method(
  z.strictObject({
    callback_query_id: z.string(),
    text: z.string().optional(),
    show_alert: flag.optional(),
    url: z.string().optional(),
    cache_time: integer.optional(),
  }),
  ({ presses, timing, world }, parameters) => {
    const press = presses.get(parameters.callback_query_id);
    const now = world.nowMs();
    // The second answer to a press is refused like a late one: the query is gone.
    if (!press || press.answer !== null || now - press.pressedAtMs > timing.queryLifeMs) {
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    }
    if (characters(parameters.text ?? '') > ANSWER_CHARACTERS_MAX) throw badRequest('MESSAGE_TOO_LONG');
    // A link may lead to the bot itself only; anything else is for games.
    if (parameters.url !== undefined && !isLinkToBot(parameters.url, world.bot.username))
      throw badRequest('URL_INVALID');
    press.answer = {
      text: parameters.text ?? '',
      showAlert: parameters.show_alert ?? false,
      url: parameters.url ?? null,
      atMs: now,
    };
    return true;
  },
);

function isLinkToBot(url: string, username: string): boolean {
  const target = /^(?:https?:\/\/)?(?:t\.me|telegram\.me)\/(\w+)(?:\?start=[\w-]{0,64})?$/.exec(url)?.[1];
  return target?.toLowerCase() === username.toLowerCase();
}

export const setMessageReaction = method(
  z.strictObject({
    chat_id: chatId,
    message_id: integer,
    reaction: structure(z.array(z.strictObject({ type: z.literal('emoji'), emoji: z.string() }))).optional(),
    is_big: flag.optional(),
  }),
  ({ world }, parameters) => {
    const wanted = parameters.reaction ?? [];
    // Bots have one reaction a message.
    if (wanted.length > 1) throw badRequest('REACTIONS_TOO_MANY');
    const chat = writableChat(world, parameters.chat_id);
    const stored = chat.messages.get(parameters.message_id);
    if (!stored || stored.deletedAtMs !== null) throw badRequest('message to react not found');
    const [reaction] = wanted;
    if (!reaction) {
      stored.reactions.delete(world.bot.id);
      return true;
    }
    const emoji = reactionEmoji.safeParse(reaction.emoji);
    if (!emoji.success || !chat.allowsReactions) throw badRequest('REACTION_INVALID');
    stored.reactions.set(world.bot.id, emoji.data);
    return true;
  },
);
