import { findPlatform } from '../platforms/platforms.ts';
import type { Recipient } from '../platforms/recipient.ts';
import { isNumber, readAmount, sumIn, writtenSum, type AmountForm } from './amount.ts';
import { changesSum } from './behind-sum.ts';
import {
  amountMistake,
  changedSum,
  checkRange,
  elsewhere,
  howShared,
  longNote,
  twoPayments,
  withNearest,
  withOthers,
  writtenMoney,
  type Sharing,
  type Tip,
} from './corrections.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { BANK_ACCOUNT, joins, leadsToSum, namedInstead, nameMistake, RECIPIENTS_MAX, SPACED_PHONE } from './names.ts';
import { isAmong, readNote, isPlainlyNote, maySayMore, NOTE_CHARACTERS_MAX } from './note.ts';
import type { OtherMoney } from './rates.ts';
import { readRecipient, type GrammarContext } from './recipient.ts';
import { sharingPhrase } from './sharing.ts';
import { joinPlaces, ON, placeOf, POINTING } from './words/places.ts';
import { missingAmount, missingRecipient } from './missing.ts';
import {
  AFTER_SPLIT,
  BETWEEN,
  COURTESY,
  EACH,
  EACH_ONE,
  FILLERS,
  GIVING,
  JOINING,
  NO_NAMES,
  NOTE_MARK,
  OTHER_PLACES,
  REASONS,
  SPLIT,
  TOWARDS,
} from './words/vocabulary.ts';
import { splitWords, type Word } from './words/words.ts';

export type { Tip } from './corrections.ts';

/** A tip up to its note, which begins at `at`. */
type Head = {
  recipients: Recipient[];
  amount: AmountForm | null;
  sharing: Sharing | null;
  /** `5 between x:a and x:b`. */
  isBetween: boolean;
  at: number;
  typed?: OtherMoney;
  /** Where courtesies end that have been looked past, and whether a name stands there. */
  ahead: { at: number; isName: boolean } | null;
};

/** `text`: what follows `/tip`. What cannot be paid as it stands comes with the nearest command that can, its note included. */
export function parseTip(text: string, context: GrammarContext): Tip | Mistake {
  const read = readTip(text, context);
  if (read.kind === 'tip') return read;
  const account = /[:@]/.test(text) ? undefined : BANK_ACCOUNT.exec(text)?.[0];
  if (account !== undefined) return mistake('bank_account', account, [EXAMPLE_TIP]);
  return withNearest(read, { text, words: wordsOf(text) }, (line) => readTip(line, context));
}

const wordsOf = (text: string) => joinPlaces(joinNames(splitWords(text)));

/**
 * Reads what follows `/tip`: recipients and an amount in either order, `each` or `split`, and the rest as a note.
 * Ambiguous text is a mistake with a corrected example, never a guess, because money depends on it.
 */
function readTip(text: string, context: GrammarContext): Tip | Mistake {
  const words = wordsOf(text);
  if (words.length === 0) return mistake('empty_tip', '', [EXAMPLE_TIP]);
  const phone = SPACED_PHONE.exec(text)?.[1];
  if (phone !== undefined) return mistake('phone_number', phone, [EXAMPLE_TIP]);
  const texts = words.map((word) => word.text);
  const head = readHead(texts, context);
  if ('kind' in head) return head;
  const { amount, at } = head;
  const without = (from: number, until: number) =>
    readTip(text.slice(0, words[from]?.start) + text.slice(words[until]?.start ?? text.length), context);
  const sum = sumBefore(head);
  const written = text.slice(words[at]?.start ?? text.length);
  const unread = { texts, at, written, recipients: head.recipients, sum, context, without };
  const isOfAnswered = amount !== null && context.repliesTo !== undefined;
  if (head.recipients.length === 0 && !isOfAnswered) return missingRecipient(unread);
  if (amount === null) return missingAmount(unread);
  const isReply = head.recipients.length === 0 && context.repliesTo !== undefined;
  const [first, ...more] = isReply ? [context.repliesTo as Recipient] : head.recipients;
  if (!first) return missingRecipient(unread);
  const instead = isReply ? namedInstead(texts.slice(at)) : null;
  if (instead !== null) return nameMistake({ code: 'which_network', found: instead }, sumBefore(head) ?? undefined);
  const tip: Tip = {
    kind: 'tip',
    recipients: [first, ...more],
    amount,
    sharing: head.sharing ?? (head.isBetween && more.length > 0 ? 'split' : 'each'),
    note: readNote(written),
    ...(head.typed ? { typed: head.typed } : {}),
  };
  if (Array.from(tip.note ?? '').length > NOTE_CHARACTERS_MAX) return longNote(tip);
  const rest = texts.slice(at);
  const isNote = isPlainlyNote(written);
  const change = isNote ? null : changesSum(rest, texts[at - 1]);
  if (change !== null) return changedSum(tip, change);
  const place = isNote ? null : placeBehind(rest);
  if (place !== null && isBare(first, context))
    return elsewhere(tip, place.prefix, readNote(withoutWords(tip.note ?? '', place.words)));
  const other = isBare(first, context) ? otherPlace(texts, at + 1) : null;
  if (other !== null && !isNote) return mistake('unknown_network', other, [EXAMPLE_TIP]);
  const isTwofold = more.length > 0 && head.sharing === null && !head.isBetween && isAmong(rest);
  if (isTwofold && !isNote) return howShared(tip);
  if (!isNote && maySayMore(rest, context))
    return twoPayments(tip, rest, (words, repliesTo) => readTip(words, { ...context, repliesTo }));
  return checkRange(tip) ?? tip;
}

