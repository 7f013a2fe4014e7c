import { GrammyError, type Api } from 'grammy';
import type { BotCommand, BotCommandScope, ChatMember } from 'grammy/types';
import { z } from 'zod';
import type { Language } from '../../core/languages.ts';
import type { Log } from '../shared/log.ts';
import type { Rendered } from './html.ts';
import type { Place } from './place.ts';

/** The outcome of a call, read from codes and fields alone; a refusal's text is for people. */
export type Outcome<Result> =
  | { kind: 'done'; result: Result }
  /** Nothing happened, and asking again changes nothing. */
  | { kind: 'refused'; code: number }
  /** Nothing happened yet: too much was sent. */
  | { kind: 'flood'; retryAfterMs: number }
  /** The group has another id now. */
  | { kind: 'moved'; chat: number }
  /** It may have happened: the connection broke, or the server failed. */
  | { kind: 'unknown' };

/** Beside the text. Of `replyTo` and `ephemeralReplyTo` at most one is given. */
export type SendOptions = {
  replyTo?: number;
  /** It notifies no phone. */
  isQuiet?: boolean;
  ephemeral?: { receiver: number; query?: string; command?: number };
};

export type SentIds = { messageId: number; ephemeralId: number | null };

/** The few calls by which the bot shows something. Each is made once, whatever its outcome; the time limit is the api's. */
export type Calls = {
  send: (place: Place, content: Rendered, options?: SendOptions) => Promise<Outcome<SentIds>>;
  edit: (chat: number, messageId: number, content: Rendered) => Promise<Outcome<unknown>>;
  editEphemeral: (chat: number, receiver: number, id: number, content: Rendered) => Promise<Outcome<unknown>>;
  remove: (chat: number, messageId: number) => Promise<Outcome<unknown>>;
  removeEphemeral: (chat: number, receiver: number, id: number) => Promise<Outcome<unknown>>;
  react: (chat: number, messageId: number, emoji: '👀' | '🎉' | null) => Promise<Outcome<unknown>>;
  typing: (place: Place) => Promise<Outcome<unknown>>;
};

export type Audience = { scope: BotCommandScope; language: Language | null };

/** The calls by which a group's menu follows what the bot may do there. Each is made once too. */
export type MenuCalls = {
  member: (chat: number, user: number) => Promise<Outcome<ChatMember>>;
  readMenu: (audience: Audience) => Promise<Outcome<BotCommand[]>>;
  /** Null: the audience has no list of its own any more. */
  writeMenu: (audience: Audience, commands: BotCommand[] | null) => Promise<Outcome<unknown>>;
};

/** Telegram has been seen to ask for minutes; more than this is asked again in between. */
const RETRY_AFTER_MAX_MS = 5 * 60_000;
const sentSchema = z.object({ message_id: z.int(), ephemeral_message_id: z.int().optional() });

type Attempt = <T>(method: string, work: () => Promise<T>) => Promise<Outcome<T>>;

function createAttempt(log: Log): Attempt {
  return async (method, work) => {
    try {
      return { kind: 'done', result: await work() };
    } catch (error) {
      const outcome = outcomeOf(error);
      log.info({ method, ...outcome }, 'Telegram did not take a call');
      return outcome;
    }
  };
}

export function createMenuCalls(api: Api, log: Log): MenuCalls {
  const attempt = createAttempt(log);
  return {
    member: (chat, user) => attempt('getChatMember', () => api.getChatMember(chat, user)),
    readMenu: (audience) => attempt('getMyCommands', () => api.raw.getMyCommands(audienceOf(audience))),
    writeMenu: (audience, commands) =>
      commands === null
        ? attempt('deleteMyCommands', () => api.raw.deleteMyCommands(audienceOf(audience)))
        : attempt('setMyCommands', () => api.raw.setMyCommands({ commands, ...audienceOf(audience) })),
  };
}

const audienceOf = ({ scope, language }: Audience) => ({
  scope,
  ...(language === null ? {} : { language_code: language }),
});

