import { isNumber, readAmount, sumIn } from './amount.ts';
import { changesSum } from './behind-sum.ts';
import {
  commandFor,
  commandOf,
  eachOrSplit,
  elsewhere,
  howShared,
  openSums,
  withOthers,
  type Tip,
} from './corrections.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { nameMistake, type Unnamed } from './names.ts';
import { cleanNote, NOTE_CHARACTERS_MAX, readNote } from './note.ts';
import { readRecipient, type GrammarContext, type RecipientReading } from './recipient.ts';
import type { Recipient } from '../platforms/recipient.ts';
import { isHandle, ON, placeOf } from './words/places.ts';
import {
  ANYONE,
  BETWEEN,
  COURTESY,
  DOLLARS,
  EACH,
  FILLERS,
  FROM,
  GIVING,
  HALF,
  JOINING,
  LOOSE,
  NO_NAMES,
  OTHER_PLACES,
  REASONS,
  SHARING,
  SPLIT,
  TOWARDS,
} from './words/vocabulary.ts';

/** A tip that stops at a word which is neither a name nor a sum: `texts[at]`. */
export type Unread = {
  texts: readonly string[];
  at: number;
  recipients: readonly Recipient[];
  /** What follows there, as it was typed. */
  written: string;
  /** The sum, as far as one was read before. */
  sum: string | null;
  context: GrammarContext;
  /** The line without the words from `from` to `until`, read again. */
  without: (from: number, until: number) => Tip | Mistake;
};

/** Longer lines are letters. */
const WORDS_MAX = 40;
/** Between a name and its sum. */
const SKIPPED_MAX = 6;

export function missingAmount(unread: Unread): Mistake {
  const { texts, at, recipients, context } = unread;
  const rest = texts.slice(at);
  const [word = '', next = ''] = rest;
  const isJoined = JOINING.has(word.toLowerCase());
  const name = isJoined ? next : word;
  // "x:a bob 1": Bob is meant as well.
  const isName = isJoined ? name !== '' : rest.length > 1 && readAmount(rest, 1)?.kind === 'amount';
  const isPlain = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_.-]+$/.test(name) && !isNoName(name);
  if (isName && isPlain && readRecipient(name, context).kind === 'word') {
    const unnamed: Unnamed = { code: 'which_network', found: name };
    return withOthers(
      nameMistake(unnamed, sumIn(rest), rest.slice(isJoined ? 2 : 1)),
      { recipients, at },
      texts,
      context,
    );
  }
  // Up to the sum, or the next name.
  const behind = rest
    .slice(0, SKIPPED_MAX + 1)
    .findIndex((text, index) => readAmount(rest, index) !== null || readRecipient(text, context).kind !== 'word');
  const skipped = behind < 1 ? null : skip(unread, at + behind);
  return skipped ?? mistake('no_amount', word, openSums(recipients, sumIn(rest), wordsKept(unread)));
}

/** What it is for, where all that is missing is how much. */
function wordsKept({ texts, at, written, context }: Unread): string | null {
  const rest = texts.slice(at);
  const isOpen = rest.some(
    (text) => isNumber(text) || NEVER.test(text) || readRecipient(text, context).kind !== 'word',
  );
  if (isOpen || rest.length > WORDS_MAX) return null;
  const words = Array.from(written.matchAll(/\S+/g));
  const reason = words.slice(0, SKIPPED_MAX).find((word) => REASONS.has(word[0].toLowerCase()));
  const note = readNote(written.slice(reason?.index ?? 0));
  return note === null || note.length > NOTE_CHARACTERS_MAX ? null : note;
}

const isNoName = (word: string) =>
  [LOOSE, REASONS, EACH, SPLIT, DOLLARS].some((words) => words.has(word.toLowerCase()));

