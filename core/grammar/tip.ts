import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { formatUsdc, microUsdc, splitEqually, type MicroUsdc } from '../money.ts';
import { recipientName } from '../platforms/recipient-name.ts';
import type { Recipient } from '../platforms/recipient.ts';
import { readAmount, type AmountForm, type AmountReading } from './amount.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { nameMistake, readNames } from './names.ts';
import { readRecipient, type GrammarContext } from './recipient.ts';
import { splitWords, type Word } from './words.ts';

/** A tip command as read. Only the balance behind `all` and `half` is still open. */
export type Tip = {
  kind: 'tip';
  recipients: readonly [Recipient, ...Recipient[]];
  amount: AmountForm;
  /** Whether each recipient gets the amount or it is split among them. */
  sharing: 'each' | 'split';
  note: string | null;
  /** Typed as `/pay`: paid by a link instead of from the payer's own wallet. */
  viaLink?: true;
};

/** As on receipts. */
export const NOTE_CHARACTERS_MAX = 140;

/**
 * Reads what follows `/tip`: recipients and an amount in either order, `each` or `split`, and the rest as a note.
 * Ambiguous text is a mistake with a corrected example, never a guess, because money depends on it.
 */
export function parseTip(text: string, context: GrammarContext): Tip | Mistake {
  const words = splitWords(text);
  if (words.length === 0) return mistake('empty_tip', '', [EXAMPLE_TIP]);
  const texts = words.map((word) => word.text);
  const first = readAmount(texts, 0);
  if (first?.kind === 'mistake') return amountMistake(first, texts, context);
  const names = readNames(texts, first?.used ?? 0, context, first !== null);
  if (names.kind === 'mistake') return names;
  const amount = first ?? readAmount(texts, names.next);
  if (amount === null) return missingAmount(names.recipients, texts.slice(names.next));
  if (amount.kind === 'mistake') return amountMistake(amount, texts, context);
  const after = first ? names.next : names.next + amount.used;
  const recipients = names.recipients.length === 0 && context.repliesTo ? [context.repliesTo] : names.recipients;
  const [head, ...more] = recipients;
  if (!head) return missingRecipient(texts.slice(after));
  const tail = readTail(text, words, after, more.length > 0);
  if (Array.from(tail.note ?? '').length > NOTE_CHARACTERS_MAX) return longNote(head, amount.form);
  const tip: Tip = { kind: 'tip', recipients: [head, ...more], amount: amount.form, ...tail };
  return checkRange(tip) ?? tip;
}

function readTail(text: string, words: Word[], at: number, isList: boolean): Pick<Tip, 'sharing' | 'note'> {
  const word = words[at]?.text.toLowerCase();
  // With one recipient "split the bill" is a note; as the last word it is still a keyword.
  const isKeyword = (word === 'each' || word === 'split') && (isList || at === words.length - 1);
  const noteWord = words[isKeyword ? at + 1 : at];
  const note = noteWord ? cleanNote(text.slice(noteWord.start)) : '';
  return { sharing: isKeyword && word === 'split' ? 'split' : 'each', note: note === '' ? null : note };
}

/** One line, without characters that reorder the text around them. */
export function cleanNote(text: string): string {
  return text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** The example keeps the recipients that could be read. */
function amountMistake(
  { code, found, instead }: Extract<AmountReading, { kind: 'mistake' }>,
  texts: string[],
  context: GrammarContext,
): Mistake {
  for (const text of texts) {
    const reading = readRecipient(text, context);
    if (reading.kind !== 'recipient') continue;
    return mistake(code, found, [`/tip ${recipientName(reading.recipient)} ${instead}`]);
  }
  return mistake(code, found, [`/tip x:alice ${instead}`]);
}

function missingAmount([head]: Recipient[], rest: string[]): Mistake {
  return head ? mistake('no_amount', rest[0] ?? '', [`/tip ${recipientName(head)} 1`]) : missingRecipient(rest);
}

function missingRecipient([word, following]: string[]): Mistake {
  if (word === undefined) return mistake('no_recipient', '', [EXAMPLE_TIP]);
  return nameMistake('which_network', word, undefined, following);
}

function longNote(head: Recipient, amount: AmountForm): Mistake {
  const sum = amount.kind === 'exact' ? '1' : amount.kind;
  return mistake('note_too_long', '', [`/tip ${recipientName(head)} ${sum} thank you!`]);
}

/** Null when every recipient gets between 0.01 and 10 USDC; `all` and `half` are checked once the balance is known. */
export function checkRange({ recipients, amount, sharing }: Tip): Mistake | null {
  if (amount.kind !== 'exact') return null;
  const isSplit = sharing === 'split';
  const parts = isSplit ? splitEqually(amount.amount, recipients.length) : [amount.amount];
  const tooSmall = parts.some((part) => part < PAYMENT_AMOUNT_MIN);
  if (!tooSmall && parts.every((part) => part <= PAYMENT_AMOUNT_MAX)) return null;
  const allowed = multiply(tooSmall ? PAYMENT_AMOUNT_MIN : PAYMENT_AMOUNT_MAX, isSplit ? recipients.length : 1);
  const names = recipients.map((recipient) => recipientName(recipient)).join(' ');
  return {
    kind: 'mistake',
    code: tooSmall ? 'too_small' : 'too_large',
    found: formatUsdc(amount.amount),
    examples: [`/tip ${names} ${formatUsdc(allowed)}${isSplit ? ' split' : ''}`],
  };
}

function multiply(amount: MicroUsdc, times: number): MicroUsdc {
  return microUsdc(amount * BigInt(times));
}
