/** The methods that exist here. A name that is missing answers "method not found", as an unknown one does in reality. */
import { getChat, getChatAdministrators, getChatMember, getMe, leaveChat, sendChatAction } from './chats.ts';
import { deleteMyCommands, getMyCommands, setMyCommands } from './commands.ts';
import {
  deleteEphemeralMessage,
  deleteMessage,
  editEphemeralMessageReplyMarkup,
  editEphemeralMessageText,
  editMessageReplyMarkup,
  editMessageText,
} from './editing.ts';
import type { Method } from './method.ts';
import { answerCallbackQuery, setMessageReaction } from './queries.ts';
import { sendDocument, sendMessage, sendPhoto } from './sending.ts';
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from './updates.ts';

const METHODS = {
  getMe,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  setMyCommands,
  deleteMyCommands,
  getMyCommands,
  sendMessage,
  sendPhoto,
  sendDocument,
  sendChatAction,
  editMessageText,
  editMessageReplyMarkup,
  deleteMessage,
  editEphemeralMessageText,
  editEphemeralMessageReplyMarkup,
  deleteEphemeralMessage,
  answerCallbackQuery,
  setMessageReaction,
  getChat,
  getChatMember,
  getChatAdministrators,
  leaveChat,
} satisfies Record<string, Method>;

/** Names are compared without regard to case, as by the real server. */
const BY_NAME = new Map<string, { name: string; run: Method }>(
  Object.entries(METHODS).map(([name, run]) => [name.toLowerCase(), { name, run }]),
);

export function findMethod(name: string): { name: string; run: Method } | undefined {
  return BY_NAME.get(name.toLowerCase());
}
