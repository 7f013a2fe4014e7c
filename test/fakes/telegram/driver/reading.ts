/** What people see, and what the bot asked for. */
import type { BotCommand, MessageEntity, Update, User } from 'grammy/types';
import type { Call } from '../call-log.ts';
import type { StoredFile } from '../files.ts';
import { menuFor } from '../methods/commands.ts';
import type { CommandList, Platform } from '../platform.ts';
import {
  type ChatMessage,
  type Emoji,
  type StoredMessage,
  type Version,
  chatOf,
  isPresent,
  storedOf,
} from '../world.ts';
import type { MessageName } from './acting.ts';

export type Shown = {
  /** As the Bot API has it now. */
  message: ChatMessage;
  fromBot: boolean;
  text: string;
  entities: MessageEntity[];
  buttons: string[][];
  /** The ids of those whom its text names in a way that notifies them. */
  mentioned: number[];
  /** The first sending and every edit, in order, with times. */
  versions: Version[];
  ephemeral: boolean;
  photo: StoredFile | null;
  document: StoredFile | null;
  /** Emoji by user id; the bot's own among them. */
  reactions: Map<number, Emoji>;
};

export type Reading = {
  /** What this user sees in this chat, oldest first: without what was deleted, and without what is for others. */
  screen: (user: User, chat: { id: number }, topicId?: number) => Shown[];
  /** Only what the bot wrote. */
  fromBot: (user: User, chat: { id: number }, topicId?: number) => Shown[];
  /** Every message ever in the chat, deleted and ephemeral ones too. */
  history: (chat: { id: number }) => (Shown & { deletedAtMs: number | null; onlyFor: number | null })[];
  /** One message as it is now, no matter who may see it. */
  look: (message: MessageName) => Shown;
  /** The command menu that this user's client shows in this chat. */
  menu: (user: User, chat: { id: number }) => BotCommand[];
  /** The lists of commands that this chat has of its own. */
  ownMenus: (chat: { id: number }) => CommandList[];
  calls: (method?: string) => Call[];
  /** The calls that were refused: a bot that does nothing wrong has none but 429. */
  refused: (errorCode?: number) => Call[];
  /** Every update that was made, whether the bot has got it or not. */
  updates: () => Update[];
  /** When the bot was handed this update, each time: the start of its clock in a burst. */
  deliveries: (update: Update) => number[];
  /** Updates that the bot has not confirmed. */
  unconfirmed: () => Update[];
};

export function createReading(platform: Platform): Reading {
  const { world, files } = platform;

  function toShown(stored: StoredMessage): Shown {
    // Copies: what a test has read must not change under its hands.
    const message = structuredClone(stored.message);
    return {
      message,
      fromBot: message.from.id === world.bot.id,
      text: message.text ?? message.caption ?? '',
      entities: message.entities ?? message.caption_entities ?? [],
      buttons: stored.versions.at(-1)?.buttons ?? [],
      mentioned: mentionedIn(platform, message),
      versions: structuredClone(stored.versions),
      ephemeral: stored.onlyFor !== null,
      photo: fileOf(message.photo?.[0]?.file_id),
      document: fileOf(message.document?.file_id),
      reactions: new Map(stored.reactions),
    };
  }

  const fileOf = (id: string | undefined) => (id === undefined ? null : (files.get(id) ?? null));

  function inOrder(chatId: number): StoredMessage[] {
    const chat = chatOf(world, chatId);
    const all = [...chat.messages.values(), ...chat.ephemeral.values()];
    return all.toSorted((one, other) => (one.versions[0]?.atMs ?? 0) - (other.versions[0]?.atMs ?? 0));
  }

  function screen(user: User, chat: { id: number }, topicId?: number): Shown[] {
    if (!isPresent(chatOf(world, chat.id), user.id)) return [];
    return inOrder(chat.id)
      .filter((stored) => isVisible(stored, user.id, world.away))
      .filter((stored) => topicId === undefined || stored.message.message_thread_id === topicId)
      .map(toShown);
  }

  const calls = (method?: string) =>
    platform.log.all().filter((call) => method === undefined || call.method === method);

  return {
    screen,
    fromBot: (user, chat, topicId) => screen(user, chat, topicId).filter((shown) => shown.fromBot),
    history: (chat) =>
      inOrder(chat.id).map((stored) => ({
        ...toShown(stored),
        deletedAtMs: stored.deletedAtMs,
        onlyFor: stored.onlyFor,
      })),
    look: (message) => toShown(storedOf(world, message)),
    ownMenus: ({ id }) => platform.commandLists.filter(({ scope }) => scope.split(' ')[1] === String(id)),
    menu: (user, { id }) => menuFor(platform, chatOf(world, id), user),
    calls,
    refused: (errorCode) =>
      calls().filter(
        ({ outcome }) => outcome.kind === 'refused' && (errorCode === undefined || outcome.errorCode === errorCode),
      ),
    updates: () => platform.queue.made(),
    deliveries: (update) => platform.queue.deliveries(update.update_id),
    unconfirmed: () => platform.queue.pending(),
  };
}

function mentionedIn({ world }: Platform, message: ChatMessage): number[] {
  const text = message.text ?? message.caption ?? '';
  const ids = (message.entities ?? message.caption_entities ?? []).flatMap((entity) => {
    if (entity.type === 'text_mention') return [entity.user.id];
    if (entity.type !== 'mention') return [];
    const username = text.slice(entity.offset + 1, entity.offset + entity.length).toLowerCase();
    return [...world.users.values()].filter((user) => user.username?.toLowerCase() === username).map(({ id }) => id);
  });
  return [...new Set(ids)];
}

function isVisible(stored: StoredMessage, userId: number, away: Set<number>): boolean {
  if (stored.deletedAtMs !== null || stored.hiddenFor.has(userId)) return false;
  if (stored.onlyFor === null) return true;
  return stored.onlyFor === userId && (!away.has(userId) || stored.message.from.id === userId);
}