export function missingRecipient(unread: Unread): Mistake {
  const { texts, at, context } = unread;
  const sum = unread.sum ?? sumIn(texts);
  if (at >= texts.length) return mistake('no_recipient', '', [`/tip @x:alice ${sum}`]);
  const readings = texts.map((text) => readRecipient(text, context));
  const named = readings.findIndex((reading, index) => index >= at && reading.kind !== 'word');
  if (named < 0) return nobody(unread, sum);
  const spaced = texts[at + 1] === '@' ? readRecipient(texts.slice(at, at + 3).join(''), context) : null;
  if (spaced?.kind === 'recipient')
    return mistake('did_you_mean', texts.slice(at, at + 3).join(' '), [commandOf([spaced.recipient], sum)]);
  const skipped = skip(unread, nextPart(unread, named));
  return skipped ?? withoutReading(unread, readings, sum);
}

/** The next word that is a name or a sum. */
function nextPart({ texts, at, sum }: Unread, named: number): number {
  if (sum !== null) return named;
  const amount = texts.findIndex((_, index) => index > at && index < named && readAmount(texts, index) !== null);
  return amount < 0 ? named : amount;
}

/** The line as it reads without the words that say neither whom nor how much: a question, never a payment. */
function skip({ texts, at, without, context, sum }: Unread, until: number): Mistake | null {
  const words = texts.slice(at, until);
  const [name = '', joining = ''] = words.slice(-2);
  // `bob and @alice 5`
  if (JOINING.has(joining.toLowerCase()) && /^[A-Za-z][\w.-]*$/.test(name) && !isNoName(name)) {
    const unnamed: Unnamed = { code: 'which_network', found: name };
    const wrong = nameMistake(unnamed, sum ?? sumIn(texts));
    return withOthers(wrong, { recipients: [], at: until - 2 }, texts, context);
  }
  if (texts.length > WORDS_MAX || words.some((word) => isNumber(word))) return null;
  const read = without(at, until);
  const found = words.join(' ');
  // `pelo menos 5`, `毎月 5ドル`: what they would say behind the sum, they say before it.
  const change = words.some((word) => NEVER.test(word)) ? 'called_off' : (changesSum(words)?.code ?? null);
  if (read.kind === 'mistake') return change === 'called_off' ? { ...read, code: change, found } : read;
  const other = words.find((word) => OTHER_PLACES.has(word.toLowerCase()));
  if (other !== undefined) return mistake('unknown_network', other, [EXAMPLE_TIP]);
  const place = words.map((word) => placeOf(word)).find((one) => one !== null);
  if (place && !/^[0-9]+$/.test(read.recipients[0].key)) return elsewhere(read, place.prefix, read.note);
  if (read.recipients.length > 1 && words.some((word) => isShared(word))) return howShared(read);
  // `for pizza 5 @alice`: the word before was taken for one that leads to a name.
  const lead = REASONS.has((texts[at - 1] ?? '').toLowerCase()) ? texts.slice(at - 1, at) : [];
  const tip = { ...read, note: read.note ?? (change === null ? reasonIn([...lead, ...words]) : null) };
  return mistake(change ?? 'did_you_mean', found, [commandFor(tip)]);
}

const isShared = (word: string) => [SPLIT, SHARING, BETWEEN, HALF].some((words) => words.has(word.toLowerCase()));

