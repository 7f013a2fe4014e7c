import {
  CENTS,
  COURTESY,
  DOLLARS,
  EACH,
  NOTE_MARK,
  NUMBERS,
  ONE_OF,
  OTHER_MONEY,
  REASONS,
  SPLIT,
  THANKS,
  TOWARDS,
} from './vocabulary.ts';

/** A word of a line, as it is read. */
export type WordAt = (offset: number) => string;

/** What may stand behind `all` or a number in words, so that they are meant as an amount. */
export function mayFollow(word: string): boolean {
  if (word === '' || isName(word) || NOTE_MARK.test(`${word}:`)) return true;
  return [EACH, SPLIT, TOWARDS, REASONS, COURTESY].some((words) => words.has(word));
}

export const isName = (word: string): boolean => /^@?[a-z]+[:/]|@|^https?:|\.[a-z]{2,}/.test(word);

const WITH = /^(?:e|y|con|com|and|und|mit|plus)$/;
const WITH_CENTS = /^(?:con|com|mit)$/;
const HALF_MORE = /^(?:half|halben?|halber|halbes|medio|media|meio|meia|半)$/;
const ONE_DOLLAR = /^(?:d[oó]lar|dollar)$/;

export type MoreOfSum = { sum: string; used: number; isSure: boolean };

/**
 * `un dólar con veinte`, `dólar e meio`, `two and a half dollars`: a sum in two parts. Sure where the words have one
 * reading only: a half behind `and`, or cents behind a unit and `con`.
 */
export function sumInParts(word: WordAt): MoreOfSum | null {
  const isDigits = /^[0-9]{1,4}$/.test(word(0));
  // `dólar y medio`
  const isUnitFirst = ONE_DOLLAR.test(word(0)) && WITH.test(word(1)) && HALF_MORE.test(word(2));
  const whole = isUnitFirst ? 1 : isDigits ? Number(word(0)) : wholeWords(word);
  if (whole === null) return null;
  const hasUnit = isUnitFirst || DOLLARS.has(word(1));
  const from = !isUnitFirst && hasUnit ? 2 : 1;
  const lead = WITH.test(word(from)) ? 1 : 0;
  const half = halfAt(word, from + lead);
  if (half !== null && lead === 1) {
    const used = from + lead + half + (!hasUnit && DOLLARS.has(word(from + lead + half)) ? 1 : 0);
    return { sum: `${whole}.5`, used, isSure: isWhole(word, used) };
  }
  const cents = centsIn(word(from + lead));
  const isUnit = CENTS.has(word(from + lead + 1));
  const used = from + lead + (isUnit ? 2 : 1);
  const isSpoken = !/[0-9]/.test(word(from + lead));
  // `a buck fifty, you legend`; `un dólar y veinte abrazos` is asked about as well.
  const isPrice = !isDigits && lead === 0 && /^(?:buck|dollar|d[oó]lar)$/.test(word(1));
  const isPart = isPrice || (hasUnit && ((lead === 1 && isSpoken) || isUnit));
  if (cents === null || !(isPart || mayFollow(word(used)))) return null;
  const isSaid = isUnit || WITH_CENTS.test(word(from)) || (lead === 1 && isSpoken);
  const isSure = hasUnit && isSaid && isWhole(word, used, isUnit);
  // `5 and 50` may be two tips.
  return isDigits && !isSure && !isPart ? null : { sum: `${whole}.${cents}`, used, isSure };
}

/** Whether nothing more of the sum, and nobody else, can follow: `and half to bob`, `and twenty thanks`. */
function isWhole(word: WordAt, at: number, isUnit = false): boolean {
  const [next, second] = [word(at), word(at + 1)];
  const isTowards = TOWARDS.has(next) && !REASONS.has(next);
  if (isTowards && !isName(second) && !EACH.has(second)) return false;
  return isUnit || (mayFollow(next) && !THANKS.test(next));
}

/** How many words say a half. */
function halfAt(word: WordAt, at: number): number | null {
  const skipped = ONE_OF.has(word(at)) ? 1 : 0;
  return HALF_MORE.test(word(at + skipped)) ? skipped + 1 : null;
}

/** `two`, `one`: how many whole dollars the first word says. */
function wholeWords(word: WordAt): number | null {
  const number = ONE_OF.has(word(0)) ? 1 : NUMBERS.get(word(0));
  return number === undefined || number === 0 || number > 10 ? null : number;
}

function centsIn(word: string): number | null {
  const digits = /^[1-9][0-9]$/.test(word) ? Number(word) : (NUMBERS.get(word) ?? 0);
  return digits < 10 || digits > 99 ? null : digits;
}

const HALVED = /^(ein|andert|zwei|drei|vier|fünf|fuenf|sechs|sieben|acht|neun)(?:ein)?halb(?:e[nrs]?)?$/;

/** `eineinhalb`, `anderthalb`, `zweieinhalb`. */
export function halvedNumber(word: string): string | null {
  const [, whole] = HALVED.exec(word) ?? [];
  if (whole === undefined) return null;
  const number = whole === 'ein' || whole === 'andert' ? 1 : NUMBERS.get(whole);
  return number === undefined ? null : `${number}.5`;
}

/** How many are probably meant by words that leave it open. */
const VAGUE: ReadonlyMap<string, string> = new Map([
  ['couple', '2'],
  ['cpl', '2'],
  ['par', '2'],
  ['paar', '2'],
  ['pair', '2'],
  ['few', '3'],
]);

/** `a couple of bucks`, `ein paar Dollar`: how many that is, only the payer can say. */
export function vagueSum(word: WordAt): { likely: string; used: number } | null {
  const skipped = ONE_OF.has(word(0)) ? 1 : 0;
  const likely = VAGUE.get(word(skipped));
  if (likely === undefined) return null;
  const of = /^(?:of|de|von)$/.test(word(skipped + 1)) ? 1 : 0;
  const unit = word(skipped + of + 1);
  const isOther = OTHER_MONEY.has(unit) || CENTS.has(unit);
  const isMoney = DOLLARS.has(unit) || isOther;
  if (!isMoney && (of === 1 || !mayFollow(unit))) return null;
  return { likely: isOther ? '1' : likely, used: skipped + 1 + of + (isMoney ? 1 : 0) };
}