/** As it was typed. */
const sumBefore = ({ amount, typed }: Head): string | null =>
  typed !== undefined ? writtenMoney(typed) : amount === null ? null : writtenSum(amount);

/** `@alice 5 on twitter`, `lá do insta`: whom it is for, or what. `words`: how many say so. */
function placeBehind(texts: readonly string[]): { prefix: string; words: number } | null {
  const at = texts.findIndex((text, index) => ON.has(text.toLowerCase()) && placeOf(texts[index + 1] ?? '') !== null);
  const place = at < 0 ? null : placeOf(texts[at + 1] ?? '');
  const isPointing = texts.slice(0, Math.max(at, 0)).every((text) => POINTING.has(text.toLowerCase()));
  return place !== null && isPointing ? { prefix: place.prefix, words: at + 2 } : null;
}

const withoutWords = (note: string, words: number) => note.split(/\s+/).slice(words).join(' ');

/** `@alice on venmo 5`: not the one of that name here. */
function otherPlace(texts: readonly string[], until: number): string | null {
  const found = texts.findIndex((text, at) => {
    const isBeside = ON.has((texts[at - 1] ?? '').toLowerCase()) || (texts[at + 1] ?? '').startsWith('@');
    return at <= until && isBeside && OTHER_PLACES.has(text.toLowerCase());
  });
  return texts[found] ?? null;
}

/** A name without its platform, which the chat itself would know. */
const isBare = ({ platform, key }: Recipient, { bareNames }: GrammarContext): boolean =>
  platform === bareNames && !/^[0-9]+$/.test(key);

/** `x: alice` → `x:alice`. */
function joinNames(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const [, prefix = ''] = /^@?([A-Za-z]+)[:：]$/.exec(last?.text ?? '') ?? [];
    // `@ alice 5`; `5 @ noon` is an hour.
    if (last?.text === '@' && joined.length === 1 && /^\w+$/.test(word.text) && !isNumber(word.text)) {
      joined[joined.length - 1] = { ...last, text: `@${word.text}` };
      continue;
    }
    const isName = findPlatform(prefix) !== null && /^@?[A-Za-z0-9]/.test(word.text) && !isNumber(word.text);
    if (last && isName && !/[:/]/.test(word.text)) joined[joined.length - 1] = { ...last, text: last.text + word.text };
    else joined.push(word);
  }
  return joined;
}

function readHead(texts: readonly string[], context: GrammarContext): Head | Mistake {
  const head: Head = { recipients: [], amount: null, sharing: null, isBetween: false, at: 0, ahead: null };
  let isListClosed = false;
  while (head.at < texts.length) {
    const word = texts[head.at] ?? '';
    if (head.amount !== null && NOTE_MARK.test(word)) break;
    const sharing = readSharing(texts, head, context);
    if (sharing > 0) {
      head.at += sharing;
      continue;
    }
    const amount = head.amount === null ? readAmount(texts, head.at, context.rates) : null;
    if (amount?.kind === 'mistake') return amountMistake(amount, texts, context);
    if (amount !== null) {
      head.amount = amount.form;
      if (amount.other) head.typed = amount.other;
      head.at += amount.used;
      isListClosed = head.recipients.length > 0;
      continue;
    }
    if (isListClosed) break;
    if (isBetween(texts, head, context)) {
      head.isBetween ||= BETWEEN.has(word.toLowerCase());
      head.at += 1;
      continue;
    }
    const reading = readRecipient(word, context);
    if (reading.kind === 'word') break;
    if (reading.kind === 'mistake') {
      const wrong = nameMistake(reading, sumBefore(head) ?? sumIn(texts), texts.slice(head.at + 1));
      return withOthers(wrong, head, texts, context);
    }
    head.recipients.push(reading.recipient);
    if (head.recipients.length > RECIPIENTS_MAX) return mistake('too_many_recipients', '', ['/tip x:alice x:bob 1']);
    head.at += 1;
  }
  return head;
}

const TITLE = /^(?:さん|くん|君|ちゃん|様)$/u;

