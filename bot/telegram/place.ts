import type { ChatName } from '../../core/chats/chats.ts';

/** Chats and events as the core knows them: text. Only this file knows what is in it. */
export const TELEGRAM_TRANSPORT = 'telegram' satisfies ChatName;

export type Place = { chat: number; topic: number | null };

export function formatPlace({ chat, topic }: Place): string {
  return topic === null ? String(chat) : `${chat}/${topic}`;
}

export function readPlace(chatId: string): Place {
  const [, chat, topic] = /^(-?\d{1,16})(?:\/(\d{1,16}))?$/.exec(chatId) ?? [];
  if (chat === undefined) throw new Error(`a Telegram chat is an id, and a topic after a slash; found ${chatId}`);
  return { chat: Number(chat), topic: topic === undefined ? null : Number(topic) };
}

/** A private chat has the id of the person in it; groups have negative ones. */
export function isGroup({ chat }: Pick<Place, 'chat'>): boolean {
  return chat < 0;
}

/** The same for the number alone. */
export function isGroupId(chat: number | string): boolean {
  return Number(chat) < 0;
}

/** What a person did. Message numbers count within a chat only, so they never stand alone. */
export type EventName =
  | { kind: 'message'; chat: number; message: number }
  /** A command that its sender alone sees; it has a number of its own kind. */
  | { kind: 'ephemeral'; chat: number; message: number }
  | { kind: 'press'; query: string };

export function formatEvent(event: EventName): string {
  if (event.kind === 'press') return event.query;
  return `${event.chat}:${event.kind === 'ephemeral' ? 'e' : ''}${event.message}`;
}

export function readEvent(eventId: string): EventName {
  const [, chat, mark, message] = /^(-?\d{1,16}):(e?)(\d{1,16})$/.exec(eventId) ?? [];
  if (chat === undefined) return { kind: 'press', query: eventId };
  return { kind: mark === 'e' ? 'ephemeral' : 'message', chat: Number(chat), message: Number(message) };
}

export function formatUser(id: number): string {
  return `${TELEGRAM_TRANSPORT}:${id}`;
}

export function readUser(userId: string): number {
  const [, id] = /^telegram:(\d{1,16})$/.exec(userId) ?? [];
  if (id === undefined) throw new Error(`a user of Telegram is telegram:{id}; found ${userId}`);
  return Number(id);
}
