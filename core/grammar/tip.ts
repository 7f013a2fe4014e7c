import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { formatUsdc, microUsdc, splitEqually } from '../money.ts';
import { findPlatform } from '../platforms/platforms.ts';
import { recipientName } from '../platforms/recipient-name.ts';
import type { Recipient } from '../platforms/recipient.ts';
import { isNumber, payableSum, readAmount, sumIn, writtenSum, type AmountForm, type AmountReading } from './amount.ts';
import { changesSum, type ChangedSum } from './behind-sum.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { joins, leadsToSum, namedInstead, nameMistake, RECIPIENTS_MAX, SPACED_PHONE, type Unnamed } from './names.ts';
import { isAmong, readNote, isPlainlyNote, maySayMore, NOTE_CHARACTERS_MAX } from './note.ts';
import type { OtherMoney } from './rates.ts';
import { readRecipient, type GrammarContext } from './recipient.ts';
import { COURTESY, EACH, EACH_ONE, GIVING, JOINING, LOOSE, NOTE_MARK, REASONS, SPLIT, TOWARDS } from './vocabulary.ts';
import { splitWords, type Word } from './words.ts';

type Sharing = 'each' | 'split';

/** A tip command as read. Only the balance behind `all` and `half` is still open. */
export type Tip = {
  kind: 'tip';
  recipients: readonly [Recipient, ...Recipient[]];
  amount: AmountForm;
  /** Whether each recipient gets the amount or it is split among them. */
  sharing: Sharing;
  note: string | null;
  /** Typed as `/pay`: paid by a link instead of from the payer's own wallet. */
  viaLink?: true;
  /** Typed in other money, so that the amount is what it was worth at the rate of that moment. */
  typed?: OtherMoney;
};

/** A tip up to its note, which begins at `at`. */
type Head = {
  recipients: Recipient[];
  amount: AmountForm | null;
  sharing: Sharing | null;
  at: number;
  typed?: OtherMoney;
};

/**
 * Reads what follows `/tip`: recipients and an amount in either order, `each` or `split`, and the rest as a note.
 * Ambiguous text is a mistake with a corrected example, never a guess, because money depends on it.
 */
export function parseTip(text: string, context: GrammarContext): Tip | Mistake {
  const words = joinNames(splitWords(text));
  if (words.length === 0) return mistake('empty_tip', '', [EXAMPLE_TIP]);
  const phone = SPACED_PHONE.exec(text)?.[1];
  if (phone !== undefined) return mistake('phone_number', phone, [EXAMPLE_TIP]);
  const texts = words.map((word) => word.text);
  const head = readHead(texts, context);
  if ('kind' in head) return head;
  const { amount, at } = head;
  if (amount === null) return missingAmount(head, texts, context);
  const isReply = head.recipients.length === 0 && context.repliesTo !== undefined;
  const [first, ...more] = isReply ? [context.repliesTo as Recipient] : head.recipients;
  if (!first) return missingRecipient(texts, at, writtenSum(amount), context);
  const other = isReply ? namedInstead(texts.slice(at)) : null;
  if (other !== null) return nameMistake({ code: 'which_network', found: other }, writtenSum(amount));
  const written = text.slice(words[at]?.start ?? text.length);
  const tip: Tip = {
    kind: 'tip',
    recipients: [first, ...more],
    amount,
    sharing: head.sharing ?? 'each',
    note: readNote(written),
    ...(head.typed ? { typed: head.typed } : {}),
  };
  if (Array.from(tip.note ?? '').length > NOTE_CHARACTERS_MAX) return longNote(tip);
  const rest = texts.slice(at);
  const isNote = isPlainlyNote(written);
  const change = isNote ? null : changesSum(rest, texts[at - 1]);
  if (change !== null) return changedSum(tip, change);
  const isTwofold = more.length > 0 && head.sharing === null && isAmong(rest);
  if (isTwofold && !isNote) return howShared(tip);
  if (!isNote && maySayMore(rest, context)) return twoPayments(tip, rest, context);
  return checkRange(tip) ?? tip;
}

/** `x: alice` → `x:alice`. */
function joinNames(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const [, prefix = ''] = /^@?([A-Za-z]+)[:：]$/.exec(last?.text ?? '') ?? [];
    const isName = findPlatform(prefix) !== null && /^@?[A-Za-z0-9]/.test(word.text) && !isNumber(word.text);
    if (last && isName && !/[:/]/.test(word.text)) joined[joined.length - 1] = { ...last, text: last.text + word.text };
    else joined.push(word);
  }
  return joined;
}

