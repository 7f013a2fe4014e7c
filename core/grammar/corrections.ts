import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { formatUsdc, microUsdc, splitEqually } from '../money.ts';
import { recipientName } from '../platforms/recipient-name.ts';
import type { Recipient } from '../platforms/recipient.ts';
import { payableSum, readAmount, writtenSum, type AmountForm, type AmountReading } from './amount.ts';
import type { ChangedSum } from './behind-sum.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { joins } from './names.ts';
import { correctedAt, typedNote } from './note.ts';
import type { OtherMoney } from './rates.ts';
import { cleanWord, readRecipient, type GrammarContext } from './recipient.ts';
import { toAscii } from './words/digits.ts';
import { BETWEEN, EACH, JOINING, SCALES, SPLIT } from './words/vocabulary.ts';
import type { Word } from './words/words.ts';

/** Longer ones are no help, and some chats take no button for them. */
const COMMAND_CHARACTERS_MAX = 200;

/** What was typed, and its words. */
type Line = { text: string; words: readonly Word[] };

export type Sharing = 'each' | 'split';

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

export const commandOf = (recipients: readonly Recipient[], sum: string, sharing: Sharing | null = null) =>
  ['/tip', ...recipients.map(recipientName), sum, ...(sharing === 'split' ? ['split'] : [])].join(' ');

/** The sum as it was typed: other money is asked about with its rate. */
const sumOf = ({ amount, typed }: Pick<Tip, 'amount' | 'typed'>): string =>
  typed === undefined ? writtenSum(amount) : writtenMoney(typed);

export const writtenMoney = ({ amount, currency }: OtherMoney): string =>
  `${writtenSum({ kind: 'exact', amount })} ${currency}`;

/** With its note, as long as it can be shown. */
export function commandFor(tip: Tip): string {
  const { recipients, sharing, note } = tip;
  const command = commandOf(recipients, sumOf(tip), recipients.length > 1 ? sharing : null);
  const whole = note === null ? command : `${command} ${typedNote(note)}`;
  return whole.length <= COMMAND_CHARACTERS_MAX ? whole : command;
}

/** What may be only one word away from a tip. */
const NEAR: readonly Mistake['code'][] = [
  'which_network',
  'name_in_two_words',
  'mail_domain',
  'post_of_owner',
  'did_you_mean',
  'no_amount',
  'word_amount',
  'counted_amount',
  'other_currency',
  'unreadable_amount',
];
/** Mistakes whose example is read again: where it could not be paid, that is the mistake. */
const READ_AGAIN: readonly Mistake['code'][] = [...NEAR, 'how_shared'];

/**
 * The mistake with the whole of what was typed in its first example: the wrong words are taken for those that the example
 * has in their place, and the note stays. Where the example itself could not be paid, that is the mistake.
 */
export function withNearest(wrong: Mistake, line: Line, read: (text: string) => Tip | Mistake): Mistake {
  const { words } = line;
  const [first, ...more] = wrong.examples;
  const withNote = (example: string) => nearestOf({ ...wrong, examples: [example] }, line, read);
  const nearest = NEAR.includes(wrong.code) ? withNote(first) : null;
  const others = nearest === null ? more : more.map((one) => withNote(one) ?? one);
  const examples: Mistake['examples'] = [nearest ?? first, ...others];
  if (!READ_AGAIN.includes(wrong.code)) return wrong;
  // The example has one of those who share.
  const isShared = words.some(({ text }) => SPLIT.has(text.toLowerCase()) || BETWEEN.has(text.toLowerCase()));
  if (isShared && wrong.code !== 'how_shared' && !examples[0].endsWith(' split')) return { ...wrong, examples };
  const again = read(examples[0].replace(/^\/(?:tip|pay) /, ''));
  const isOutOfRange = again.kind === 'mistake' && (again.code === 'too_large' || again.code === 'too_small');
  return isOutOfRange ? again : { ...wrong, examples };
}

