import type { Network } from '../networks.ts';
import { readAmount, type AmountForm, type AmountMistake } from './amount.ts';
import { splitWords } from './words.ts';
import { mistake, type Mistake, type MistakeCode } from './mistakes.ts';

/** A withdrawal as it was typed. Whether the address is one that money may go to is for its network to say. */
export type Withdraw = { kind: 'withdraw'; amount: AmountForm; network: Network; address: string };

/** Base58, as long as the 32 bytes of an address are. */
const SOLANA_LIKE = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Reads what follows `/withdraw`: an amount and an address, in either order. Without an address there is no example
 * that could be sent as it stands, so then it is explained.
 */
export function parseWithdraw(text: string): Withdraw | { kind: 'withdraw_help' | 'withdraw_cancel' } | Mistake {
  const words = splitWords(text)
    .map((word) => word.text)
    .filter((word) => word.toLowerCase() !== 'to');
  if (words.length === 1 && words[0]?.toLowerCase() === 'cancel') return { kind: 'withdraw_cancel' };
  // Looked for first: an address may begin like a number.
  const [address, ...more] = words.filter((word) => networkOf(word) !== null);
  const network = networkOf(address ?? '');
  if (address === undefined || network === null || more.length > 0) return { kind: 'withdraw_help' };
  const rest = words.filter((word) => word !== address);
  if (rest.length === 0) return mistake('no_withdraw_amount', '', [`/withdraw all ${address}`]);
  const amount = readWholeAmount(rest);
  if (amount.kind === 'mistake') return mistake(amount.code, amount.found, [`/withdraw ${amount.instead} ${address}`]);
  return { kind: 'withdraw', amount: amount.form, network, address };
}

export type WholeAmount =
  | { kind: 'amount'; form: AmountForm }
  | { kind: 'mistake'; code: MistakeCode; found: string; instead: string };

/** The words must be an amount and nothing else. */
export function readWholeAmount(words: readonly string[]): WholeAmount {
  const found = words.join(' ');
  const reading = readAmount(words, 0);
  if (reading?.kind === 'mistake') return { ...reading, code: codeOf(reading.code) };
  if (reading === null || reading.used !== words.length) {
    return { kind: 'mistake', code: 'unreadable_amount', found, instead: 'all' };
  }
  return { kind: 'amount', form: reading.form };
}

/** What is said about these two speaks of the limits of tips. */
function codeOf(code: AmountMistake): MistakeCode {
  return code === 'thousands_separator' || code === 'shorthand_amount' ? 'plain_digits' : code;
}

export function networkOf(word: string): Network | null {
  if (/^0x/i.test(word)) return 'base';
  return SOLANA_LIKE.test(word) ? 'solana' : null;
}
