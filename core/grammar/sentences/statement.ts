import type { MicroUsdc } from '../../money.ts';
import type { Recipient } from '../../platforms/recipient.ts';
import { readAmount } from '../amount.ts';
import { maySayMore, readNote } from '../note.ts';
import { readRecipient } from '../recipient.ts';
import { DOLLARS } from '../vocabulary.ts';
import { splitWords } from '../words.ts';
import { shared, toPaid, type Payment, type PaymentLine } from './lines.ts';
import { asNote, AT_THE_END, changesMeaning, counted, LEADS, MARK, plainNames, plainSums } from './phrases.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Of these at least one: what pays. None that may also tell of a payment, as `sent` and `paid` do. */
const PAYING = words(
  'send give tip pay transfer gift donate reward forward remit wire deliver move reimburse thank issue compensate grant award ' +
    'hand tips payment payments transfers gratuity distribute divide split disburse dispatch credit route batch bucks buck ' +
    'dollars dollar usdc cents drop',
);
/** Words beside a name and a sum that change nothing about who gets what, whether or when. None is a person. */
const IDLE = words(
  'please pls plz kindly thanks very much many thx cheers obliged appreciated asap immediately now just simply exactly quick ' +
    'small one-time make process execute arrange tip donation gift sum amount of with it each apiece evenly equally among ' +
    'between as follows following proceed new total thank-you micro-payment micropayment these recipient recipients payee account ' +
    'handle website site domain email e-mail address user ok okay initiate create perform complete submit trigger payout bonus fee prize',
);
/** What a person gets is what they are to get only where that is asked for. */
const GETTING = words('gets get receives receive have deserves');
const ASKED =
  /\b(?:please|kindly|make sure|ensure|see to it|send it|pay it|i want|we want|i would like|we would like|i'd like|we'd like)\b/i;
/** A payment that is spoken of is another one. */
const SPOKEN_OF = /\b(?:the|this|that|my|your)\s+(?:tip|payment|transfer|gift|donation|reward|payout|bonus|batch)s?\b/i;
const JOINING = words('and plus &');
/** Between `and` and what it joins. */
const LEADING = words('to the a an for then please');
const EACH = words('each apiece');
const EVENLY = words('evenly equally');
/** Only a request in the form of a question is none in earnest. */
const QUESTION = /^\s*(?:(?:hi|hey|hello|please)[,!]?\s+)?(?:can|could|would|will)\s+you\b/i;

type Item = { kind: 'name'; recipient: Recipient } | { kind: 'sum'; amount: MicroUsdc };
type Read = {
  items: Item[];
  isEach: boolean;
  isSplit: boolean;
  isPaying: boolean;
  isGetting: boolean;
  isTotalled: boolean;
};

/**
 * Reads who gets what in whatever order it is said. It guesses nothing: beside names and sums only words are let pass that
 * mean nothing for the payment, and a name and its sum have to be told apart from all others by their order alone. Null where
 * that is not so.
 */
export function readStatement(text: string): Payment | null {
  if (/\?(?=\s|$)/.test(text) && !(QUESTION.test(text) && text.trim().search(/\?\s/) < 0)) return null;
  const isAsked = ASKED.test(text);
  const { rest, count } = counted(
    text
      .replace(GREETING, '')
      .replace(LEADS, '')
      .replace(NUMBERED, numbered)
      .replace(FOLLOWING, '')
      .replace(/\bthe same (?:amount|sum)\b/gi, SAME_TOKEN),
  );
  const whole = plainNames(plainSums(rest)).replace(AT_THE_END, '');
  const toPayment = (head: string, note: string | null): Payment | null => {
    const payment = readPayment(head, note, isAsked);
    return count === null || payment?.lines.length === count ? payment : null;
  };
  const all = toPayment(whole, null);
  if (all !== null) return all;
  const [lead, before = ''] = NOTE_BEFORE.exec(whole) ?? [];
  const early = lead === undefined ? null : noted(before);
  if (early !== null) return toPayment(whole.slice(lead?.length), early);
  for (const mark of [...whole.matchAll(MARK)].slice(0, MARKS_MAX)) {
    const behind = whole.slice(mark.index).replace(/[.!\s]+$/, '');
    const [, note = behind, sum = ''] = SUM_BEHIND.exec(behind) ?? [];
    const read = noted(note);
    const payment = read === null ? null : toPayment(`${whole.slice(0, mark.index)} ${sum}`, read);
    if (payment !== null) return payment;
  }
  return null;
}

const GREETING =
  /^\s*(?:hi|hey|hello|dear|good (?:morning|afternoon|evening))(?:\s+(?:there|agent|assistant|team|colleague|pennypost|bot))?[,.!:]*\s+/i;
/** Stands for the sum before it. */
const SAME_TOKEN = 'same-sum';
/** Where a note may begin; a text with more is none of ours. */
const MARKS_MAX = 6;
/** What leads to a list says nothing about it. */
const FOLLOWING =
  /\bthe following(?:\s+(?:people|persons|recipients|accounts|users|payments|transfers|tips|amounts))?:/i;
/** `For the review pay x:alice 1 USDC`. */
const NOTE_BEFORE = /^\s*(for\s+[^,;:.@$]{3,80}?)[,:]?\s+(?=(?:please\s+)?(?:send|pay|tip|give|transfer)\b)/i;
/** `for parking: $8.60`: the sum behind its note. */
const SUM_BEHIND = /^([^:]*):\s*(\$?[0-9][0-9.]*(?:\s+(?:usdc|usd|dollars?|cents?))?)[.!\s]*$/i;