function nearestOf(wrong: Mistake, { text, words }: Line, read: (text: string) => Tip | Mistake): string | null {
  const meant = read(wrong.examples[0].replace(/^\/tip /, ''));
  if (meant.kind !== 'tip' || meant.note !== null) return null;
  const texts = words.map(({ text }) => text);
  const found = wrong.found.split(/\s+/);
  const [typed, wanted] = [texts.map(bare), found.map(bare)];
  const at = typed.findIndex((_, index) => wanted.every((word, offset) => (typed[index + offset] ?? '') === word));
  if (at < 0 || wrong.found === '') return null;
  const names = meant.recipients.map(recipientName);
  const sum = writtenSum(meant.amount);
  // A sum that is only an example takes the place of no word.
  const before = text.slice(0, words[at]?.start);
  const rest = text.slice(words[at + found.length]?.start ?? text.length);
  // `$10 mil gracias`: a thousand thanks.
  const after = SCALES.has(texts[at + found.length]?.toLowerCase() ?? '') ? `note: ${rest}` : rest;
  for (const one of wrong.code === 'no_amount' || wrong.code === 'did_you_mean' ? [''] : ['', sum, ...names]) {
    const tip = read(`${before} ${one} ${after}`);
    if (tip.kind === 'tip' && tip.note !== null && isSame(tip, meant)) return commandFor(tip);
  }
  return null;
}

const bare = (text = '') => text.replace(/(?<![,;:!?.。、])[,;:!?.。、]+$/, '').toLowerCase();

/** The same people and the same sum; only the note is more. */
function isSame(one: Tip, other: Tip): boolean {
  const names = ({ recipients }: Tip) => recipients.map(recipientName).join(' ');
  const isShared = one.recipients.length === 1 || one.sharing === other.sharing;
  return names(one) === names(other) && writtenSum(one.amount) === writtenSum(other.amount) && isShared;
}

/** The example keeps the recipients that could be read. */
export function amountMistake(
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
  // `a couple of bucks`; `50 pesos`, of which nobody says the rate.
  const isOpen = code === 'other_currency' || (code === 'counted_amount' && !/[0-9]/.test(toAscii(found)));
  if (isOpen && recipients.length > 0) return mistake(code, found, openSums(recipients, instead, null));
  // `vintão`: what it says is too much, whichever money it is.
  const isTooLarge = code === 'word_amount' && payableSum(instead) !== instead;
  const example =
    recipients.length === 0 ? `/tip x:alice ${payableSum(instead)}` : commandOf(recipients, payableSum(instead));
  return mistake(isTooLarge ? 'too_large' : code, found, [example]);
}

/** Sums to choose from, where the line leaves it open; the likeliest comes first. */
export function openSums(recipients: readonly Recipient[], likely: string, note: string | null): Mistake['examples'] {
  const said = note === null ? '' : ` ${typedNote(note)}`;
  const [first = EXAMPLE_TIP, ...more] = [likely, ...OPEN_SUMS.filter((sum) => sum !== likely)]
    .slice(0, OPEN_SUMS.length)
    .map((sum) => commandOf(recipients, sum))
    .map((command) => (`${command}${said}`.length <= COMMAND_CHARACTERS_MAX ? `${command}${said}` : command));
  return [first, ...more];
}

const OPEN_SUMS = ['1', '2', '5'];

const NAMED_CODES: readonly string[] = ['which_network', 'mail_domain', 'post_of_owner', 'name_in_two_words'];

/** A correction of one name keeps the others of its list. */
export function withOthers(
  wrong: Mistake,
  { recipients, at }: { recipients: readonly Recipient[]; at: number },
  texts: readonly string[],
  context: GrammarContext,
): Mistake {
  if (!NAMED_CODES.includes(wrong.code)) return wrong;
  const names = (list: readonly Recipient[]) => list.map((one) => `${recipientName(one)} `).join('');
  const after: Recipient[] = [];
  // Named without a network as well: probably on the same one.
  const open: string[] = [];
  for (const [index, text] of texts.entries()) {
    if (index <= at || joins(texts, index, context)) continue;
    const reading = readRecipient(text, context);
    if (reading.kind === 'mistake' && reading.code === 'which_network' && text.startsWith('@'))
      open.push(cleanWord(text));
    else if (reading.kind !== 'recipient') break;
    else after.push(reading.recipient);
  }
  const [first, ...more] = wrong.examples.map((example) =>
    example.replace(/^\/tip (\S+) (.*)$/, (_, name: string, sum: string) => {
      const prefix = name.slice(0, name.indexOf(':') + 1);
      const others = `${names(after)}${open.map((one) => `${one.replace('@', prefix)} `).join('')}`;
      const isOne = recipients.length === 0 && others === '';
      return `/tip ${names(recipients)}${name} ${others}${sum}${isOne ? '' : sharingIn(texts)}`;
    }),
  );
  return { ...wrong, examples: [first ?? EXAMPLE_TIP, ...more] };
}

