import { microUsdc, type MicroUsdc } from '../money.ts';
import { PLATFORMS } from '../platforms/platforms.ts';
import { REWARD_BUDGET_MAX_MICRO_USDC, REWARD_BUDGET_MIN_MICRO_USDC } from '../rewards/reward-cards.ts';
import { REWARD_PLATFORM } from '../rewards/engagement.ts';
import {
  DROP_PEOPLE_MAX,
  DROP_PEOPLE_MIN,
  DROP_TIME_DEFAULT_S,
  DROP_TIME_MAX_S,
  DROP_TIME_MIN_S,
  shareOf,
  type DropProblem,
} from '../drops/drops.ts';
import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import type { Recipient } from '../platforms/recipient.ts';
import { readAmount } from './amount.ts';
import { parseDuration } from './duration.ts';
import { readRecipient, type GrammarContext } from './recipient.ts';
import { readDropText } from './words/drop-words.ts';
import {
  COURTESY,
  FILLERS,
  FIRST_OF_PEOPLE,
  GIVING,
  LEADING_TO_PEOPLE,
  list,
  NO_NAMES,
  NUMBERS,
  PEOPLE,
} from './words/vocabulary.ts';

/** What can be wrong with a `/reward` command. */

export type RewardMistake =
  /** Nothing was said but the command. */
  | { code: 'nothing_said' }
  | { code: 'unreadable'; found: string }
  /** No link to a post, or a link to a post on another platform. */
  | { code: 'not_a_post'; found: string }
  | { code: 'not_a_name'; found: string }
  | { code: 'budget'; found: string };

/** What a `/reward` command asks for. */
export type RewardWish =
  | { do: 'propose'; post: string; budget: MicroUsdc; excluded: string[] }
  /** Makes the open card again and leaves these out too. */
  | { do: 'exclude'; names: string[] }
  | { do: 'unreadable'; problem: RewardMistake };

