/** What happens to messages that are there: new text, other buttons, deletion. */
import type { InlineKeyboardMarkup } from 'grammy/types';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { findEphemeral } from '../ephemeral.ts';
import { inlineKeyboard, readKeyboard } from '../keyboard.ts';
import { reachableChat, writableChat } from '../members.ts';
import { chatId, integer } from '../parameters.ts';
import type { Platform } from '../platform.ts';
import { badRequest } from '../refusal.ts';
import type { Parsed } from '../text/html.ts';
import { type FakeChat, type StoredMessage, isAdmin, nowSeconds, toVersion } from '../world.ts';
import { method } from './method.ts';
import { textOf, textParameters } from './texts.ts';

/** Bots may delete what is younger than this. */
const DELETABLE_MS = 48 * 3_600_000;

const target = { chat_id: chatId, message_id: integer };
const ephemeralTarget = { chat_id: chatId, receiver_user_id: integer, ephemeral_message_id: integer };
const newText = { ...textParameters, reply_markup: inlineKeyboard.optional() };
const newButtons = { reply_markup: inlineKeyboard.optional() };

export const editMessageText = method(z.strictObject({ ...target, ...newText }), (platform, parameters) => {
  const text = textOf(platform, parameters);
  const chat = writableChat(platform.world, parameters.chat_id);
  const stored = findOwn(platform, chat, parameters.message_id);
  return change(platform, chat, stored, readKeyboard(parameters.reply_markup), text);
});

export const editMessageReplyMarkup = method(z.strictObject({ ...target, ...newButtons }), (platform, parameters) => {
  const chat = writableChat(platform.world, parameters.chat_id);
  const stored = findOwn(platform, chat, parameters.message_id);
  return change(platform, chat, stored, readKeyboard(parameters.reply_markup), null);
});

export const deleteMessage = method(z.strictObject(target), (platform, parameters) => {
  const { world } = platform;
  const chat = reachableChat(world, parameters.chat_id);
  const stored = chat.messages.get(parameters.message_id);
  if (!stored || stored.deletedAtMs !== null) throw badRequest('message to delete not found');
  const own = stored.message.from.id === world.bot.id;
  const membership = chat.members.get(world.bot.id);
  const moderates = membership?.status === 'administrator' && membership.rights.canDeleteMessages;
  const ageMs = world.nowMs() - (stored.versions[0]?.atMs ?? 0);
  // As an admin it may delete what is old; everywhere else the two days count.
  if (!moderates && (ageMs > DELETABLE_MS || (!own && chat.info.type !== 'private'))) {
    throw badRequest("message can't be deleted");
  }
  stored.deletedAtMs = world.nowMs();
  return true;
});

export const editEphemeralMessageText = method(
  z.strictObject({ ...ephemeralTarget, ...newText }),
  (platform, parameters) => {
    const text = textOf(platform, parameters);
    const { chat, stored } = ephemeralOf(platform, parameters, 'edit');
    change(platform, chat, stored, readKeyboard(parameters.reply_markup), text);
    return true;
  },
);

export const editEphemeralMessageReplyMarkup = method(
  z.strictObject({ ...ephemeralTarget, ...newButtons }),
  (platform, parameters) => {
    const { chat, stored } = ephemeralOf(platform, parameters, 'edit');
    change(platform, chat, stored, readKeyboard(parameters.reply_markup), null);
    return true;
  },
);

export const deleteEphemeralMessage = method(z.strictObject(ephemeralTarget), (platform, parameters) => {
  const { stored } = ephemeralOf(platform, parameters, 'delete');
  stored.deletedAtMs = platform.world.nowMs();
  return true;
});

const ephemeralTargetSchema = z.strictObject(ephemeralTarget);

function ephemeralOf(platform: Platform, named: z.infer<typeof ephemeralTargetSchema>, purpose: string) {
  const chat = writableChat(platform.world, named.chat_id);
  const stored = findEphemeral(chat, named.ephemeral_message_id, named.receiver_user_id, purpose);
  if (stored.message.from.id !== platform.world.bot.id && !isAdmin(chat, platform.world.bot.id)) {
    throw badRequest(`message can't be ${purpose}ed`);
  }
  return { chat, stored };
}

function findOwn(platform: Platform, chat: FakeChat, messageId: number): StoredMessage {
  const stored = chat.messages.get(messageId);
  if (!stored || stored.deletedAtMs !== null) throw badRequest('message to edit not found');
  if (stored.message.from.id !== platform.world.bot.id) throw badRequest("message can't be edited");
  return stored;
}

/** Without a keyboard in the call, the one that was there goes. */
function change(
  platform: Platform,
  chat: FakeChat,
  stored: StoredMessage,
  keyboard: InlineKeyboardMarkup | undefined,
  text: Parsed | null,
) {
  const { message } = stored;
  if (text && message.text === undefined) throw badRequest('there is no text in the message to edit');
  const sameText = !text || (message.text === text.text && isDeepStrictEqual(message.entities ?? [], text.entities));
  if (sameText && isDeepStrictEqual(message.reply_markup, keyboard)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  platform.flood.take(chat.info);

  if (text) {
    message.text = text.text;
    if (text.entities.length > 0) message.entities = text.entities;
    else delete message.entities;
  }
  if (keyboard) message.reply_markup = keyboard;
  else delete message.reply_markup;
  message.edit_date = nowSeconds(platform.world);
  stored.versions.push(toVersion(platform.world, message));
  return message;
}
