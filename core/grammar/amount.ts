import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { formatUsdc, microUsdc, parseDecimalUsdc, type MicroUsdc } from '../money.ts';
import { addressFamily } from '../networks.ts';
import {
  cutDecimals,
  DIGITS,
  digitsOf,
  THOUSANDS,
  toAscii,
  toMicro,
  unambiguous,
  withoutThousands,
} from './words/digits.ts';
import { toUsdc, type OtherMoney, type Rates } from './rates.ts';
import { halvedNumber, isName, mayFollow, sumInParts, vagueSum, type WordAt } from './words/after-sum.ts';
import { nationOf } from './words/nations.ts';
import * as vocabulary from './words/vocabulary.ts';

export type AmountForm = { kind: 'exact'; amount: MicroUsdc } | { kind: 'all' } | { kind: 'half' };

export type AmountMistake =
  | 'thousands_separator'
  | 'shorthand_amount'
  | 'too_many_decimals'
  | 'other_currency'
  | 'counted_amount'
  | 'word_amount'
  | 'all_or_wish'
  | 'unreadable_amount';

export type AmountReading =
  /** `other`: what was typed, where that is other money at a rate. */
  | { kind: 'amount'; form: AmountForm; used: number; other?: OtherMoney }
  | {
      kind: 'mistake';
      code: AmountMistake;
      found: string;
      instead: string;
      /** For other money: how much of which, where both are plain. */
      other?: OtherMoney;
    };

