import { httpPlatforms, platformRow } from '../platforms/platforms.ts';
import { platformOfHost } from '../platforms/profile-link.ts';
import { addressFamily } from '../networks.ts';
import { isNumber, readAmount } from './amount.ts';
import { cleanWord, readRecipient, type GrammarContext, type WrongName } from './recipient.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { CALLED, ON, placeOf } from './words/places.ts';
import {
  ARTICLE_TOO,
  BETWEEN,
  CENTS,
  COURTESY,
  DOLLARS,
  EACH,
  FILLERS,
  GIVING,
  JOINING,
  NO_NAMES,
  NOTE_MARK,
  NUMBERS,
  ONE_OF,
  REASONS,
  SPLIT,
  TOWARDS,
} from './words/vocabulary.ts';

/** As in one batch of the API. */
export const RECIPIENTS_MAX = 100;
export const SPACED_PHONE =
  /^\s*(?:[$]?[0-9.,]+\s+(?:[\p{L}]{1,4}\s+)?)?(\+[0-9]{1,4}(?:[ .-][0-9()]{2,}){2,}|0[0-9]{2,4}[ /][0-9 ]{6,})/u;
/** An account number of a bank, or the words for one. */
export const BANK_ACCOUNT =
  /\b[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]{4}){3,7}\b|\b(?:iban|pix|konto|cuenta|conta|account|agencia|agência|ag\.?)\b[^@]{0,20}?[0-9]{4}|口座|\bpix\b/iu;

/** "x:alice and x:bob": a joining word belongs to the list only if another name follows. */
export function joins(texts: readonly string[], at: number, context: GrammarContext): boolean {
  if (!JOINING.has((texts[at] ?? '').toLowerCase())) return false;
  // Two joining words; `y a @luz`.
  const next = (texts[at + 1] ?? '').toLowerCase();
  const isTwice = JOINING.has(next) || (TOWARDS.has(next) && !REASONS.has(next));
  return readRecipient(texts[at + (isTwice ? 2 : 1)] ?? '', context).kind !== 'word';
}

const BEFORE_NAMES = [TOWARDS, GIVING, COURTESY, FILLERS, EACH, SPLIT, BETWEEN, JOINING, DOLLARS, CENTS, ONE_OF];

/** Whether a name may follow this word before any note has begun. `isReply`: there `for` may begin the note. */
export function leadsToName(word: string, isReply: boolean): boolean {
  const bare = word.toLowerCase().replace(/[,;]$/, '');
  if (isReply && REASONS.has(bare)) return false;
  return isNumber(bare) || NUMBERS.has(bare) || BEFORE_NAMES.some((words) => words.has(bare));
}

/** `x:alice a 5`: where the word is an article elsewhere (`a 5 star talk`), only if the line ends with a plain sum. */
export function leadsToSum(texts: readonly string[], at: number): boolean {
  const reading = readAmount(texts, at + 1);
  if (reading === null || !ARTICLE_TOO.has((texts[at] ?? '').toLowerCase())) return reading !== null;
  if (reading.kind !== 'amount' || reading.form.kind !== 'exact') return false;
  const next = texts[at + 1 + reading.used];
  return next === undefined || NOTE_MARK.test(next);
}

/** Whom a reply names behind its sum: `5 to bob` is not for the author. Null where that is only a reason. */
export function namedInstead([word = '', name = '']: readonly string[]): string | null {
  const isTowards = TOWARDS.has(word.toLowerCase()) && !REASONS.has(word.toLowerCase());
  const isPlain = /^[A-Za-z0-9_.-]+$/.test(name) && !NO_NAMES.has(name.toLowerCase());
  return isTowards && isPlain ? name : null;
}

/** A name that could not be read, or one without its platform. */
export type Unnamed = Pick<WrongName, 'code' | 'found' | 'reason' | 'instead'>;

/**
 * What is wrong with a name, and the same tip as it would work. `sum` is the line's sum; `following` are the next
 * words: "x alice" and "alice on x" were meant as one name.
 */
export function nameMistake(unnamed: Unnamed, sum = '1', following: readonly string[] = []): Mistake {
  const { code, found, reason, instead = [] } = unnamed;
  const tip = (name: string) => `/tip ${name} ${sum}`;
  const [first, ...more] = instead.map(tip);
  const why = reason === undefined ? {} : { reason };
  if (first !== undefined) return mistake(code, found, [first, ...more], why);
  if (code === 'which_network') return whichMistake(found, sum, following);
  if (code === 'wallet_address') return mistake(code, found, [wayToWallet(found, sum) ?? tip('@x:alice')]);
  const platform = code === 'platform_domain' ? platformOfHost(found.replace(/^https?:\/\/|[/?#].*$/gi, '')) : null;
  const prefix = platform === null ? null : platformRow(platform).prefix;
  const example = prefix === null ? tip('@x:alice') : tip(`${prefix}:alice`);
  return mistake(code, found, [example], why);
}

function wayToWallet(address: string, sum: string): string | null {
  const isWhole = addressFamily(address) === 'svm' || /^0x[0-9a-f]{40}$/i.test(address);
  return isWhole ? `/withdraw ${sum} ${address}` : null;
}

function whichMistake(found: string, sum: string, [next = '', second = '']: readonly string[]): Mistake {
  const name = cleanWord(found).replace(/^@+/, '');
  const isOn = ON.has(next.toLowerCase());
  const isCalled = isOn || CALLED.has(next.toLowerCase());
  // `github user alice`, `al github de alice`; `alice on github`, `alice github`.
  const spelled = [
    [name, plainName(isCalled ? second : next)],
    [isOn ? cleanWord(second) : cleanWord(next), plainName(name)],
  ] as const;
  for (const [place, person] of spelled) {
    const prefix = placeOf(place)?.prefix;
    if (prefix === undefined || person === null || isNumber(person)) continue;
    const reading = readRecipient(`${prefix}:${person}`, {});
    const whole = [found, next, ...(isCalled ? [second] : [])].join(' ');
    if (reading.kind === 'recipient') return mistake('name_in_two_words', whole, [`/tip ${prefix}:${person} ${sum}`]);
    // People there have numbers.
    if (reading.kind === 'mistake' && reading.reason?.kind === 'number') return nameMistake(reading, sum);
  }
  const asked = NO_NAMES.has(name.toLowerCase()) ? null : plainName(name);
  return mistake('which_network', found, namedExamples(asked ?? 'alice', sum));
}

/** An example for each of the first public platforms on which this name is possible. */
function namedExamples(name: string, sum: string): Mistake['examples'] {
  const prefixes = httpPlatforms(false).flatMap((platform) => platformRow(platform).prefix ?? []);
  const names = prefixes.map((prefix) => `${prefix}:${name}`);
  const valid = names.filter((text) => readRecipient(text, {}).kind === 'recipient');
  const [first = EXAMPLE_TIP, ...more] = valid.slice(0, 3).map((text) => `/tip ${text} ${sum}`);
  return [first, ...more];
}

/** The text as a name that an example can safely repeat. */
function plainName(text: string): string | null {
  return /^@?([A-Za-z0-9_.-]{1,39})$/.exec(cleanWord(text))?.[1] ?? null;
}