/** Whether a word only leads to the next: `and` in a list, `to` before a name. */
function isBetween(texts: readonly string[], head: Head, context: GrammarContext): boolean {
  const { recipients, amount, sharing, at } = head;
  if (recipients.length > 0 && joins(texts, at, context)) return true;
  // `x:yui さんに3ドル`
  if (recipients.length > 0 && TITLE.test(texts[at] ?? '') && /^[にへと]$/u.test(texts[at + 1] ?? '')) return true;
  // Two joining words.
  const isJoined = JOINING.has((texts[at - 1] ?? '').toLowerCase());
  if (isJoined && joins(texts, at, context)) return true;
  if (isJoined && joins(texts, at - 1, context)) return readRecipient(texts[at] ?? '', context).kind === 'word';
  const word = (texts[at] ?? '').toLowerCase();
  if (recipients.length === 0 && isBeside(word))
    return amount === null ? at + 1 < texts.length : leadsToOne(texts, head);
  if (AFTER_SPLIT.has(word) && SPLIT.has((texts[at - 1] ?? '').toLowerCase())) return at + 1 < texts.length;
  // `teile 10 auf @alice und @bob auf`
  if (AFTER_SPLIT.has(word) && sharing === 'split' && readRecipient(texts[at + 1] ?? '', context).kind !== 'word')
    return true;
  // `1,20 no insta …`
  if (recipients.length === 0 && ON.has(word) && placeOf(texts[at + 1] ?? '') !== null) return true;
  if (recipients.length > 0 && amount === null && isAskedFor(texts, at)) return true;
  if (!TOWARDS.has(word)) return false;
  // In a reply "5 for @bob" may thank the author for what Bob got.
  if (context.repliesTo !== undefined && REASONS.has(word)) return false;
  // `@aliceに各3ドル`
  const following = (texts[at + 1] ?? '').toLowerCase();
  const isEach = EACH.has(following) || (SPLIT.has(following) && isNumber(texts[at + 2] ?? ''));
  if (recipients.length > 0) return amount === null && leadsToSum(texts, isEach ? at + 1 : at);
  const isName = readRecipient(texts[at + 1] ?? '', context).kind !== 'word';
  return isName || (at + 1 < texts.length && context.repliesTo === undefined);
}

const isBeside = (word: string) => COURTESY.has(word) || GIVING.has(word) || FILLERS.has(word);

/** Behind a sum such words lead to a name, or are a note for the one who is answered. */
function leadsToOne(texts: readonly string[], head: Head): boolean {
  if (head.ahead === null || head.ahead.at <= head.at) {
    const isPassed = (word: string) => isBeside(word) || TOWARDS.has(word);
    let at = head.at + 1;
    while (at < texts.length && isPassed((texts[at] ?? '').toLowerCase())) at += 1;
    head.ahead = { at, isName: at < texts.length && readRecipient(texts[at] ?? '', {}).kind !== 'word' };
  }
  return head.ahead.isName;
}

/** `x:alice give her 4`: a verb or a pronoun, and then the sum. */
function isAskedFor(texts: readonly string[], at: number): boolean {
  const isOf = (word = '') => [GIVING, NO_NAMES, FILLERS, COURTESY].some((words) => words.has(word.toLowerCase()));
  const used = texts.slice(at, at + 4).findIndex((text) => !isOf(text));
  return used > 0 && isNumber(texts[at + used] ?? '');
}

/** How many words say how it is shared. With one recipient "split the bill" is a note. */
function readSharing(texts: readonly string[], head: Head, context: GrammarContext): number {
  const { recipients, amount, at, sharing } = head;
  const word = (texts[at] ?? '').toLowerCase();
  const phrase = sharingPhrase(texts, { people: recipients.length, hasSum: amount !== null, sharing, at });
  if (phrase !== null) {
    head.sharing = phrase.how;
    return phrase.used;
  }
  // "2 para cada uno", "6 a repartir", `30ドルを… で山分け`.
  const next = (texts[at + 1] ?? '').toLowerCase();
  // `5 for shared lunch` is a note.
  const leadsToSplit = recipients.length === 0 ? TOWARDS.has(word) : /^[をで]$/.test(word);
  const lead = (TOWARDS.has(word) && EACH.has(next)) || (leadsToSplit && SPLIT.has(next)) ? 1 : 0;
  const said = lead === 1 ? next : word;
  const found = EACH.has(said) ? 'each' : SPLIT.has(said) ? 'split' : null;
  if (found === null || sharing !== null) return 0;
  const used = lead + (found === 'each' && EACH_ONE.has((texts[at + lead + 1] ?? '').toLowerCase()) ? 2 : 1);
  const isLast = at + used >= texts.length;
  const after = { ...head, at: at + used };
  const isNamed = readRecipient(texts[after.at] ?? '', context).kind !== 'word' || isBetween(texts, after, context);
  const isMeant =
    recipients.length > 1 || (recipients.length === 1 ? isLast : amount === null ? !isLast : isNamed || isLast);
  if (!isMeant) return 0;
  head.sharing = found;
  return used;
}
