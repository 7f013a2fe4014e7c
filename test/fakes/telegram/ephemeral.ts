/**
 * Ephemeral group messages (Bot API 10.2, with the parameters of 10.3): one member sees them, and the bot. Any bot may send
 * one within 15 seconds of that member's press or ephemeral command; a bot that is admin may at any time. They have a
 * message_id of 0 and an ephemeral_message_id, and methods of their own to edit and delete them. The rules are the
 * documented ones; the texts of these refusals are ours, because nobody has published Telegram's.
 */
import type { EphemeralParameters, ReplyParameters } from './parameters.ts';
import type { Platform, Press } from './platform.ts';
import { type FakeChat, type StoredMessage, isAdmin, isPresent, nowSeconds } from './world.ts';
import { badRequest } from './refusal.ts';

export type Addressed = {
  receiverId: number;
  /** What the receiver no longer sees, because this stands in its place. */
  replaces: StoredMessage | null;
};

export function checkEphemeral(
  platform: Platform,
  chat: FakeChat,
  wanted: EphemeralParameters | undefined,
  reply: ReplyParameters | undefined,
): Addressed | null {
  if (!wanted) {
    if (reply?.ephemeral_message_id === undefined) return null;
    throw badRequest('a reply to an ephemeral message must be ephemeral');
  }
  const receiverId = wanted.receiver_user_id;
  if (chat.info.type === 'private') throw badRequest('ephemeral messages exist in groups and supergroups only');
  const receiver = platform.world.users.get(receiverId);
  if (!receiver || receiver.is_bot || !isPresent(chat, receiverId)) {
    throw badRequest('the receiver of an ephemeral message must be a member of the chat and no bot');
  }
  const press = wanted.callback_query_id === undefined ? null : freshPress(platform, chat, wanted.callback_query_id);
  if (press && press.userId !== receiverId) throw badRequest('QUERY_ID_INVALID');
  const answersCommand = reply?.ephemeral_message_id !== undefined;
  if (answersCommand) checkCommand(platform, chat, reply.ephemeral_message_id, receiverId);
  if (!press && !answersCommand && !isAdmin(chat, platform.world.bot.id)) {
    throw badRequest('not enough rights to send ephemeral messages without a recent action of the receiver');
  }
  return { receiverId, replaces: replaced(chat, press, wanted.replace_callback_query_message ?? false) };
}

function freshPress(platform: Platform, chat: FakeChat, queryId: string): Press {
  const press = platform.presses.get(queryId);
  const tooOld = platform.world.nowMs() - (press?.pressedAtMs ?? 0) > platform.timing.ephemeralWindowMs;
  if (!press || tooOld || press.chatId !== chat.info.id) throw badRequest('QUERY_ID_INVALID');
  return press;
}

function checkCommand(platform: Platform, chat: FakeChat, id: number | undefined, receiverId: number): void {
  const command = id === undefined ? undefined : chat.ephemeral.get(id);
  const ageMs = platform.world.nowMs() - (command?.versions[0]?.atMs ?? 0);
  if (command?.message.from.id !== receiverId || ageMs > platform.timing.ephemeralWindowMs) {
    throw badRequest('message to be replied not found');
  }
}

function replaced(chat: FakeChat, press: Press | null, wanted: boolean): StoredMessage | null {
  if (!wanted) return null;
  if (!press || press.onEphemeral) throw badRequest('there is no ordinary message that could be replaced');
  return chat.messages.get(press.messageId) ?? null;
}

/** For the methods that edit and delete them. */
export function findEphemeral(chat: FakeChat, id: number, receiverId: number, purpose: string): StoredMessage {
  const stored = chat.ephemeral.get(id);
  if (!stored || stored.deletedAtMs !== null || stored.onlyFor !== receiverId) {
    throw badRequest(`message to ${purpose} not found`);
  }
  return stored;
}

/** An ephemeral command was received by the bot; what the bot sends is received by the member. */
export function withReceiver(platform: Platform, stored: StoredMessage, receiverId: number): void {
  const receiver = platform.world.users.get(receiverId);
  if (receiver) stored.message.receiver_user = receiver;
  stored.message.date = nowSeconds(platform.world);
}