export function createCalls(api: Api, log: Log): Calls {
  const attempt = createAttempt(log);
  return {
    send: async ({ chat, topic }, content, options = {}) => {
      const call = { chat_id: chat, ...bodyOf(content), ...destinationOf(topic, options) };
      const outcome = await attempt('sendMessage', () => api.raw.sendMessage(call));
      return outcome.kind === 'done' ? { kind: 'done', result: idsOf(outcome.result) } : outcome;
    },
    edit: (chat, messageId, content) =>
      attempt('editMessageText', () =>
        api.raw.editMessageText({ chat_id: chat, message_id: messageId, ...bodyOf(content) }),
      ),
    editEphemeral: (chat, receiver, id, content) =>
      attempt('editEphemeralMessageText', () =>
        api.raw.editEphemeralMessageText({ ...ephemeralOf(chat, receiver, id), ...bodyOf(content) }),
      ),
    remove: (chat, messageId) =>
      attempt('deleteMessage', () => api.raw.deleteMessage({ chat_id: chat, message_id: messageId })),
    removeEphemeral: (chat, receiver, id) =>
      attempt('deleteEphemeralMessage', () => api.raw.deleteEphemeralMessage(ephemeralOf(chat, receiver, id))),
    react: (chat, messageId, emoji) =>
      attempt('setMessageReaction', () => {
        const reaction = emoji === null ? [] : [{ type: 'emoji' as const, emoji }];
        return api.raw.setMessageReaction({ chat_id: chat, message_id: messageId, reaction });
      }),
    typing: ({ chat, topic }) =>
      attempt('sendChatAction', () => {
        const thread = topic === null ? {} : { message_thread_id: topic };
        return api.raw.sendChatAction({ chat_id: chat, action: 'typing', ...thread });
      }),
  };
}

function bodyOf({ text, keyboard }: Rendered) {
  return {
    text,
    parse_mode: 'HTML' as const,
    link_preview_options: { is_disabled: true },
    // Telegram would drop it as well if it were left out; an empty one says that this is meant.
    reply_markup: { inline_keyboard: keyboard },
  };
}

function destinationOf(topic: number | null, { replyTo, isQuiet, ephemeral }: SendOptions) {
  const command = ephemeral?.command;
  const reply = replyTo === undefined ? undefined : { message_id: replyTo, allow_sending_without_reply: true };
  const original = command === undefined ? reply : { ephemeral_message_id: command };
  return {
    ...(topic === null ? {} : { message_thread_id: topic }),
    ...(isQuiet === true ? { disable_notification: true } : {}),
    ...(original === undefined ? {} : { reply_parameters: original }),
    ...(ephemeral === undefined
      ? {}
      : {
          ephemeral_message_parameters: {
            receiver_user_id: ephemeral.receiver,
            ...(ephemeral.query === undefined ? {} : { callback_query_id: ephemeral.query }),
          },
        }),
  };
}

const ephemeralOf = (chat: number, receiver: number, id: number) => ({
  chat_id: chat,
  receiver_user_id: receiver,
  ephemeral_message_id: id,
});

function idsOf(message: unknown): SentIds {
  const { message_id: messageId, ephemeral_message_id: ephemeralId = null } = sentSchema.parse(message);
  return { messageId, ephemeralId };
}

function outcomeOf(error: unknown): Exclude<Outcome<never>, { kind: 'done' }> {
  if (!(error instanceof GrammyError) || error.error_code >= 500) return { kind: 'unknown' };
  const { retry_after: retryAfter, migrate_to_chat_id: moved } = error.parameters;
  if (moved !== undefined) return { kind: 'moved', chat: moved };
  if (error.error_code !== 429) return { kind: 'refused', code: error.error_code };
  return { kind: 'flood', retryAfterMs: Math.min((retryAfter ?? 1) * 1_000, RETRY_AFTER_MAX_MS) };
}
