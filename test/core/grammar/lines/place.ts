import { readCommand } from '../../../../bot/telegram/command-text.ts';
import type { TelegramEntity } from '../../../../bot/telegram/update.ts';
import { parseCommand, type Command } from '../../../../core/grammar/command.ts';
import type { GrammarContext } from '../../../../core/grammar/recipient.ts';
import { parseRate } from '../../../../core/grammar/rates.ts';
import type { Tip } from '../../../../core/grammar/tip.ts';
import { formatUsdc } from '../../../../core/money.ts';
import { formatRecipient, type Recipient } from '../../../../core/platforms/recipient.ts';
import type { Found } from '../judge.ts';
import { membersIn, type Line } from './line.ts';

const BOT = 'penny_bot';
const FIRST_ID = 4_000_001;
const ASKER: Recipient = { platform: 'telegram', key: '7', display: '7' };
/** As the platform allows them; other members have none, and are mentioned by their number. */
const USERNAME = /^[A-Za-z](?:_?[A-Za-z0-9])*$/;
const USERNAME_CHARACTERS_MIN = 4;

export const RATES = new Map(
  ['EUR=1.08', 'GBP=1.27', 'JPY=0.0065', 'BRL=0.18', 'CHF=1.12', 'MXN=0.055', 'CLP=0.00105', 'ARS=0.001', 'COP=0.00024']
    .map(parseRate)
    .filter((rate) => rate !== null),
);

/** A line as its chat hears it: on Telegram, whose members are known by name or by number. */
export function readLine(line: Line): Found {
  const { chat, text, entities, members } = placeOf(line);
  const command = readCommand({ text, entities, chat }, BOT, () => undefined);
  return command === null ? 'not for us' : answer(command.text, command.context, members);
}

/** What a suggestion does, in the same place. */
export function readAgain(line: Line, example: string): Found {
  const { members } = placeOf(line);
  return answer(example, { bareNames: 'telegram' }, members);
}

type Members = ReadonlyMap<string, string>;

function placeOf(line: Line) {
  const isGroup = line.where === 'group';
  const names = [...new Set([...membersIn(line), ...namedIn(line)])];
  const ids = new Map(names.map((name, index) => [name, FIRST_ID + index]));
  // Directory look-ups count only inside the group.
  const members: Members = new Map(isGroup ? [...ids].flatMap(([name, id]) => namesOf(name, id)) : []);
  const entities = isGroup ? names.flatMap((name) => mentionsOf(line.line, name, ids.get(name) ?? 0)) : [];
  const chat = isGroup ? ({ id: -5, type: 'supergroup' } as const) : ({ id: 7, type: 'private' } as const);
  return { chat, text: line.line, members, entities: entities.toSorted((one, other) => one.offset - other.offset) };
}

/** Where the meaning names nobody, because something is asked or refused, those named are members all the same. */
const namedIn = ({ line, meaning }: Line) =>
  meaning.kind === 'ask' || meaning.kind === 'refuse'
    ? Array.from(line.matchAll(/(?<![\w.])@(\w[\w.]*\w)(?![:/@])/g), ([, name = '']) => name)
    : [];

const namesOf = (name: string, id: number): [string, string][] => [
  [name.toLowerCase(), name],
  [String(id), name],
];

function mentionsOf(text: string, name: string, id: number): TelegramEntity[] {
  const found = [...text.matchAll(new RegExp(`@${escaped(name)}(?![A-Za-z0-9_])`, 'g'))];
  const hasUsername = USERNAME.test(name) && name.length >= USERNAME_CHARACTERS_MIN;
  const user = { id, is_bot: false, first_name: name };
  return found.map(({ index }) => ({
    type: hasUsername ? 'mention' : 'text_mention',
    offset: index,
    length: name.length + 1,
    ...(hasUsername ? {} : { user }),
  }));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function answer(text: string, context: GrammarContext, members: Members): Found {
  const command = parseCommand(text, { ...context, rates: RATES, asker: ASKER });
  return command.kind === 'mistake' ? command : inWords(command, members);
}

function inWords(command: Command, members: Members): Found {
  if (command.kind === 'tip') return tipInWords(command, members);
  if (command.kind === 'request') {
    const { wish } = command;
    return `request ${wish.do === 'ask' ? tipInWords(wish.tip, members) : wish.do}`;
  }
  if (command.kind !== 'drop') return command.kind;
  const { wish } = command;
  if (wish.do === 'make') return `drop ${formatUsdc(wish.amount)} for ${wish.people} in ${wish.seconds}`;
  return `drop ${wish.do === 'unreadable' ? `asks ${wish.problem}` : wish.do}`;
}

/** As `findBearers` does it: a name that nobody bears here is paid to nobody. */
function tipInWords({ recipients, amount, sharing, note, typed }: Tip, members: Members): string {
  const unknown = recipients.find((one) => isOpen(one) && !members.has(one.key));
  if (unknown !== undefined) return members.size === 0 ? 'no names here' : 'no member';
  const names = recipients.map((one) => nameOf(one, members)).join(' ');
  const said = note === null ? '' : ` "${note}"`;
  if (typed !== undefined) return `asks ${names} ${formatUsdc(typed.amount)} ${typed.currency}${said}`;
  const sum = amount.kind === 'exact' ? formatUsdc(amount.amount) : amount.kind;
  return `${names} ${sum}${sharing === 'split' ? ' split' : ''}${said}`;
}

const isOpen = ({ platform, key }: Recipient) => platform === 'telegram' && !/^[0-9]+$/.test(key);

function nameOf(recipient: Recipient, members: Members): string {
  if (recipient.platform !== 'telegram') return formatRecipient(recipient);
  return `telegram:${(members.get(recipient.key) ?? recipient.key).toLowerCase()}`;
}
