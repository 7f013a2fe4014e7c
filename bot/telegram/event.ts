import type { PressEvent, TextEvent } from '../core/messenger.ts';
import { readCommand } from './command-text.ts';
import { formatEvent, formatPlace, formatUser, isGroup, TELEGRAM_TRANSPORT } from './place.ts';
import { placeOf, type TelegramPerson, type TelegramPress, type TelegramText } from './update.ts';

/** An event of the core, but for what only the database knows: what this person pays from. */
type Read<Event> = Omit<Event, 'walletId'>;

export type Incoming =
  | { kind: 'text'; person: TelegramPerson; event: Read<TextEvent> }
  | { kind: 'press'; person: TelegramPerson; event: Read<PressEvent> }
  /** A command by somebody whom Telegram does not name: nobody could pay for it. */
  | { kind: 'anonymous'; event: Read<TextEvent> };

export type Self = { id: number; username: string };

/** Null for what is not for this bot. */
export function readText(message: TelegramText, self: Self): Incoming | null {
  const { from, sender_chat: senderChat, ephemeral_message_id: ephemeral, message_id: number } = message;
  if (message.chat.type === 'channel' || !from || (from.is_bot && !senderChat)) return null;
  const command = readCommand(message, self.username);
  if (command === null) return null;
  const place = placeOf(message);
  const { chat } = place;
  const eventId =
    ephemeral === undefined
      ? formatEvent({ kind: 'message', chat, message: number })
      : formatEvent({ kind: 'ephemeral', chat, message: ephemeral });
  const event = { ...originOf(from, place, self), eventId, ...command };
  return senderChat ? { kind: 'anonymous', event } : { kind: 'text', person: from, event };
}

export function readPress(press: TelegramPress, self: Self): Incoming {
  const origin = originOf(press.from, placeOf(press.message), self);
  const eventId = formatEvent({ kind: 'press', query: press.id });
  return { kind: 'press', person: press.from, event: { ...origin, eventId, buttonId: press.data } };
}

function originOf(person: TelegramPerson, place: { chat: number; topic: number | null }, self: Self) {
  const { language_code: language, username } = person;
  return {
    transport: TELEGRAM_TRANSPORT,
    chatId: formatPlace(place),
    userId: formatUser(person.id),
    ownNames: username === undefined ? [] : [nameOf(username)],
    botNames: [formatUser(self.id), nameOf(self.username)],
    ...(language === undefined ? {} : { language }),
    ...(isGroup(place) ? { communityId: String(place.chat) } : {}),
  };
}

/** As a recipient is written: names are the same in any case. */
const nameOf = (username: string) => `${TELEGRAM_TRANSPORT}:${username.toLowerCase()}`;