function readHead(texts: readonly string[], context: GrammarContext): Head | Mistake {
  const head: Head = { recipients: [], amount: null, sharing: null, at: 0 };
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
      head.at += 1;
      continue;
    }
    const reading = readRecipient(word, context);
    if (reading.kind === 'word') break;
    if (reading.kind === 'mistake') {
      const wrong = nameMistake(reading, sumIn(texts, head.amount), texts.slice(head.at + 1));
      return withOthers(wrong, head, texts, context);
    }
    head.recipients.push(reading.recipient);
    if (head.recipients.length > RECIPIENTS_MAX) return mistake('too_many_recipients', '', ['/tip x:alice x:bob 1']);
    head.at += 1;
  }
  return head;
}

/** Whether a word only leads to the next: `and` in a list, `to` before a name. */
function isBetween(texts: readonly string[], { recipients, amount, at }: Head, context: GrammarContext): boolean {
  if (recipients.length > 0 && joins(texts, at, context)) return true;
  // Two joining words.
  if (JOINING.has((texts[at - 1] ?? '').toLowerCase()) && joins(texts, at, context)) return true;
  const word = (texts[at] ?? '').toLowerCase();
  if (recipients.length === 0 && amount === null && (COURTESY.has(word) || GIVING.has(word)))
    return at + 1 < texts.length;
  if (!TOWARDS.has(word)) return false;
  // In a reply "5 for @bob" may thank the author for what Bob got.
  if (context.repliesTo !== undefined && REASONS.has(word)) return false;
  if (recipients.length > 0) return amount === null && leadsToSum(texts, at);
  const isName = readRecipient(texts[at + 1] ?? '', context).kind !== 'word';
  return isName || (at + 1 < texts.length && context.repliesTo === undefined);
}

