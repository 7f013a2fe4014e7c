import { findPlatform, httpPlatforms, platformRow } from '../platforms/platforms.ts';
import type { Recipient } from '../platforms/recipient.ts';
import { readAmount } from './amount.ts';
import { cleanWord, readRecipient, type GrammarContext } from './recipient.ts';
import { EXAMPLE_TIP, mistake, type Mistake, type MistakeCode } from './mistakes.ts';

/** As in one batch of the API. */
export const RECIPIENTS_MAX = 100;
const JOINING_WORDS = new Set(['and', '&', '+', ',']);

export type Names = { kind: 'names'; recipients: Recipient[]; next: number };

/**
 * Reads the recipients from `at` on. After the amount (`isAmountKnown`) the first word that names nobody begins the
 * note; before it, the list ends at the amount.
 */
export function readNames(
  texts: string[],
  at: number,
  context: GrammarContext,
  isAmountKnown: boolean,
): Names | Mistake {
  const recipients: Recipient[] = [];
  let next = at;
  for (; next < texts.length; next++) {
    if (!isAmountKnown && readAmount(texts, next)) break;
    if (recipients.length > 0 && joins(texts, next, context)) continue;
    const word = texts[next] ?? '';
    const reading = readRecipient(word, context);
    if (reading.kind === 'word') break;
    if (reading.kind === 'mistake') return nameMistake(reading.code, word, reading.detail, texts[next + 1]);
    recipients.push(reading.recipient);
    if (recipients.length > RECIPIENTS_MAX) return mistake('too_many_recipients', '', ['/tip x:alice x:bob 1']);
  }
  return { kind: 'names', recipients, next };
}

/** "x:alice and x:bob": a joining word belongs to the list only if another name follows. */
function joins(texts: string[], at: number, context: GrammarContext): boolean {
  if (!JOINING_WORDS.has((texts[at] ?? '').toLowerCase())) return false;
  return readRecipient(texts[at + 1] ?? '', context).kind === 'recipient';
}

/** `following` is the next word: "x alice" was meant as one name. */
export function nameMistake(code: MistakeCode, found: string, detail?: string, following?: string): Mistake {
  if (code !== 'which_network') return mistake(code, found, [EXAMPLE_TIP], detail);
  const name = cleanWord(found).replace(/^@+/, '');
  const platform = findPlatform(name);
  const second = plainName(following ?? '');
  if (platform && second && !readAmount([second], 0)) {
    return mistake('name_in_two_words', `${found} ${following}`, [`/tip ${name.toLowerCase()}:${second} 1`]);
  }
  return mistake(code, found, namedExamples(plainName(name) ?? 'alice'));
}

/** An example for each of the first public platforms on which this name is possible. */
function namedExamples(name: string): Mistake['examples'] {
  const prefixes = httpPlatforms(false).flatMap((platform) => platformRow(platform).prefix ?? []);
  const names = prefixes.map((prefix) => `${prefix}:${name}`);
  const valid = names.filter((text) => readRecipient(text, {}).kind === 'recipient');
  const [first = EXAMPLE_TIP, ...more] = valid.slice(0, 3).map((text) => `/tip ${text} 1`);
  return [first, ...more];
}

/** The text as a name that an example can safely repeat. */
function plainName(text: string): string | null {
  return /^@?([A-Za-z0-9_.-]{1,39})$/.exec(text)?.[1] ?? null;
}
