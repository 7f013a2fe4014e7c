import { parseCommand } from '../../core/grammar/command.ts';
import { leadsToName } from '../../core/grammar/names.ts';
import { JOINING, NUMBERS } from '../../core/grammar/words/vocabulary.ts';
import type { GrammarContext, Named } from '../../core/grammar/recipient.ts';
import { isAnswerPayload } from '../conversation/kept-answers.ts';
import { formatUser, TELEGRAM_TRANSPORT } from './place.ts';
import { COMMANDS } from './menu/commands.ts';
import type { TelegramEntity, TelegramPerson, TelegramText } from './update.ts';

export type CommandText = { text: string; context: GrammarContext };

/** Finds the person whom the group knows by this username. */
export type FindPerson = (username: string) => number | undefined;

type Message = Pick<
  TelegramText,
  'text' | 'entities' | 'reply_to_message' | 'chat' | 'message_thread_id' | 'is_topic_message'
>;

/**
 * `/tip@our_bot 5` → `/tip 5`, native mentions → ids, a deep link → its command. Null for what is not for this bot: in
 * groups it answers to commands and to what begins with its name, in private the slash may be missing.
 */
export function readCommand(message: Message, botName: string, findPerson: FindPerson): CommandText | null {
  const [, name, addressee, rest = ''] =
    /^\/([A-Za-z0-9_]+)(?:@(\w+))?[.,:!?…。！？]*(?=\s|$)([^]*)$/.exec(message.text) ?? [];
  const isPrivate = message.chat.type === 'private';
  const addressed = name === undefined ? behindName(message, botName) : null;
  if (addressed !== null && isPrivate) return readCommand(addressed, botName, findPerson);
  if (addressed !== null) return readAddressed(addressed);
  if (name === undefined && !isPrivate) return null;
  if (addressee !== undefined && addressee.toLowerCase() !== botName.toLowerCase()) return null;
  const [command] = (name ?? message.text)
    .trim()
    .toLowerCase()
    .split(/[\s.,:!?]/);
  const isWithNames = command === 'tip' || command === 'request' || command === 'drop' || command === 'reward';
  if (isWithNames) return readTip(message, command);
  if (command === 'settings') return readSettings(message, findPerson);
  return { text: name === undefined ? message.text : readPlain(name, rest), context: {} };
}

/** Before the bot's name; `never @penny_bot tip …` is said to others. */
const GREETING = 'hey|hi|hello|yo|ok|okay|please|pls|hallo|bitte|hola|porfa|oi|olá|ola|ねえ|ねぇ';

/** `hey @penny_bot send @carl 5` → `send @carl 5`; null where it is not said to the bot. */
function behindName(message: Message, botName: string): Message | null {
  const name = new RegExp(`^\\s*(?:(?:${GREETING})[,!、]?\\s*)?@${botName}(?!\\w)[\\s,:;!、]*`, 'iu');
  const [said] = name.exec(message.text) ?? [];
  if (said === undefined || said.length === message.text.length) return null;
  const entities = (message.entities ?? [])
    .filter(({ offset }) => offset >= said.length)
    .map((entity) => ({ ...entity, offset: entity.offset - said.length }));
  return { ...message, text: message.text.slice(said.length), entities };
}

/** What people type to the bot in a group. Null for talk: nobody has asked for anything. */
function readAddressed(message: Message): CommandText | null {
  const isReply = message.reply_to_message !== undefined;
  const { text, bots, people } = replaceMentions(message, {
    isMeant: (before) => isBeforeNote(`/tip ${before}`, isReply),
    findPerson: () => undefined,
  });
  const context = { ...contextOf(message, bots), ...(people.length === 0 ? {} : { people }) };
  const { kind } = parseCommand(text, context);
  if (SAID_IN_WORDS.some((one) => one === kind)) return { text, context };
  // These show something; what else was said must not change a setting.
  return COMMANDS.some(({ name }) => name === kind) ? { text: `/${kind}`, context: {} } : null;
}

const SAID_IN_WORDS = ['tip', 'request', 'drop', 'mistake'] as const;

/**
 * The writer of a link chooses what follows `?start=`, so it may open a page of the bot, and nothing that pays or takes
 * anything.
 */
function readPlain(name: string, rest: string): string {
  const payload = rest.trim().toLowerCase();
  if (name.toLowerCase() !== 'start' || payload === '') return `/${name}${rest}`;
  // An answer that is waiting for one person, and for nobody else.
  if (isAnswerPayload(rest.trim())) return `/start ${rest.trim()}`;
  const isKnown = COMMANDS.some((command) => command.name === payload);
  return isKnown && payload !== 'tip' ? `/${payload}` : '/help';
}

/**
 * A note is shown to others, and ids are not for them: everything after the note's first word stays as it was written. A
 * username stays too: the core finds its bearer, whichever way it was written.
 */
function readTip(message: Message, command: 'tip' | 'request' | 'drop' | 'reward'): CommandText {
  // The reason of a request names nobody, and a drop has none.
  const isReply = message.reply_to_message !== undefined;
  const isMeant = command === 'tip' ? (before: string) => isBeforeNote(before, isReply) : () => true;
  const { text, bots, people } = replaceMentions(message, { isMeant, findPerson: () => undefined });
  const [, rest] = new RegExp(`^\\s*/${command}(?:@\\w+)?([^]*)$`, 'i').exec(text) ?? [];
  return {
    text: rest === undefined ? text : `/${command}${rest}`,
    context: { ...contextOf(message, bots), ...(people.length === 0 ? {} : { people }) },
  };
}