const NEVER = /^(?:don'?t|don’t|not|never|nicht|kein|keinen|nie|no|nunca|jamás|não|nao|ないで)$/iu;

const HERE_IS = /(?: (?:here'?s|here is|have|take|nimm|hier|hier sind|toma|aquí van?|ahí van?|aqui vão|toma aí))+$/iu;

/** `thanks for the ride @alice 5`, `@aliceにランチ代5ドル`: what it is for, before whom or how much. */
function reasonIn(words: readonly string[]): string | null {
  const from = words.findIndex((word) => REASONS.has(word.toLowerCase()));
  const isJapanese = words.every((word) => /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー々]{2,}$/u.test(word));
  const said = cleanNote((isJapanese ? words : from < 0 ? [] : words.slice(Math.max(0, from - 1))).join(' ')).replace(
    HERE_IS,
    '',
  );
  return said === '' || said.length > NOTE_CHARACTERS_MAX ? null : said;
}

/** What can be read of it, where the rest makes no tip. */
function withoutReading({ texts, at, context }: Unread, readings: readonly RecipientReading[], sum: string): Mistake {
  const word = texts[at] ?? '';
  const wrong = readings.findIndex((reading, index) => index >= at && reading.kind === 'mistake');
  const reading = readings[wrong];
  const recipients = readings.flatMap((one) => (one.kind === 'recipient' ? [one.recipient] : []));
  if (reading?.kind === 'mistake') {
    const before = readings.slice(0, wrong).flatMap((one) => (one.kind === 'recipient' ? [one.recipient] : []));
    const mistaken = nameMistake(reading, sum, texts.slice(wrong + 1));
    return withOthers(mistaken, { recipients: before, at: wrong }, texts, context);
  }
  const isSum = texts.some((_, index) => readAmount(texts, index) !== null);
  if (!isSum) return mistake('no_amount', word, openSums(recipients, sum, null));
  if (recipients.length > 1) return mistake('how_shared', texts.join(' '), eachOrSplit(commandOf(recipients, sum)));
  return mistake(isNumber(word) ? 'two_payments' : 'did_you_mean', word, [commandOf(recipients, sum)]);
}

/** No word is a name by its form; one may be a name without its network. */
function nobody(unread: Unread, sum: string): Mistake {
  const { texts, at: from, sum: read, context } = unread;
  const at = texts.findIndex((text, index) => index >= from && !LEADING.some((words) => words.has(text.toLowerCase())));
  const word = texts[at] ?? '';
  const following = texts.slice(at + 1);
  const [next = ''] = following;
  const isSum = read !== null || texts.some((_, index) => readAmount(texts, index) !== null);
  const other = texts.find((text) => OTHER_PLACES.has(text.toLowerCase()));
  if (other !== undefined) return mistake('unknown_network', other, [EXAMPLE_TIP]);
  const unnamed: Unnamed = { code: 'which_network', found: word };
  const asked = nameMistake(unnamed, sum, following);
  if (asked.code !== 'which_network') return asked;
  const bare = word.replace(/^@/, '').toLowerCase();
  // `my sister`
  const isSomeone = ARTICLES.test((texts[at - 1] ?? '').toLowerCase());
  const isWord =
    (isSomeone && !isHandle(word)) ||
    REASONS.has(bare) ||
    ANYONE.has(bare) ||
    LOOSE.has(bare) ||
    ARTICLES.test(bare) ||
    !/^@?[\w.-]+$/.test(word);
  // `mike 5`, `5 mike thanks`; `5 the one of yesterday` describes a person.
  const isAlone = next === '' || isNumber(next) || readAmount(texts, at + 1) !== null;
  const isOfOne = ON.has(next.toLowerCase()) && placeOf(following[1] ?? '') === null;
  const isName = isHandle(word) || NO_NAMES.has(bare) || isAlone || (read !== null && !isOfOne);
  if (!isWord && isName) return asked;
  if (!isSum && context.repliesTo !== undefined)
    return mistake('no_amount', word, openSums([context.repliesTo], sum, wordsKept(unread)));
  return isSum ? mistake('no_recipient', word, [`/tip @x:alice ${sum}`]) : mistake('empty_tip', word, [EXAMPLE_TIP]);
}

/** Before a name, and no name themselves. */
const LEADING = [TOWARDS, FROM, GIVING, FILLERS, COURTESY];
const ARTICLES =
  /^(?:the|a|an|this|that|my|our|your|his|her|some|der|die|das|dem|den|ein|einen|einem|mein|meinem|el|la|los|las|un|una|mi|mis|tu|su|nuestro|nuestra|ese|esa|o|os|as|um|uma|meu|minha|esse|essa|pro|pra)$/;