/** A token that starts like a number is meant as one, except a name, a wallet or a telephone number. */
const NUMBER_LIKE = /^[-+~]?(?:[a-z]{0,3}\$|usdc?|[€£¥₹₩])?[-+]?[.,]?[0-9½¼¾]/;
const NAME_LIKE = /[@:]|\/[^0-9]|\.[a-z]|^0x[0-9a-f]{6}|^\+[0-9]{7}/;
const FORM = /^([a-z]{0,3}\$|usdc|[a-z]{3}|[€£¥₹₩])?((?:[0-9]+(?:[.,'’_][0-9]+)*)|[.,][0-9]+)([^0-9.,]*)$/;
const END = /(?:[.,]-+|(?<![.,!?;:…])[.,!?;:…]+)$/;

/**
 * Reads the amount that starts at `tokens[at]`; null when that token is not meant as one. A separate unit is a second
 * token (`1 USDC`, `$ 5`). Nothing is rounded, and an ambiguous amount is refused.
 */
export function readAmount(tokens: readonly string[], at: number, rates?: Rates): AmountReading | null {
  const read = inParts(withDollar(readAsTyped(tokens, at), tokens, at), tokens, at);
  const reading = withNation(read, tokens, at);
  if (reading?.kind !== 'mistake' || reading.other === undefined) return reading;
  const amount = toUsdc(reading.other, rates);
  const used = reading.found.split(/\s+/).length;
  const next = toAscii(tokens[at + used] ?? '');
  // "5 euro cents", "5 euros k".
  const isMore = vocabulary.CENTS.has(next) || vocabulary.SCALES.has(next) || isUnit(next);
  if (amount === null || isMore) return reading;
  return { kind: 'amount', form: { kind: 'exact', amount }, used, other: reading.other };
}

/** `20 centavos de dólar`. */
function withDollar(reading: AmountReading | null, tokens: readonly string[], at: number): AmountReading | null {
  if (reading?.kind !== 'amount') return reading;
  const last = at + reading.used - 1;
  const [unit = '', of = '', whose = ''] = tokens.slice(last, last + 3).map((token) => toAscii(token).replace(END, ''));
  const isWhole = vocabulary.CENTS.has(unit) && /^(?:de|do|of)$/.test(of) && vocabulary.DOLLARS.has(whose);
  return isWhole ? { ...reading, used: reading.used + 2 } : reading;
}

/** `dólar e meio`, `un dólar con veinte`; where it has another reading (`two fifty`), it is asked about as one sum. */
function inParts(reading: AmountReading | null, tokens: readonly string[], at: number): AmountReading | null {
  const word = wordsFrom(tokens, at);
  const isWordy = /^[^0-9０-９]+$/.test(tokens[at] ?? '');
  // `dólar e meio`, `um e meio`
  const isFirst = vocabulary.DOLLARS.has(word(0)) || (vocabulary.ONE_OF.has(word(0)) && /^(?:e|y|und)$/.test(word(1)));
  const isOpen = isWordy ? reading !== null || isFirst : reading?.kind === 'amount';
  const parts = isOpen ? sumInParts(word) : null;
  if (parts === null) return reading;
  const { sum, used, isSure } = parts;
  return isSure ? exact(sum, false, used) : refuse('word_amount', tokens.slice(at, at + used).join(' '), sum);
}

const wordsFrom = (tokens: readonly string[], at: number): WordAt => {
  const read: string[] = [];
  return (offset) => (read[offset] ??= toAscii(tokens[at + offset] ?? '').replace(END, ''));
};

/** `200 pesos mexicanos`, `5 dólares canadienses`: the word behind says whose money it is. */
function withNation(reading: AmountReading | null, tokens: readonly string[], at: number): AmountReading | null {
  const word = wordsFrom(tokens, at);
  const used = reading?.kind === 'amount' ? reading.used : (reading?.found.split(/\s+/).length ?? 0);
  const isMoney = reading?.kind === 'amount' || reading?.code === 'other_currency';
  const nation = isMoney && used > 0 ? nationOf(word(used - 1), word(used)) : null;
  if (nation === null) return reading;
  if (nation.code === 'USD') return reading?.kind === 'amount' ? { ...reading, used: used + 1 } : reading;
  const digits = /^[0-9]/.test(word(0)) ? word(0) : String(vocabulary.NUMBERS.get(word(0)) ?? '');
  const found = tokens.slice(at, at + used + 1).join(' ');
  return used === 2 ? otherMoney(nation.code, digits, found) : refuse('other_currency', found);
}

function readAsTyped(tokens: readonly string[], at: number): AmountReading | null {
  const found = tokens[at] ?? '';
  const plain = wordsFrom(tokens, at);
  // "5 US dollars" has one word more.
  const isLong = /^(?:us|american)$/.test(plain(1)) && vocabulary.DOLLARS.has(plain(2));
  const word = (offset: number) => plain(isLong && offset > 0 ? offset + 1 : offset);
  const token = word(0);
  if (isUnit(token) && isNumber(tokens[at + 1] ?? '')) {
    const reading = readNumber(
      `${vocabulary.DOLLARS.has(token) ? '$' : token}${word(1)}`,
      `${found} ${tokens[at + 1]}`,
      word(2),
    );
    return reading.kind === 'amount' ? { ...reading, used: reading.used + 1 } : reading;
  }
  if (isNumber(found)) {
    const reading = readNumber(token, found, word(1), word(2));
    return isLong && reading.kind === 'amount' ? { ...reading, used: reading.used + 1 } : reading;
  }
  return (
    readPrice(found, token) ??
    readNicknamed(tokens, at, word) ??
    readVague(tokens, at, word) ??
    readHalfOfOne(word) ??
    readShare(tokens, at, word) ??
    readWords(tokens, at, word)
  );
}

/** Whether a word is written as a number, alone or with a unit. */
export function isNumber(text: string): boolean {
  const token = toAscii(text);
  return NUMBER_LIKE.test(token) && !NAME_LIKE.test(token) && addressFamily(text) !== 'svm';
}

const isUnit = (token: string) =>
  vocabulary.DOLLARS.has(token) || (vocabulary.OTHER_MONEY.has(token) && !/^[a-z]*[^a-z$€£¥₹₩]/.test(token));

function readNumber(token: string, found: string, next: string, afterNext = ''): AmountReading {
  const whole = (unit: string) => (suffix === '' && unit !== '' ? `${found} ${unit}` : found);
  const match = FORM.exec(token);
  const [, prefix = '', digits = '', suffix = ''] = match ?? [];
  if (!match) return refuse(shapeMistake(token), found);
  const unit = suffix === '' ? next : suffix;
  const after = suffix === '' ? '' : next;
  const otherMoney = [prefix, unit, after].find((word) => vocabulary.OTHER_MONEY.has(word));
  if (THOUSANDS.test(digits)) return refuse('thousands_separator', found, withoutThousands(digits));
  if (suffix === '' && /^[0-9]{3}$/.test(next)) return refuse('thousands_separator', `${found} ${next}`);
  if (otherMoney !== undefined) {
    const reading = otherCurrency(otherMoney, digits, otherMoney === prefix ? found : whole(unit));
    // "5$ CAD" is not plain enough for a rate.
    const isMixed = [prefix, suffix, next].filter((word) => isUnit(word)).length > 1;
    return isMixed && reading.kind === 'mistake' ? refuse(reading.code, reading.found) : reading;
  }
  // `$10 mil gracias`: hardly ten thousand.
  if (vocabulary.SCALES.has(unit) && suffix === '' && vocabulary.THANKS.test(afterNext))
    return refuse('word_amount', found, digitsOf(digits));
  if (vocabulary.SCALES.has(unit)) return refuse('shorthand_amount', whole(unit), '10');
  // `$5 pizza` is for one.
  if (vocabulary.COUNTED.has(unit) && !(prefix !== '' && vocabulary.THINGS.has(unit)))
    return refuse('counted_amount', whole(unit), digitsOf(digits));
  const isCents = vocabulary.CENTS.has(unit);
  // `0.50 cents`: hardly half a cent.
  if (isCents && /^0*[.,][0-9]{2}$/.test(digits)) return refuse('word_amount', whole(unit), digitsOf(digits));
  const isKnown = isCents || vocabulary.DOLLARS.has(unit);
  if (suffix !== '' && !isKnown) return refuse('unreadable_amount', found, digitsOf(digits));
  const isPrefixKnown = prefix === '' || vocabulary.DOLLARS.has(prefix);
  if (!isPrefixKnown || !DIGITS.test(digits) || (prefix !== '' && isCents)) return refuse('unreadable_amount', found);
  const amount = toMicro(digits, isCents);
  if (amount === null) return refuse('too_many_decimals', found, cutDecimals(digits));
  return { kind: 'amount', form: { kind: 'exact', amount }, used: suffix === '' && isKnown ? 2 : 1 };
}

function otherCurrency(word: string, digits: string, found: string): AmountReading {
  return otherMoney(vocabulary.OTHER_MONEY.get(word) ?? null, digits, found);
}

function otherMoney(currency: string | null, digits: string, found: string): AmountReading {
  const amount = DIGITS.test(digits) ? toMicro(digits, false) : null;
  const other = currency === null || amount === null ? {} : { other: { currency, amount } };
  return { ...refuse('other_currency', found), ...other };
}

/** `zweifuffzig`: two fifty. */
function readPrice(found: string, token: string): AmountReading | null {
  const [, whole = '', tens = ''] = vocabulary.PRICE.exec(token) ?? [];
  const [dollars, cents] = [vocabulary.NUMBERS.get(whole), vocabulary.NUMBERS.get(tens.replace(/ich$/, 'ig'))];
  return dollars === undefined || cents === undefined ? null : refuse('word_amount', found, `${dollars}.${cents}`);
}

/** `a fiver` is five of some money. */
function readNicknamed(tokens: readonly string[], at: number, word: WordAt): AmountReading | null {
  const skipped = vocabulary.ONE_OF.has(word(0)) || word(0) === 'nen' ? 1 : 0;
  const value = vocabulary.NICKNAMED.get(word(skipped));
  return value === undefined
    ? null
    : refuse('word_amount', tokens.slice(at, at + skipped + 1).join(' '), String(value));
}

/** `a couple of bucks`: asked about, likeliest first. */
function readVague(tokens: readonly string[], at: number, word: WordAt): AmountReading | null {
  const vague = vagueSum(word);
  if (vague === null) return null;
  return refuse('counted_amount', tokens.slice(at, at + vague.used).join(' '), vague.likely);
}

/** `half a dollar` is a sum, not half of a balance. */
function readHalfOfOne(word: WordAt): AmountReading | null {
  // `einen halben Dollar`
  const skipped = vocabulary.ONE_OF.has(word(0)) ? 1 : 0;
  if (!vocabulary.HALF_OF_ONE.has(word(skipped))) return null;
  const used = skipped + (vocabulary.ONE_OF.has(word(skipped + 1)) ? 3 : 2);
  if (!vocabulary.DOLLARS.has(word(used - 1))) return null;
  return { kind: 'amount', form: { kind: 'exact', amount: microUsdc(500_000n) }, used };
}

function readShare(tokens: readonly string[], at: number, word: WordAt): AmountReading | null {
  const skipped = vocabulary.ARTICLES.has(word(0)) && vocabulary.HALF.has(word(1)) ? 1 : 0;
  const kind = vocabulary.ALL.has(word(skipped)) ? 'all' : vocabulary.HALF.has(word(skipped)) ? 'half' : null;
  if (kind === null) return null;
  const used = skipped + 1;
  // `half a dozen`; `mitad a @alice` has a name there.
  const isCounted = vocabulary.ARTICLE_TOO.has(word(used)) && word(used + 1) !== '' && !isName(word(used + 1));
  if (isCounted) return refuse('counted_amount', tokens.slice(at, at + used + 2).join(' '));
  if (mayFollow(word(used))) return { kind: 'amount', form: { kind }, used };
  // `max 5` is a bound, and its suggestion never everything.
  const instead = isNumber(word(used)) ? digitsOf(word(used)) : kind;
  return refuse('all_or_wish', tokens.slice(at, at + used + 1).join(' '), instead);
}

/** `five dollars`, `five`; what else follows could be more of the number, or no number at all. */
function readWords(tokens: readonly string[], at: number, word: WordAt): AmountReading | null {
  // `mil` alone; the letters `k` and `m` alone are no number.
  if (word(0).length > 2 && vocabulary.SCALES.has(word(0))) return refuse('shorthand_amount', tokens[at] ?? '', '10');
  const isArticle = vocabulary.ONE_OF.has(word(0));
  const halved = halvedNumber(word(0));
  const first = isArticle || halved !== null ? 1 : vocabulary.NUMBERS.get(word(0));
  if (first === undefined || word(0) === '_') return null;
  // `twenty five`, `vinte e cinco centavos`
  const joined = /^[ey]$/.test(word(1)) && vocabulary.CENTS.has(word(3)) ? 1 : 0;
  const second = first >= 20 && first % 10 === 0 ? (vocabulary.NUMBERS.get(word(1 + joined)) ?? 0) : 0;
  const isTwofold = second > 0 && second < 10;
  const used = isTwofold ? 2 + joined : 1;
  const digits = halved ?? String(isTwofold ? first + second : first);
  const unit = word(used);
  const isCents = vocabulary.CENTS.has(unit);
  if (!isCents && !vocabulary.DOLLARS.has(unit)) {
    if (isArticle && !vocabulary.NUMBERS.has(word(0))) return null;
    const found = tokens.slice(at, at + used + 1).join(' ');
    if (vocabulary.OTHER_MONEY.has(unit)) return otherCurrency(unit, digits, found);
    if (isArticle ? unit === '' : mayFollow(unit)) return exact(digits, false, used);
    return isArticle ? null : refuse('word_amount', found, digits);
  }
  return exact(digits, isCents, used + 1);
}

function exact(digits: string, isCents: boolean, used: number): AmountReading {
  const amount = toMicro(digits, isCents) ?? microUsdc(0n);
  return { kind: 'amount', form: { kind: 'exact', amount }, used };
}

function refuse(code: AmountMistake, found: string, instead = '1'): Extract<AmountReading, { kind: 'mistake' }> {
  return { kind: 'mistake', code, found, instead };
}

/** An amount as every command that we write has it, so that it is read as the same amount. */
export function writtenSum(form: AmountForm): string {
  return form.kind === 'exact' ? unambiguous(formatUsdc(form.amount)) : form.kind;
}

/** The payment that the words describe, for corrections of anything else in them. */
export function sumIn(texts: readonly string[], amount: AmountForm | null = null, otherwise = '1'): string {
  if (amount !== null) return writtenSum(amount);
  for (const at of texts.keys()) {
    const reading = readAmount(texts, at);
    if (reading?.kind === 'amount') return writtenSum(reading.form);
  }
  return otherwise;
}

/** The same within what a tip may be, because an example has to work. */
export function payableSum(sum: string): string {
  const amount = parseDecimalUsdc(sum);
  if (amount === null) return sum;
  if (amount < PAYMENT_AMOUNT_MIN) return formatUsdc(PAYMENT_AMOUNT_MIN);
  return amount > PAYMENT_AMOUNT_MAX ? formatUsdc(PAYMENT_AMOUNT_MAX) : sum;
}

function shapeMistake(token: string): AmountMistake {
  return /^[-+]?\$?[0-9.,]+e[-+]?[0-9]+$/.test(token) ? 'shorthand_amount' : 'unreadable_amount';
}