/** How many words say how it is shared. With one recipient "split the bill" is a note. */
function readSharing(texts: readonly string[], head: Head, context: GrammarContext): number {
  const { recipients, amount, at, sharing } = head;
  const word = (texts[at] ?? '').toLowerCase();
  // "2 para cada uno".
  const lead = TOWARDS.has(word) && EACH.has((texts[at + 1] ?? '').toLowerCase()) ? 1 : 0;
  const found = lead === 1 || EACH.has(word) ? 'each' : SPLIT.has(word) ? 'split' : null;
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

const commandOf = (recipients: readonly Recipient[], sum: string, sharing: Sharing | null = null) =>
  ['/tip', ...recipients.map(recipientName), sum, ...(sharing === 'split' ? ['split'] : [])].join(' ');

/** The example keeps the recipients that could be read. */
function amountMistake(
  { code, found, instead }: Extract<AmountReading, { kind: 'mistake' }>,
  texts: readonly string[],
  context: GrammarContext,
): Mistake {
  const named = texts.map((text) => readRecipient(text, context));
  const first = named.findIndex((reading) => reading.kind === 'recipient');
  const recipients: Recipient[] = [];
  for (const [at, reading] of named.entries()) {
    if (at < first || (reading.kind !== 'recipient' && joins(texts, at, context))) continue;
    if (reading.kind !== 'recipient') break;
    recipients.push(reading.recipient);
  }
  const example =
    recipients.length === 0 ? `/tip x:alice ${payableSum(instead)}` : commandOf(recipients, payableSum(instead));
  return mistake(code, found, [example]);
}

function missingAmount(head: Head, texts: readonly string[], context: GrammarContext): Mistake {
  const { recipients, at } = head;
  const rest = texts.slice(at);
  const sum = sumIn(rest);
  if (recipients.length === 0) return missingRecipient(texts, at, sum, context);
  const [word = '', next = ''] = rest;
  const isJoined = JOINING.has(word.toLowerCase());
  const name = isJoined ? next : word;
  // "x:a bob 1": Bob is meant as well.
  const isName = isJoined ? name !== '' : rest.length > 1 && readAmount(rest, 1)?.kind === 'amount';
  const isPlain = /^[A-Za-z0-9_.-]+$/.test(name) && !LOOSE.has(name.toLowerCase());
  if (isName && isPlain && readRecipient(name, context).kind === 'word') {
    const unnamed: Unnamed = { code: 'which_network', found: name };
    return withOthers(nameMistake(unnamed, sum, rest.slice(isJoined ? 2 : 1)), head, texts, context);
  }
  return mistake('no_amount', word, [commandOf(recipients, sum)]);
}

function missingRecipient(texts: readonly string[], at: number, sum: string, context: GrammarContext): Mistake {
  const [word, ...following] = texts.slice(at);
  if (word === undefined) return mistake('no_recipient', '', [`/tip @x:alice ${sum}`]);
  const named = texts
    .map((text) => readRecipient(text, context))
    .flatMap((one) => (one.kind === 'recipient' ? [one.recipient] : []));
  if (named.length > 1) return mistake('how_shared', texts.join(' '), eachOrSplit(commandOf(named, sum)));
  if (named.length > 0) return mistake(isNumber(word) ? 'two_payments' : 'did_you_mean', word, [commandOf(named, sum)]);
  const unnamed: Unnamed = { code: 'which_network', found: word };
  return nameMistake(unnamed, sum, following);
}

const NAMED_CODES: readonly string[] = ['which_network', 'mail_domain', 'post_of_owner', 'name_in_two_words'];

/** A correction of one name keeps the others of its list. */
function withOthers(
  wrong: Mistake,
  { recipients, at }: Head,
  texts: readonly string[],
  context: GrammarContext,
): Mistake {
  if (!NAMED_CODES.includes(wrong.code)) return wrong;
  const names = (list: readonly Recipient[]) => list.map((one) => `${recipientName(one)} `).join('');
  const after: Recipient[] = [];
  for (const [index, text] of texts.entries()) {
    if (index <= at || joins(texts, index, context)) continue;
    const reading = readRecipient(text, context);
    if (reading.kind !== 'recipient') break;
    after.push(reading.recipient);
  }
  const [first, ...more] = wrong.examples.map((example) =>
    example.replace(/^\/tip (\S+) /, (_, name: string) => `/tip ${names(recipients)}${name} ${names(after)}`),
  );
  return { ...wrong, examples: [first ?? EXAMPLE_TIP, ...more] };
}

/** Each of them alone, and the one that was read with all else as its note. */
function twoPayments(
  { recipients, amount, sharing, note }: Tip,
  rest: readonly string[],
  context: GrammarContext,
): Mistake {
  const sum = writtenSum(amount);
  const first = commandOf(recipients, sum, recipients.length > 1 ? sharing : null);
  const [word = '', ...others] = rest;
  const second = parseTip((JOINING.has(word.toLowerCase()) ? others : rest).join(' '), {
    ...context,
    repliesTo: recipients[0],
  });
  const asTip = second.kind === 'tip' ? [commandOf(second.recipients, writtenSum(second.amount))] : [];
  const asNote = `${first} note: ${note ?? ''}`;
  const examples = [first, ...asTip, asNote].filter((example) => example.length <= 200);
  const [likeliest = first, ...more] = new Set(examples);
  return mistake('two_payments', note ?? '', [likeliest, ...more]);
}

/** The sum alone, and all else as its note. */
function changedSum({ recipients, amount, sharing, note }: Tip, { code, found, cents = 0 }: ChangedSum): Mistake {
  const sum = writtenSum(amount);
  const isWhole = amount.kind === 'exact' && amount.amount % 1_000_000n === 0n;
  const meant = isWhole ? microUsdc(amount.amount + BigInt(cents) * 10_000n) : null;
  const likely = meant === null ? sum : payableSum(writtenSum({ kind: 'exact', amount: meant }));
  const command = (one: string) => commandOf(recipients, payableSum(one), recipients.length > 1 ? sharing : null);
  const asNote = `${command(sum)} note: ${note ?? ''}`;
  return mistake(code, `${sum} ${found}`, [command(likely), ...(asNote.length <= 200 ? [asNote] : [])]);
}

/** "5 between them" is not 5 for each. */
function howShared({ recipients, amount, note }: Tip): Mistake {
  return mistake('how_shared', note ?? '', eachOrSplit(commandOf(recipients, writtenSum(amount))));
}

const eachOrSplit = (command: string): [string, string] => [`${command} split`, `${command} each`];

function longNote({ recipients: [head], amount }: Tip): Mistake {
  return mistake('note_too_long', '', [`/tip ${recipientName(head)} ${payableSum(writtenSum(amount))} thank you!`]);
}

/** Null when every recipient gets between 0.01 and 10 USDC; `all` and `half` are checked once the balance is known. */
export function checkRange({ recipients, amount, sharing }: Tip): Mistake | null {
  if (amount.kind !== 'exact') return null;
  const isSplit = sharing === 'split';
  const parts = isSplit ? splitEqually(amount.amount, recipients.length) : [amount.amount];
  const tooSmall = parts.some((part) => part < PAYMENT_AMOUNT_MIN);
  if (!tooSmall && parts.every((part) => part <= PAYMENT_AMOUNT_MAX)) return null;
  const limit = tooSmall ? PAYMENT_AMOUNT_MIN : PAYMENT_AMOUNT_MAX;
  const allowed = microUsdc(limit * BigInt(isSplit ? recipients.length : 1));
  const names = recipients.map((recipient) => recipientName(recipient)).join(' ');
  return {
    kind: 'mistake',
    code: tooSmall ? 'too_small' : 'too_large',
    found: formatUsdc(amount.amount),
    examples: [`/tip ${names} ${formatUsdc(allowed)}${isSplit ? ' split' : ''}`],
  };
}
