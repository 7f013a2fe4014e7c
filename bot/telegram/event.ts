import type { PressEvent, TextEvent } from '../shared/messenger.ts';
import { readCommand, type FindPerson } from './command-text.ts';
import { formatEvent, formatPlace, formatUser, isGroup, TELEGRAM_TRANSPORT } from './place.ts';
import { isGroupItself, placeOf, type TelegramPerson, type TelegramPress, type TelegramText } from './update.ts';

/** An event of the core, except for what only the database knows: what this person pays from. */
type Read<Event> = Omit<Event, 'walletId'>;

export type Incoming =
  | { kind: 'text'; person: TelegramPerson; event: Read<TextEvent> }
  | { kind: 'press'; person: TelegramPerson; event: Read<PressEvent> }
  /** By an administrator who appears as the group: what they may do there needs no name. */
  | { kind: 'group'; event: Read<TextEvent> }
  /** A command whose sender Telegram does not name: nobody could pay for it. */
  | { kind: 'anonymous'; event: Read<TextEvent> };

export type Self = { id: number; username: string };

/** How much of a place's name is kept. */
const NAME_CHARACTERS_MAX = 100;
const SETTINGS = /^\s*[/／]?settings(?:\s|$)/i;

/** Null for updates that are not for this bot. */
export function readText(message: TelegramText, self: Self, findPerson: FindPerson): Incoming | null {
  const { from, sender_chat: senderChat, ephemeral_message_id: ephemeral, message_id: number } = message;
  if (message.chat.type === 'channel' || !from || (from.is_bot && !senderChat) || isPassedOn(message)) return null;
  const command = readCommand(message, self.username, findPerson);
  if (command === null) return null;
  const place = placeOf(message);
  const { chat } = place;
  const eventId =
    ephemeral === undefined
      ? formatEvent({ kind: 'message', chat, message: number })
      : formatEvent({ kind: 'ephemeral', chat, message: ephemeral });
  const chatName = placeNameOf(message);
  const named = chatName === null ? {} : { chatName };
  const event = { ...originOf(from, place, self), ...named, eventId, ...command };
  if (!senderChat) return { kind: 'text', person: from, event };
  return { kind: isGroupItself(message) && isSettings(event) ? 'group' : 'anonymous', event };
}

/** A person who forwards a message, or picks what another bot has written, may not have read the command in it. */
function isPassedOn(message: TelegramText): boolean {
  const { forward_origin: origin, via_bot: bot, sender_business_bot: businessBot } = message;
  return (origin ?? bot ?? businessBot) !== undefined;
}

/** The one kind of command that asks who moderates. */
export function isSettings({ text }: Pick<TextEvent, 'text'>): boolean {
  return SETTINGS.test(text);
}

/** A topic's name comes only with a message that replies to nobody; otherwise the group's name has to do. */
function placeNameOf({ chat, reply_to_message: original, is_topic_message: isTopic }: TelegramText): string | null {
  const topic = isTopic === true ? original?.forum_topic_created?.name : undefined;
  const name = topic ?? chat.title;
  // Never splits a character.
  return name?.slice(0, NAME_CHARACTERS_MAX).replace(/[\uD800-\uDBFF]$/, '') ?? null;
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
