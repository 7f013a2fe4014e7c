import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { findChatRow } from '../chats/chats.ts';
import {
  COOLDOWN_MAX_S,
  MESSAGE_LIFETIME_MAX_S,
  MESSAGE_LIFETIME_MIN_S,
  RECEIPT_STYLES,
  type ReceiptStyle,
} from '../communities/community-settings.ts';
import { findNamedLanguage, LANGUAGE_TAGS, ownName, type Language } from '../languages.ts';
import { formatUsdc, type MicroUsdc } from '../money.ts';
import { parseDuration } from './duration.ts';
import { readAmount } from './amount.ts';
import type { GrammarContext, Named } from './recipient.ts';
import { mistake, type Mistake } from './mistakes.ts';

/** A setting that a moderator asks for. */
export type SettingsWish =
  /** About the channel of the command; `all` allows every channel again. */
  | { setting: 'channels'; change: 'add' | 'remove' | 'all' }
  | { setting: 'min' | 'max'; amount: MicroUsdc | null }
  | { setting: 'cooldown'; seconds: number }
  | { setting: 'ban' | 'unban'; person: Named }
  | { setting: 'receipts'; style: ReceiptStyle }
  | { setting: 'notes'; isOn: boolean }
  | { setting: 'language'; language: Language | null }
  | { setting: 'lifetime'; seconds: number | null }
  | { setting: 'log'; isHere: boolean }
  | { setting: 'role' | 'drops'; role: Named | null }
  | { setting: 'quorum'; count: 1 | 2 };

type Reader = (words: string[], context: GrammarContext) => SettingsWish | Mistake;

const CHANGES = ['add', 'remove', 'all'] as const;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['channels', (words) => readChoice('channels', words, CHANGES, (change) => ({ setting: 'channels', change }))],
  ['min', (words) => readLimit('min', words)],
  ['max', (words) => readLimit('max', words)],
  ['cooldown', readCooldown],
  ['ban', (words, context) => readPerson('ban', words, context)],
  ['unban', (words, context) => readPerson('unban', words, context)],
  ['receipts', (words) => readChoice('receipts', words, RECEIPT_STYLES, (style) => ({ setting: 'receipts', style }))],
  [
    'notes',
    (words) => readChoice('notes', words, ['on', 'off'], (choice) => ({ setting: 'notes', isOn: choice === 'on' })),
  ],
  ['language', readLanguage],
  ['lifetime', readLifetime],
  [
    'log',
    (words) => readChoice('log', words, ['here', 'off'], (choice) => ({ setting: 'log', isHere: choice === 'here' })),
  ],
  ['role', (words, context) => readRole('role', words, context)],
  ['drops', (words, context) => readRole('drops', words, context)],
  [
    'quorum',
    (words) =>
      readChoice('quorum', words, ['1', '2'], (choice) => ({ setting: 'quorum', count: choice === '1' ? 1 : 2 })),
  ],
]);

/** Reads what follows `/settings`; null where nothing does. */
export function parseSettings(text: string, context: GrammarContext): SettingsWish | Mistake | null {
  const [name, ...words] = text.trim().split(/\s+/);
  if (name === undefined || name === '') return null;
  const reader = READERS.get(name.toLowerCase());
  return reader?.(words, context) ?? mistake('unknown_setting', name, ['/settings', '/settings min 0.5']);
}

function readChoice<Choice extends string>(
  setting: string,
  words: string[],
  choices: readonly [Choice, ...Choice[]],
  toWish: (choice: Choice) => SettingsWish,
): SettingsWish | Mistake {
  const [word = ''] = words;
  const choice = words.length === 1 ? choices.find((one) => one === word.toLowerCase()) : undefined;
  if (choice !== undefined) return toWish(choice);
  const [first, ...more] = choices.map((one) => `/settings ${setting} ${one}`);
  return mistake('setting_choice', words.join(' '), [first ?? '/settings', ...more]);
}

