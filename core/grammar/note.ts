import { readAmount, isNumber } from './amount.ts';
import { changesSum } from './behind-sum.ts';
import { readRecipient, type GrammarContext } from './recipient.ts';
import {
  ALSO,
  AT_TIME,
  AMONG,
  COURTESY,
  DOLLARS,
  CENTS,
  COUNTED,
  EACH,
  EACH_ONE,
  INSTEAD,
  JOINING,
  NOTE_MARK,
  NUMBERS,
  OTHER_MONEY,
  REASONS,
  SPLIT,
  SPLIT_WITH,
} from './words/vocabulary.ts';
import { splitWords } from './words/words.ts';

/** As on receipts. */
export const NOTE_CHARACTERS_MAX = 140;

const QUOTED = /^["'“„«「『‘](.*)["'”“»」』’]$/s;
/** Of the numbers in a note only those that could be a tip are taken for one. */
const TIP_LIKE = /^(?:0?[.,][0-9]{1,2}|[1-9](?:[.,][0-9]{1,2})?|10)$/;

/** One line, without characters that reorder the text around them. */
export function cleanNote(text: string): string {
  return text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** What was typed after a tip; null for nothing, and for mere courtesy. */
export function readNote(text: string): string | null {
  const note = withoutCourtesy(cleanNote(text).replace(NOTE_MARK, '').trim());
  const bare = (QUOTED.exec(note)?.[1]?.trim() ?? note).replace(/^[-–—.,!]+$/, '');
  return bare === '' || isCourtesy(bare) ? null : bare;
}

/** `porfa, es de la farmacia`. */
function withoutCourtesy(note: string): string {
  // `送ってください いつもありがとう`, `お願いします！助かりました`
  const [verb = '', said = ''] = /^(\p{L}+)(?:[!！。、]+\s*|\s+)(?=\S)/u.exec(note) ?? [];
  if (ASKING.test(said) && ASKED_POLITELY.test(said)) return note.slice(verb.length);
  const [polite = '', words = ''] = /^(\p{L}+(?: \p{L}+)?)[,.!、。]+\s+(?=\S)/u.exec(note) ?? [];
  return polite !== '' && COURTESY.has(words.toLowerCase().replace(' ', '-')) ? note.slice(polite.length) : note;
}

const ASKING = /送|払|渡|あげ|お願い|請求|頼|くださ/u;
/** Thanks for the same are none. */
const ASKED_POLITELY =
  /^(?!.*(?:ありがと|くれて|助か))(?:さん|くん|君|ちゃん|様)?(?:[にへを]|[にへを]?(?:渡し|送っ|送り|あげ|お願い|払っ|払い|投げ|くださ|頼|請求)\S{0,12})$/u;
/** `an @alice senden`: the verb of the request. */
const VERB_LAST =
  /^(?:(?:zu )?(?:senden|schicken|überweisen|ueberweisen|zahlen|geben)|auf|enviar|mandar|pagar)[.!?]*$/iu;

/** `por favor!`, `please 🙏`. */
function isCourtesy(text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\s-]+/gu, ' ')
    .trim()
    .replace(/\s+/g, '-');
  return COURTESY.has(words) || ASKED_POLITELY.test(words) || VERB_LAST.test(text);
}

/** A note as it has to be typed to be read as nothing else. */
export function typedNote(note: string): string {
  const texts = splitWords(note).map(({ text }) => text);
  const isPlain = readNote(note) === note && !isPlainlyNote(note) && !isReadWithSum(texts);
  return isPlain && !maySayMore(texts, {}) ? note : `note: ${note}`;
}

/** Whether the first words belong to the sum or to how it is shared. */
function isReadWithSum(texts: readonly string[]): boolean {
  const reading = readAmount(['5', ...texts], 0);
  const first = (texts[0] ?? '').toLowerCase();
  const isSharing = EACH.has(first) || SPLIT.has(first) || EACH_ONE.has(first);
  const isSum = reading?.kind !== 'amount' || reading.used > 1;
  return isSum || isSharing || changesSum(texts) !== null || changesSum(texts, 'each') !== null;
}

/** Marked or quoted, it is a note whatever it contains. */
export function isPlainlyNote(text: string): boolean {
  return NOTE_MARK.test(text) || QUOTED.test(text.trim());
}

/** `10 a medias`, `10ドルを半分ずつ`: said in so many words. */
const SHARED =
  /^(?:[をで] ?)?(?:半分ずつ|割り?勘|山分け|折半|均等|[0-9０-９一二三四五六七八九十]+人で(?:割|分))|^(?:a medias|meio a meio|halbe[- ]halbe|half (?:each|and half)|50[/ -]50|fifty[- ]fifty|(?:in|en|no|im) total|durch (?:zwei|drei|vier)|(?:zu|a|em) (?:zweit|dritt|dois|dos)|mitad y mitad|metade)(?= |$)/u;

