import type { GrammarContext } from '../core/grammar-recipient.ts';
import { formatUser, TELEGRAM_TRANSPORT } from './place.ts';
import { COMMANDS } from './texts.ts';
import type { TelegramEntity, TelegramText } from './update.ts';

export type CommandText = { text: string; context: GrammarContext };

type Message = Pick<
  TelegramText,
  'text' | 'entities' | 'reply_to_message' | 'chat' | 'message_thread_id' | 'is_topic_message'
>;

/**
 * `/tip@our_bot 5` → `/tip 5`, native mentions → ids, a deep link → its command. Null for what is not for this bot: in
 * groups it answers to commands only, in private the slash may be missing.
 */
export function readCommand(message: Message, botName: string): CommandText | null {
  const [, name, addressee, rest = ''] = /^\/([A-Za-z0-9_]+)(?:@(\w+))?(?=\s|$)([^]*)$/.exec(message.text) ?? [];
  if (name === undefined && message.chat.type !== 'private') return null;
  if (addressee !== undefined && addressee.toLowerCase() !== botName.toLowerCase()) return null;
  const isTip = (name ?? message.text).trim().split(/\s/)[0]?.toLowerCase() === 'tip';
  if (isTip) return readTip(message);
  return { text: name === undefined ? message.text : readPlain(name, rest), context: {} };
}

/**
 * What follows `?start=` comes from whoever wrote the link, so it may open a page of the bot, and nothing that pays or
 * takes anything.
 */
function readPlain(name: string, rest: string): string {
  const payload = rest.trim().toLowerCase();
  if (name.toLowerCase() !== 'start' || payload === '') return `/${name}${rest}`;
  const isKnown = COMMANDS.some((command) => command.name === payload);
  return isKnown && payload !== 'tip' ? `/${payload}` : '/help';
}

function readTip(message: Message): CommandText {
  const { text, bots } = replaceMentions(message);
  const replied = readReplied(message);
  const [, rest] = /^\s*\/tip(?:@\w+)?([^]*)$/i.exec(text) ?? [];
  const context: GrammarContext = {
    bareNames: TELEGRAM_TRANSPORT,
    bots: [...bots, ...(replied?.isBot === true ? [`${TELEGRAM_TRANSPORT}:${replied.key}`] : [])],
  };
  if (replied) {
    context.repliesTo = { platform: TELEGRAM_TRANSPORT, key: replied.key, display: replied.key };
    context.repliesToMessageId = replied.messageId;
  }
  return { text: rest === undefined ? text : `/tip${rest}`, context };
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

/** Names of bots end so, and only theirs may; of a mention by name Telegram says nothing but the name. */
const BOT_NAME = /^@\w*bot$/i;
const NOT_A_NOTE =
  /^(?:[$]?[\d.,¢]+(?:usdc?|c|¢)?|usdc?|¢|c|all|max|half|each|split|and|&|\+|,|.*[@:].*|.*\.\p{L}.*)[,;]?$/iu;

/**
 * Those who are named become ids. What stands after the first word of the note is left as it was written: a note is
 * shown to others, and an id is not for them.
 */
function replaceMentions({ text, entities = [] }: Message): { text: string; bots: string[] } {
  const mentions = entities.filter((entity) => entity.type === 'text_mention' || entity.type === 'mention');
  const bots: string[] = [];
  let written = '';
  let at = 0;
  for (const entity of mentions) {
    const word = text.slice(entity.offset, entity.offset + entity.length);
    if (!isBeforeNote(`${written}${text.slice(at, entity.offset)}`)) break;
    const id = idOf(entity, word);
    if (entity.user?.is_bot === true) bots.push(id);
    if (BOT_NAME.test(word)) bots.push(`${TELEGRAM_TRANSPORT}:${word.slice(1).toLowerCase()}`);
    written += text.slice(at, entity.offset) + id;
    at = entity.offset + entity.length;
  }
  return { text: written + text.slice(at), bots };
}

function idOf({ type, user }: TelegramEntity, word: string): string {
  return type === 'text_mention' && user ? formatUser(user.id) : word;
}

function isBeforeNote(text: string): boolean {
  const words = text.trim().split(/\s+/).slice(1);
  return words.every((word) => word === '' || NOT_A_NOTE.test(word));
}