function sharingIn(texts: readonly string[]): string {
  const words = texts.map((text) => text.toLowerCase());
  if (words.some((word) => EACH.has(word))) return ' each';
  return words.some((word) => SPLIT.has(word) || BETWEEN.has(word)) ? ' split' : '';
}

/** Each of them alone, and the one that was read with all else as its note. */
export function twoPayments(
  tip: Tip,
  rest: readonly string[],
  parse: (text: string, repliesTo: Recipient) => Tip | Mistake,
): Mistake {
  const { recipients, sharing, note } = tip;
  const sum = sumOf(tip);
  const first = commandOf(recipients, sum, recipients.length > 1 ? sharing : null);
  const [word = '', ...others] = rest;
  const second = parse((JOINING.has(word.toLowerCase()) ? others : rest).join(' '), recipients[0]);
  const asTip = second.kind === 'tip' ? [commandOf(second.recipients, sumOf(second))] : [];
  const asNote = `${first} note: ${note ?? ''}`;
  const instead = readAmount(rest, correctedAt(rest));
  const corrected = instead?.kind === 'amount' && instead.other === undefined ? [writtenSum(instead.form)] : [];
  const asCorrected = corrected.map((one) => commandOf(recipients, one, recipients.length > 1 ? sharing : null));
  const examples = [...asCorrected, first, ...asTip, asNote].filter(
    (example) => example.length <= COMMAND_CHARACTERS_MAX,
  );
  const [likeliest = first, ...more] = new Set(examples);
  return mistake('two_payments', note ?? '', [likeliest, ...more]);
}

/** The sum alone, and all else as its note. */
export function changedSum(tip: Tip, { code, found, cents = 0 }: ChangedSum): Mistake {
  const { recipients, amount, sharing, note, typed } = tip;
  const sum = sumOf(tip);
  const said = typed?.amount ?? (amount.kind === 'exact' ? amount.amount : null);
  const meant = said !== null && said % 1_000_000n === 0n ? microUsdc(said + BigInt(cents) * 10_000n) : null;
  const likely = meant === null ? amount : { kind: 'exact' as const, amount: meant };
  const command = (one: string) => commandOf(recipients, payableSum(one), recipients.length > 1 ? sharing : null);
  const asNote = `${command(sum)} note: ${note ?? ''}`;
  return mistake(code, `${sum} ${found}`, [
    command(
      typed === undefined || meant === null ? sumOf({ amount: likely }) : writtenMoney({ ...typed, amount: meant }),
    ),
    ...(asNote.length <= COMMAND_CHARACTERS_MAX ? [asNote] : []),
  ]);
}

/**
 * The same name on the platform that was named behind the sum, or here with that as its note. `said`: what the note is
 * without the platform.
 */
export function elsewhere(tip: Tip, prefix: string, said: string | null): Mistake {
  const { recipients, sharing, note } = tip;
  const sum = sumOf(tip);
  const shared = recipients.length > 1 ? ` ${sharing}` : '';
  const here = `${commandOf(recipients, sum)}${shared}`;
  const there = recipients.map(({ key }) => `${prefix}:${key}`).join(' ');
  const whole = `/tip ${there} ${sum}${shared}`;
  const noted = said === null || said === '' ? whole : `${whole} ${typedNote(said)}`;
  return mistake('name_in_two_words', note ?? '', [
    noted.length <= COMMAND_CHARACTERS_MAX ? noted : whole,
    `${here} note: ${note ?? ''}`,
  ]);
}

/** "5 between them" is not 5 for each. */
export function howShared(tip: Tip): Mistake {
  return mistake('how_shared', tip.note ?? '', eachOrSplit(commandOf(tip.recipients, sumOf(tip))));
}

export const eachOrSplit = (command: string): [string, string] => [`${command} split`, `${command} each`];

export function longNote({ recipients: [head], amount }: Tip): Mistake {
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