/** The limit must lie in the range of tips, because one outside it could forbid every tip. */
function readLimit(setting: 'min' | 'max', words: string[]): SettingsWish | Mistake {
  const example = (amount: string): Mistake['examples'] => [
    `/settings ${setting} ${amount}`,
    `/settings ${setting} off`,
  ];
  if (isOff(words)) return { setting, amount: null };
  const usual = example(setting === 'min' ? '0.5' : '5');
  const reading = readAmount(words, 0);
  if (reading?.kind === 'mistake') return mistake(reading.code, reading.found, usual);
  if (reading === null || reading.form.kind !== 'exact' || reading.used !== words.length) {
    return mistake('setting_amount', words.join(' '), usual);
  }
  const { amount } = reading.form;
  const found = formatUsdc(amount);
  if (amount < PAYMENT_AMOUNT_MIN) return mistake('too_small', found, example(formatUsdc(PAYMENT_AMOUNT_MIN)));
  if (amount > PAYMENT_AMOUNT_MAX) return mistake('too_large', found, example(formatUsdc(PAYMENT_AMOUNT_MAX)));
  return { setting, amount };
}

function readCooldown(words: string[]): SettingsWish | Mistake {
  const seconds = isOff(words) ? 0 : readTime(words);
  if (seconds !== null && seconds <= COOLDOWN_MAX_S) return { setting: 'cooldown', seconds };
  return mistake('cooldown_time', words.join(' '), ['/settings cooldown 30s', '/settings cooldown off']);
}

function readLifetime(words: string[]): SettingsWish | Mistake {
  if (isOff(words)) return { setting: 'lifetime', seconds: null };
  const seconds = readTime(words);
  const isFit = seconds !== null && seconds >= MESSAGE_LIFETIME_MIN_S && seconds <= MESSAGE_LIFETIME_MAX_S;
  if (isFit) return { setting: 'lifetime', seconds };
  return mistake('lifetime_time', words.join(' '), ['/settings lifetime 1h', '/settings lifetime off']);
}

function readLanguage(words: string[]): SettingsWish | Mistake {
  if (isOff(words)) return { setting: 'language', language: null };
  const found = words.length === 1 ? findNamedLanguage(words[0] ?? '') : null;
  if (found !== null) return { setting: 'language', language: found };
  const names = LANGUAGE_TAGS.map((tag) => `/settings language ${ownName(tag)}`);
  return mistake('setting_choice', words.join(' '), ['/settings language off', ...names]);
}

const readTime = (words: string[]): number | null => parseDuration(words.join(''));

/** Takes only a native mention or id: a typed name may belong to another person tomorrow. */
function readPerson(setting: 'ban' | 'unban', words: string[], context: GrammarContext): SettingsWish | Mistake {
  const { people = [], repliesTo } = context;
  const replied = repliesTo && `${repliesTo.platform}:${repliesTo.key}`;
  const id = words.length === 0 ? replied : words.length === 1 ? idOf(words[0] ?? '', people) : undefined;
  if (id === undefined) return mistake('setting_person', words.join(' '), [`/settings ${setting} @name`]);
  const name = people.find((one) => one.id === id)?.name ?? id;
  return { setting, person: { id, name } };
}

function idOf(word: string, people: readonly Named[]): string | undefined {
  const [, mentioned] = /^<@!?([1-9][0-9]{0,19})>$/.exec(word) ?? [];
  const id = mentioned === undefined ? word : `discord:${mentioned}`;
  const [, chat = ''] = /^([a-z]+):[1-9][0-9]{0,19}$/.exec(id) ?? [];
  // A chat with communities: its members go by numbers.
  const isNumber = (findChatRow(chat)?.treasury ?? null) !== null;
  return isNumber || people.some((one) => one.id === id) ? id : undefined;
}

function readRole(setting: 'role' | 'drops', words: string[], { roles = [] }: GrammarContext): SettingsWish | Mistake {
  if (isOff(words)) return { setting, role: null };
  const [, id] = /^<@&([1-9][0-9]{0,19})>$/.exec(words.length === 1 ? (words[0] ?? '') : '') ?? [];
  if (id !== undefined) return { setting, role: roles.find((role) => role.id === id) ?? { id, name: id } };
  return mistake('setting_role', words.join(' '), [`/settings ${setting} @role`, `/settings ${setting} off`]);
}

function isOff(words: string[]): boolean {
  return words.length === 1 && /^(?:off|none|0)$/i.test(words[0] ?? '');
}