/** The numbers of a list are no sums: lines that count from one. */
const NUMBERED = /(?:^[ \t]*1[.)][ \t]+.*$)(?:\n[ \t]*[0-9]{1,2}[.)][ \t]+.*$)+/gm;

function numbered(list: string): string {
  const lines = list.split('\n');
  const isCounting = lines.every((line, at) => Number.parseInt(line, 10) === at + 1);
  return isCounting ? lines.map((line) => line.replace(/^\s*[0-9]+[.)]\s+/, '')).join('\n') : list;
}

/** A note, as it stands behind its mark; null where it may be more than one. */
function noted(note: string): string | null {
  if (changesMeaning(note)) return null;
  const texts = splitWords(asNote(note)).map((word) => word.text);
  const isQuoted = /^[^"“«]*["“«][^"”»]*["”»]\s*$/.test(note);
  if (!isQuoted && texts.some((word) => readRecipient(word, {}).kind !== 'word')) return null;
  return !isQuoted && maySayMore(texts, {}) ? null : readNote(asNote(note));
}

function readPayment(text: string, note: string | null, isAsked: boolean): Payment | null {
  const read = readItems(text);
  if (read === null || (read.isGetting ? !isAsked : !read.isPaying)) return null;
  const { items, isEach, isSplit } = read;
  const names = items.flatMap((item) => (item.kind === 'name' ? [item.recipient] : []));
  const sums = items.flatMap((item) => (item.kind === 'sum' ? [item.amount] : []));
  const [first, ...others] = sums;
  if (first === undefined || names.length === 0) return null;
  if (read.isTotalled && names.length > 1 && sums.length === names.length + 1) return totalled(items, note);
  if (others.length > 0) return isEach || isSplit ? null : toPaid(paired(items), note);
  if (names.length > 1 && isEach === isSplit) return null;
  return names.length === 1 && isSplit ? null : toPaid(shared(names, first, isSplit), note);
}

/** The sum of all at the end has to be right. */
function totalled(items: readonly Item[], note: string | null): Payment | null {
  const last = items.at(-1);
  const lines = paired(items.slice(0, -1));
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n);
  return last?.kind === 'sum' && last.amount === total ? toPaid(lines, note) : null;
}

/** A name and a sum by turns, in the same order from the first to the last. */
function paired(items: readonly Item[]): PaymentLine[] {
  const lines: PaymentLine[] = [];
  for (let at = 0; at < items.length; at += 2) {
    const pair = items.slice(at, at + 2);
    const name = pair.find(({ kind }) => kind === 'name');
    const sum = pair.find(({ kind }) => kind === 'sum');
    if (name?.kind !== 'name' || sum?.kind !== 'sum' || pair[0]?.kind !== items[0]?.kind) return [];
    lines.push({ recipient: name.recipient, amount: sum.amount });
  }
  return lines;
}

function readItems(text: string): Read | null {
  if (SPOKEN_OF.test(text)) return null;
  const tokens = text.split(/\s+/).flatMap(bare);
  const read: Read = { items: [], isEach: false, isSplit: false, isPaying: false, isGetting: false, isTotalled: false };
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] ?? '';
    const word = token.toLowerCase();
    const amount = readAmount(tokens, at);
    if (amount?.kind === 'mistake' && !IDLE.has(word)) return null;
    if (amount?.kind === 'amount' && !(amount.used === 1 && IDLE.has(word))) {
      if (amount.form.kind !== 'exact' || amount.other !== undefined) return null;
      read.items.push({ kind: 'sum', amount: amount.form.amount });
      read.isPaying ||= tokens
        .slice(at, at + amount.used)
        .some((one) => DOLLARS.has(one.toLowerCase()) || one.startsWith('$'));
      at += amount.used;
      continue;
    }
    const before = read.items.findLast(({ kind }) => kind === 'sum');
    if (word === SAME_TOKEN && before !== undefined) {
      read.items.push(before);
      at += 1;
      continue;
    }
    if (JOINING.has(word) && !isJoined(tokens, at + 1)) return null;
    at += 1;
    const name = readRecipient(token, {});
    if (name.kind === 'mistake') return null;
    if (name.kind === 'recipient') read.items.push({ kind: 'name', recipient: name.recipient });
    else if (![IDLE, PAYING, JOINING, LEADING, GETTING].some((known) => known.has(word))) return null;
    read.isEach ||= EACH.has(word);
    read.isSplit ||= EVENLY.has(word);
    read.isGetting ||= GETTING.has(word);
    read.isPaying ||= PAYING.has(word);
    read.isTotalled ||= word === 'total';
  }
  return read;
}

/** What is joined has to be understood too: `x:alice and the others` names more people than it pays. */
function isJoined(tokens: readonly string[], from: number): boolean {
  const at = tokens.findIndex((token, index) => index >= from && !LEADING.has(token.toLowerCase()));
  const next = tokens[at] ?? '';
  if (next === SAME_TOKEN || PAYING.has(next.toLowerCase()) || /^(?:thanks|thank)$/i.test(next)) return true;
  return readRecipient(next, {}).kind === 'recipient' || readAmount(tokens, at)?.kind === 'amount';
}

/** Without the marks of sentences and lists. Quotation marks stay: what is quoted may be anybody's words. */
function bare(token: string): string[] {
  const text = token.replace(/^[([]+/, '').replace(/[)\].,;:!?]+$/, '');
  return text === '' || /^[-–—•·*→=|]+$/.test(text) ? [] : [text];
}