/** The budget where the command names none. It is shown before anyone confirms. */
export const REWARD_BUDGET_DEFAULT = microUsdc(5_000_000n);
/** The API's limit. */
const EXCLUDED_MAX = 100;
const WITHOUT = ['without', 'exclude', 'except'];
const HASH = /^0x[0-9a-f]{40}$/i;
const POST_URL = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9.-]+)\/[^\s/]+\/0x[0-9a-f]{8,40}\/?(?:[?#]\S*)?$/i;
const PREFIXES = [REWARD_PLATFORM, ...PLATFORMS[REWARD_PLATFORM].aliases].join('|');
const NAME = new RegExp(`^(@?(?:(?:${PREFIXES})[:/]@?)?)([a-z0-9][a-z0-9.-]{0,60})$`, 'i');

/** Reads what follows `/reward`. */
export function parseReward(text: string): RewardWish {
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  const at = words.findIndex((word) => WITHOUT.includes(word.toLowerCase()));
  const [said, after] = at === -1 ? [words, []] : [words.slice(0, at), words.slice(at + 1)];
  const excluded = at === -1 ? [] : readNames(after);
  if (!Array.isArray(excluded)) return { do: 'unreadable', problem: excluded };
  if (said.length === 0 && at !== -1) return { do: 'exclude', names: excluded };
  return readWish(said, excluded, text.trim());
}

function readWish(words: readonly string[], excluded: string[], found: string): RewardWish {
  const unreadable = (problem: RewardMistake): RewardWish => ({ do: 'unreadable', problem });
  // Angle brackets around a link keep the chat from showing a preview.
  const [post = '', ...rest] = words.map((word) => word.replace(/^<(\S+)>$/, '$1'));
  if (post === '') return unreadable({ code: 'nothing_said' });
  if (!isPost(post)) return unreadable({ code: 'not_a_post', found: post });
  if (rest.length === 0) return { do: 'propose', post, budget: REWARD_BUDGET_DEFAULT, excluded };
  const reading = readAmount(rest, 0);
  if (reading?.kind !== 'amount' || reading.form.kind !== 'exact') {
    return unreadable({ code: 'budget', found: rest.join(' ') });
  }
  if (reading.used !== rest.length) return unreadable({ code: 'unreadable', found });
  const { amount: budget } = reading.form;
  const isFit = budget >= REWARD_BUDGET_MIN_MICRO_USDC && budget <= REWARD_BUDGET_MAX_MICRO_USDC;
  return isFit ? { do: 'propose', post, budget, excluded } : unreadable({ code: 'budget', found: rest.join(' ') });
}

function isPost(word: string): boolean {
  if (HASH.test(word)) return true;
  const host = POST_URL.exec(word)?.[1]?.toLowerCase();
  return host !== undefined && PLATFORMS[REWARD_PLATFORM].profiles.hosts.some((known) => known === host);
}

/** Each name once; commas and "and" are skipped. */
function readNames(words: readonly string[]): string[] | RewardMistake {
  const written = words
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '' && word.toLowerCase() !== 'and');
  const names = written.map(readName);
  const wrong = written.find((_, index) => names[index] === null);
  if (wrong !== undefined) return { code: 'not_a_name', found: wrong };
  const once = [...new Set(names.filter((name) => name !== null))];
  return once.length > 0 && once.length <= EXCLUDED_MAX ? once : { code: 'not_a_name', found: words.join(' ') };
}

/** The API reads bare digits as an id. A name of digits must stay a name, or a stranger would be left out instead. */
function readName(word: string): string | null {
  const [, sign, name] = NAME.exec(word) ?? [];
  if (name === undefined) return null;
  return sign !== '' && /^[0-9]+$/.test(name) ? `@${name}` : name.toLowerCase();
}

/** What a `/drop` command asks for. */
export type DropWish =
  | ({ do: 'make'; amount: MicroUsdc; people: number; seconds: number } & FromTreasury)
  /** The giver's own: its list, or a name struck from it. */
  | ({ do: 'list' } & FromTreasury)
  | ({ do: 'strike'; whom: Recipient[] } & FromTreasury)
  | { do: 'unreadable'; problem: DropProblem };

/** The community's money instead of the giver's. */
type FromTreasury = { fromTreasury?: true };

const FROM_TREASURY =
  /(?:^|\s)(?:(?:from|out of)\s+(?:the\s+|our\s+)?treasury|(?:de|desde)\s+la\s+tesorería|aus\s+(?:der|unserer)\s+kasse|da\s+tesouraria|資金から)(?=\s|$)/iu;

/** Reads what follows `/drop`: a sum, for how many people, and for how long shares can be asked for. */
export function parseDrop(text: string, context: GrammarContext): DropWish {
  if (!FROM_TREASURY.test(text)) return readDrop(text, context);
  const wish = readDrop(text.replace(FROM_TREASURY, ' '), context);
  return wish.do === 'unreadable' ? wish : { ...wish, fromTreasury: true };
}

/** Japanese has no spaces. */
function dropWords(text: string): string[] {
  const spaced = text
    .replace(/(ドル|どる|セント)(?:を|で)?/gu, '$1 ')
    .replace(/(?:みんな|皆(?:さん)?|全員)に/gu, ' ')
    .replace(/先着(?=[0-9])/gu, '先着 ')
    .replace(/(人|名|時間|分間?)(?:に|で|様|まで)?(?=[\p{L}\p{N}]|\s|$)/gu, '$1 ');
  return spaced.split(/\s+/).filter((word) => word !== '' && !isBeside(word));
}

const DROP_FILLERS = list(
  'now quick quickly only lol haha group chat channel long who that click clicks claim ya já ja ahora agora rápido rapido grupo galera que clicarem clicar hagan clic más mas mais jetzt sofort schnell lang lange gruppe wer klickt klicken lasts lasting open dura duran durante durando läuft dauert gilt',
);

/** Neither letters nor digits: emoji, dashes. */
const NO_WORD = /^[^\p{L}\p{N}]+$/u;

/** Says neither how much, nor how many, nor how long. */
function isBeside(written: string): boolean {
  if (NO_WORD.test(written) && !/[$€£¥]/.test(written)) return true;
  const word = written.toLowerCase().replace(/(?<![!?.。！？…])[!?.。！？…]+$/u, '');
  return [COURTESY, GIVING, FILLERS, NO_NAMES, DROP_FILLERS].some((words) => words.has(word));
}

function readDrop(text: string, context: GrammarContext): DropWish {
  // Full-width digits and spaces are those of a Japanese keyboard.
  const whole = text.normalize('NFKC').trim();
  const [struck = '', ...names] = whole.split(/\s+/);
  if (WITHOUT.includes(struck.toLowerCase())) return readStruck(names, context);
  const { text: plain, isEach, isTotal } = readDropText(whole);
  const words = dropWords(plain);
  const [first = ''] = words;
  if (first === '') return { do: 'list' };
  const unreadable = (problem: DropProblem): DropWish => ({ do: 'unreadable', problem });
  if (isEach && isTotal) return unreadable('unreadable');
  const { sum, people, time } = sortOut(words);
  // Without rates: those who press later read dollars.
  const reading = readAmount(sum, 0);
  if (reading?.kind !== 'amount' || reading.form.kind !== 'exact') return unreadable('unreadable');
  const rest = sum.slice(reading.used);
  const [digits = '', ...more] = people === null ? rest : [people, ...rest];
  if (!/^[0-9]{1,4}$/.test(digits)) return unreadable('people');
  const count = Number(digits);
  if (count < DROP_PEOPLE_MIN || count > DROP_PEOPLE_MAX) return unreadable('people');
  const amount = isEach ? microUsdc(reading.form.amount * BigInt(count)) : reading.form.amount;
  const share = shareOf(amount, count);
  if (share < PAYMENT_AMOUNT_MIN || share >= PAYMENT_AMOUNT_MAX) return unreadable('share');
  const seconds = time === null ? DROP_TIME_DEFAULT_S : parseDuration(time);
  const isFit = seconds !== null && seconds >= DROP_TIME_MIN_S && seconds <= DROP_TIME_MAX_S;
  return isFit && more.length === 0 ? { do: 'make', amount, people: count, seconds } : unreadable('time');
}

type Sorted = { sum: string[]; people: string | null; time: string | null };

/** How many people and how long say so themselves, wherever they stand; what is left is the sum. */
function sortOut(words: readonly string[]): Sorted {
  const sorted: Sorted = { sum: [], people: null, time: null };
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = [words[at] ?? '', (words[at + 1] ?? '').toLowerCase()];
    const isFirst = FIRST_OF_PEOPLE.has((words[at - 1] ?? '').toLowerCase());
    const [, written = '', attached = ''] = /^([0-9]{1,6})(\p{L}*)$/u.exec(word) ?? [];
    // `die ersten drei`, `10 for five people`.
    const isNamed = isFirst || PEOPLE.has(next) || FIRST_OF_PEOPLE.has(next) || parseDuration(`1${next}`) !== null;
    // Portuguese for `of the`, except behind an article of Spanish.
    const isOfThe = word.toLowerCase() === 'dos' && FIRST_OF_PEOPLE.has(next) && !/^l[oa]s$/i.test(words[at - 1] ?? '');
    const inWords = isNamed && !isOfThe ? NUMBERS.get(word.toLowerCase()) : undefined;
    const digits = inWords === undefined ? written : String(inWords);
    const unit = attached === '' ? next : attached.toLowerCase();
    const isCounted = PEOPLE.has(unit) || FIRST_OF_PEOPLE.has(unit) || (isFirst && attached === '');
    const isPeople = digits !== '' && isCounted && sorted.people === null;
    // `10 1h`: two numbers, and not a hundred and one.
    const isUnit = /^\p{L}+\.?$/u.test(unit);
    const isTime =
      !isPeople && isUnit && digits !== '' && parseDuration(`${digits}${unit}`) !== null && sorted.time === null;
    if (isPeople) sorted.people = digits;
    else if (isTime) sorted.time = `${digits}${unit}`;
    else if (word.toLowerCase() === 'a' && /^[0-9]/.test(next)) continue;
    else if (isOfThe) continue;
    // `the 10 fastest people`
    else if (PEOPLE.has(word.toLowerCase()) && sorted.people !== null) continue;
    else if (!LEADING_TO_PEOPLE.has(word.toLowerCase()) && !FIRST_OF_PEOPLE.has(word.toLowerCase()))
      sorted.sum.push(word);
    const isUnitNext = isTime || PEOPLE.has(unit) || FIRST_OF_PEOPLE.has(unit);
    if ((isPeople || isTime) && attached === '' && isUnitNext) at += 1;
  }
  return sorted;
}

function readStruck(words: readonly string[], context: GrammarContext): DropWish {
  const names = words.flatMap((word) => word.split(',')).filter((word) => word !== '');
  const whom = names.flatMap((name) => {
    const reading = readRecipient(name, context);
    return reading.kind === 'recipient' ? [reading.recipient] : [];
  });
  const isRead = whom.length === names.length && whom.length > 0;
  return isRead ? { do: 'strike', whom } : { do: 'unreadable', problem: 'not_listed' };
}
