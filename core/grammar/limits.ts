import { LIMIT_NAMES, type LimitName } from '../wallets/spending-limits.ts';
import { microUsdc, type MicroUsdc } from '../money.ts';
import { readWholeAmount } from './withdraw.ts';

/** A payer's wish about the limits of their tips. The grammar does not judge whether it is allowed. */
export type LimitsWish =
  | { kind: 'change'; name: LimitName; amount: MicroUsdc }
  /** Calls off every raise that does not hold yet. */
  | { kind: 'cancel' }
  /** As it was typed. */
  | { kind: 'unreadable'; found: string };

/** Reads what follows `/limits`; null where nothing does. */
export function parseLimits(text: string): LimitsWish | null {
  const words = text.trim().split(/\s+/);
  const [first = '', ...rest] = words;
  if (first === '') return null;
  const word = first.toLowerCase();
  if (word === 'cancel' && rest.length === 0) return { kind: 'cancel' };
  const name = LIMIT_NAMES.find((known) => known === word);
  const amount = name === undefined ? null : readAmount(name, rest);
  return name === undefined || amount === null ? unreadable(words) : { kind: 'change', name, amount };
}

/** `ask always` is `ask 0`. */
function readAmount(name: LimitName, words: readonly string[]): MicroUsdc | null {
  if (name === 'ask' && words.length === 1 && words[0]?.toLowerCase() === 'always') return microUsdc(0n);
  const reading = readWholeAmount(words);
  return reading.kind === 'amount' && reading.form.kind === 'exact' ? reading.form.amount : null;
}

/** Keeps enough of the text to recognise it. */
function unreadable(words: readonly string[]): LimitsWish {
  return {
    kind: 'unreadable',
    found: words
      .join(' ')
      .slice(0, 60)
      .replace(/[\uD800-\uDBFF]$/, ''),
  };
}