/** Everyone named there is meant, by number if possible: a banned member could change their name. */
function readSettings(message: Message, findPerson: FindPerson): CommandText {
  const { text, people } = replaceMentions(message, { isMeant: () => true, findPerson });
  const [, rest] = /^\s*\/settings(?:@\w+)?([^]*)$/i.exec(text) ?? [];
  const { repliesTo } = contextOf(message, []);
  const author = message.reply_to_message?.from;
  // Nobody in particular: all channels, and all who write as the group, share the same stand-ins.
  const isNamed = author !== undefined && message.reply_to_message?.sender_chat === undefined;
  const replied = repliesTo && isNamed ? [{ id: formatUser(author.id), name: nameOf(author) }] : [];
  return {
    text: rest === undefined ? text : `/settings${rest}`,
    context: { people: [...people, ...replied], ...(repliesTo && isNamed ? { repliesTo } : {}) },
  };
}

const nameOf = ({ username, first_name: name }: TelegramPerson) => (username === undefined ? name : `@${username}`);

function contextOf(message: Message, bots: readonly string[]): GrammarContext {
  const replied = readReplied(message);
  if (!replied) return { bareNames: TELEGRAM_TRANSPORT, bots };
  const { key, isBot, messageId } = replied;
  return {
    bareNames: TELEGRAM_TRANSPORT,
    bots: [...bots, ...(isBot ? [`${TELEGRAM_TRANSPORT}:${key}`] : [])],
    repliesTo: { platform: TELEGRAM_TRANSPORT, key, display: key },
    repliesToMessageId: messageId,
  };
}

/** Admins without a name and channels write through stand-ins that are bots. */
function readReplied(message: Message): { key: string; isBot: boolean; messageId: string } | null {
  const { reply_to_message: original, message_thread_id: topic, is_topic_message: isTopic } = message;
  const author = original?.from;
  // Whatever is written in a topic answers the message that opened the topic.
  if (!author || (isTopic === true && original.message_id === topic)) return null;
  const isBot = author.is_bot || original.sender_chat !== undefined;
  return { key: String(author.id), isBot, messageId: String(original.message_id) };
}

/** Names of bots end like this, and no others may; for a mention by name Telegram gives nothing but the name. */
const BOT_NAME = /^@\w*bot$/i;
const NOT_A_NOTE =
  /^(?:[$]?[\d.,¢]+(?:usdc?|c|¢)?|usdc?|¢|c|all|max|half|each|split|and|&|\+|,|.*[@:].*|.*\.\p{L}.*)[,;]?$/iu;

type Reading = {
  /** Whether a person named after these words is meant. */
  isMeant: (before: string) => boolean;
  findPerson: FindPerson;
};

/** The people named become ids. */
function replaceMentions(
  { text, entities = [] }: Message,
  { isMeant, findPerson }: Reading,
): { text: string; bots: string[]; people: Named[] } {
  const mentions = entities.filter((entity) => entity.type === 'text_mention' || entity.type === 'mention');
  const bots: string[] = [];
  const people: Named[] = [];
  let written = '';
  let at = 0;
  for (const entity of mentions) {
    const word = text.slice(entity.offset, entity.offset + entity.length);
    if (!isMeant(`${written}${text.slice(at, entity.offset)}`)) break;
    const id = idOf(entity, word, findPerson);
    if (id !== word) people.push({ id, name: word });
    if (entity.user?.is_bot === true) bots.push(id);
    if (BOT_NAME.test(word)) bots.push(`${TELEGRAM_TRANSPORT}:${word.slice(1).toLowerCase()}`);
    const before = text.slice(at, entity.offset);
    // `5$@alice`, `私と@alice`: the number must not grow together with what stands before it.
    written += before + (id !== word && /[^\s@(,;]$/u.test(before) ? ' ' : '') + id;
    at = entity.offset + entity.length;
  }
  return { text: written + text.slice(at), bots, people };
}

function idOf({ type, user }: TelegramEntity, word: string, findPerson: FindPerson): string {
  const id = type === 'text_mention' ? user?.id : findPerson(word.slice(1));
  return id === undefined ? word : formatUser(id);
}

/** A note begins behind the name and the sum; in a reply, which needs no name, also before them. */
function isBeforeNote(text: string, isReply: boolean): boolean {
  const words = text.trim().split(/\s+/).slice(1);
  let [hasName, hasSum] = [false, false];
  return words.every((word) => {
    const isBoth = hasName && hasSum;
    const isOpen = !isBoth && (!isReply || leadsToName(word, isReply));
    const isIn = word === '' || NOT_A_NOTE.test(word) || JOINING.has(word.toLowerCase()) || isOpen;
    hasName ||= /[@:]/.test(word);
    hasSum ||= (/[0-9]/.test(word) && !/[@:]/.test(word)) || NUMBERS.has(word.toLowerCase());
    return isIn;
  });
}