/** Whether the words after a tip for several people say that they share it. */
export function isAmong(texts: readonly string[]): boolean {
  if (SHARED.test(texts.join(' ').toLowerCase())) return true;
  return texts.slice(0, 3).some((word, at) => (at === 0 ? AMONG : SPLIT).has(word.toLowerCase()));
}

/** Whether the words after a tip may be another person or another amount, so that only the payer can say. */
export function maySayMore(texts: readonly string[], context: GrammarContext): boolean {
  const words = texts.map((text) => text.toLowerCase());
  const [first = '', second = ''] = words;
  // `5時に`: an hour, a day or a month.
  if (isNumber(first) && !/^[0-9０-９]{1,2}[時日月]/u.test(first)) return true;
  if (SPLIT.has(first) && SPLIT_WITH.has(second)) return true;
  // `and bob`; `and thanks` is none.
  if (JOINING.has(first) && words.length === 2 && !REASONS.has(second)) return true;
  if (ALSO.has(words.at(-1) ?? '') && words.length <= 3) return true;
  if (words.some((word, at) => isAnother(words[at - 1] ?? '') && isNumber(word))) return true;
  if (words.some((word, at) => isMoney(word, words[at + 1] ?? '', words[at - 1] ?? ''))) return true;
  const isTipLike = (word: string, at: number) => TIP_LIKE.test(word) && !AT_TIME.has(words[at - 1] ?? '');
  const numbers = words.filter(isTipLike);
  if (numbers.length > 1 || (words.length <= 3 && isTipLike(words.at(-1) ?? '', words.length - 1))) return true;
  if (correctedAt(words) >= 0 || CORRECTED_IN_JAPANESE.test(words.join(''))) return true;
  if (JOINING.has(first) && words.slice(1).some((_, at) => readAmount(words, at + 1)?.kind === 'amount')) return true;
  return texts.some((text, at) => isPerson(text, words[at - 1] ?? null, context));
}

const CORRECTING =
  /^(?:wait|no|nope|sorry|oops|actually|rather|make|instead|meant|mean|scratch|nein|nee|doch|lieber|besser|eher|moment|espera|perdón|perdon|mejor|digo|não|nao|ops|opa|melhor|aliás|alias|quero|quis|desculpa)$/u;
const CORRECTED_IN_JAPANESE =
  /(?:いや|やっぱり?|やはり|じゃな[くい]|間違[えい]|訂正)\S{0,6}?(?:[0-9０-９]|[一二三四五六七八九十]+(?:米?ドル|どる|セント))/u;
const CORRECTING_WORDS_MAX = 3;

/** `wait no make it 3`, `actually 3`: where another sum stands that takes the place of the first; -1 for nowhere. */
export function correctedAt(texts: readonly string[]): number {
  const words = texts.map((text) => text.toLowerCase());
  const from = words.slice(0, CORRECTING_WORDS_MAX).findIndex((word) => CORRECTING.test(word));
  const until = from < 0 ? -1 : words.findIndex((word, at) => at > from && (isNumber(word) || isPlural(word)));
  if (until < 0 || until > from + CORRECTING_WORDS_MAX + 1) return -1;
  // `sorry for the 2 broken plates`, `no 3 hours`
  const isReason = words.slice(0, until).some((word) => REASONS.has(word));
  return isReason || COUNTED.has(words[until + 1] ?? '') ? -1 : until;
}

const isPlural = (word: string) => (NUMBERS.get(word) ?? 0) > 1;

const isAnother = (before: string) => JOINING.has(before) || INSTEAD.has(before);

/** A number with a currency. */
function isMoney(word: string, next: string, before: string): boolean {
  const isUnit = (text: string) => DOLLARS.has(text) || OTHER_MONEY.has(text) || (CENTS.has(text) && text !== 'c');
  if (!isNumber(word)) return false;
  return /[$€£¥]|usd/.test(word) || isUnit(next) || isUnit(before);
}

/** `before`: null for the first word. A link or a domain inside a sentence is what the thanks are for. */
function isPerson(text: string, before: string | null, context: GrammarContext): boolean {
  const { bareNames: _, ...place } = context;
  const reading = readRecipient(text, place);
  if (reading.kind === 'word') return false;
  const isFirst = before === null || JOINING.has(before);
  const isNamed = /^@?[a-z]+:|^[^/]*@/i.test(text) && !/^https?:/i.test(text);
  if (reading.kind === 'recipient') return isNamed || isFirst || (/[/]/.test(text) && !REASONS.has(before ?? ''));
  if (reading.code === 'unknown_network' || reading.reason?.kind === 'page') return false;
  return isNamed || isFirst;
}
