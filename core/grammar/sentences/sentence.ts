import type { Network } from '../../networks.ts';
import { splitEqually, type MicroUsdc } from '../../money.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from '../mistakes.ts';
import { recipientName } from '../../platforms/recipient-name.ts';
import type { Recipient } from '../../platforms/recipient.ts';
import { parseTip, type Tip } from '../tip.ts';
import { EACH, SPLIT } from '../words/vocabulary.ts';
import { findFields } from './fields.ts';
import { findStatement, networkIn, type Statement } from './statement.ts';
import { withoutOpenings } from './openings.ts';
import { changesMeaning, cutNote, joinPlatforms, requested } from './phrases.ts';

export const SENTENCE_CHARACTERS_MAX = 500;

/** A sentence that says beyond doubt who gets what. */
export type Payment = {
  kind: 'payment';
  lines: readonly [PaymentLine, ...PaymentLine[]];
  note: string | null;
  /** Where the sender wants to pay; null where the text does not say. */
  network: Network | null;
};

export type PaymentLine = { recipient: Recipient; amount: MicroUsdc };

/** Why we ask about a sentence; `mistake` is one of the chats' own. */
export type Question =
  | { kind: 'question'; about: 'mistake'; mistake: Mistake }
  /**
   * Not a plain request; words that were not understood; a note that may change the payment; several people and no word
   * on how they share; a part of money that we do not hold.
   */
  | { kind: 'question'; about: 'request' | 'words' | 'note' | 'sharing' | 'share_of_all' };

/**
 * Reads what an agent wrote, with the grammar of the chats after an English request. A program can neither see a card nor
 * press a button, so whatever a chat would show first is a question here: every word has to be understood.
 */
export function readSentence(text: string): Payment | Question {
  if (text.length > SENTENCE_CHARACTERS_MAX) return asked(mistake('command_too_long', '', [EXAMPLE_TIP]));
  const reading = readAnyForm(withoutOpenings(text.trim()));
  if (reading.kind === 'question') return reading;
  // In English it is no decimal mark, and between thousands it is another sum.
  if (/\d,\d{1,2}(?!\d)/.test(textOutsideNote(text, reading.note))) {
    return asked(mistake('unreadable_amount', '', [EXAMPLE_TIP]));
  }
  const network = networkIn(findFields(text));
  return network === 'several' ? ask('words') : { ...reading, network };
}

type Read = Omit<Payment, 'network'>;

function readAnyForm(text: string): Read | Question {
  const asRequested = readRequest(text);
  if (asRequested.kind === 'payment') return asRequested;
  const statement = findStatement(text);
  return statement === null ? asRequested : fromStatement(statement);
}

const textOutsideNote = (text: string, note: string | null) => (note === null ? text : text.replace(note, ''));

/** A request as the chats have it, behind English words that only ask for it. */
function readRequest(text: string): Read | Question {
  const rest = requested(text);
  if (rest === null) return ask('request');
  const { head, note } = cutNote(rest);
  const joined = joinPlatforms(head);
  const tip = parseTip(note === '' ? joined : `${joined} ${asNote(note)}`, {});
  if (tip.kind === 'mistake') return asked(tip);
  const alone = parseTip(joined, {});
  // What stands between the names, the sum and the note was not understood.
  if (alone.kind === 'mistake' || alone.note !== null) return ask('words');
  if (changesMeaning(note)) return ask('note');
  return toPayment({ ...tip, recipients: alone.recipients }, joined);
}

const ask = (about: Exclude<Question['about'], 'mistake'>): Question => ({ kind: 'question', about });
const asked = (wrong: Mistake): Question => ({ kind: 'question', about: 'mistake', mistake: wrong });

/** Without the words that only introduce it. */
const asNote = (note: string) =>
  note
    .replace(/^[\s,;–—-]+/, '')
    .replace(
      /^(?:with (?:the |a )?(?:note|message|memo|comment|description):?|(?:note|message|memo|reason):|saying)\s*/i,
      '',
    );

/** Each part is read by the grammar of the chats, which knows names, sums and their limits. */
function fromStatement({ pairs, sharing, note }: Statement): Read | Question {
  const written = note === '' ? '' : ` note: ${note}`;
  const [first, ...more] =
    sharing === null ? pairs.map(({ name, sum }) => `${name} ${sum}`) : [together(pairs, sharing)];
  const tips = [first ?? '', ...more].map((command) => parseTip(`${command}${written}`, {}));
  const lines: PaymentLine[] = [];
  let kept: string | null = null;
  for (const tip of tips) {
    if (tip.kind === 'mistake') return asked(tip);
    const payment = toPayment(tip, sharing ?? '');
    if (payment.kind === 'question') return payment;
    lines.push(...payment.lines);
    kept = payment.note;
  }
  const names = new Set(lines.map(({ recipient }) => recipientName(recipient)));
  const [line, ...others] = lines;
  if (line === undefined || names.size < lines.length) return ask('sharing');
  return { kind: 'payment', lines: [line, ...others], note: kept };
}

const together = (pairs: Statement['pairs'], sharing: 'each' | 'split') =>
  `${pairs.map(({ name }) => name).join(' ')} ${pairs[0]?.sum ?? ''} ${sharing}`;

function toPayment(tip: Tip, head: string): Read | Question {
  const { recipients, amount, sharing, note } = tip;
  if (amount.kind !== 'exact' || tip.typed !== undefined) {
    return ask('share_of_all');
  }
  const [first, ...more] = recipients;
  if (more.length === 0) return { kind: 'payment', lines: [{ recipient: first, amount: amount.amount }], note };
  const isTwice = new Set(recipients.map(recipientName)).size < recipients.length;
  if (isTwice || !isSaid(head, sharing)) return ask('sharing');
  const parts = sharing === 'split' ? splitEqually(amount.amount, recipients.length) : null;
  const lines = recipients.map((recipient, at) => ({ recipient, amount: parts?.[at] ?? amount.amount }));
  const [line = { recipient: first, amount: amount.amount }, ...others] = lines;
  return { kind: 'payment', lines: [line, ...others], note };
}

/** Whether the words say how a sum for several people is meant. */
function isSaid(head: string, sharing: Tip['sharing']): boolean {
  const words = head.toLowerCase().split(/[\s,]+/);
  const isEach = words.some((word) => EACH.has(word));
  const isSplit = words.some((word) => SPLIT.has(word));
  return sharing === 'each' ? isEach && !isSplit : isSplit && !isEach;
}
