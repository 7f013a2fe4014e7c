import { addressFamily, isOf, NETWORK_WORDS, type Family, type Network } from '../networks.ts';
import { readAmount, sumIn, type AmountForm, type AmountMistake } from './amount.ts';
import { ABOUT_PLACES, COURTESY, DOLLARS, THANKS, TOWARDS } from './words/vocabulary.ts';
import { splitWords } from './words/words.ts';
import { mistake, type Mistake, type MistakeCode } from './mistakes.ts';

/** An address as typed. `network`: null where none was named, so that its form decides. */
export type TypedAddress = { address: string; family: Family; network: Network | null };

/** A withdrawal as typed. Whether money may go to the address is checked on its network. */
export type Withdraw = { kind: 'withdraw'; amount: AmountForm; to: TypedAddress };

/**
 * Reads what follows `/withdraw`: an amount, an address and perhaps its network, in any order. Without an address no
 * example would work as typed, so the answer is the help text.
 */
export function parseWithdraw(text: string): Withdraw | { kind: 'withdraw_help' | 'withdraw_cancel' } | Mistake {
  const words = splitWords(text)
    .map((word) => word.text)
    .filter((word, at, all) => !isBesides(word.toLowerCase(), (all[at + 1] ?? '').toLowerCase()));
  if (words.length === 1 && words[0]?.toLowerCase() === 'cancel') return { kind: 'withdraw_cancel' };
  // Looked for first: an address may begin like a number.
  const addresses = words.filter((word) => addressFamily(word) !== null);
  const names = words.filter(isNetworkWord);
  const to = readAddress([...names, ...addresses]);
  if (to === null) return { kind: 'withdraw_help' };
  const rest = words.filter((word) => word !== to.address && !isNetworkWord(word));
  const again = [...addresses, ...names].join(' ');
  if (rest.length === 0) return mistake('no_withdraw_amount', '', [`/withdraw all ${again}`]);
  const amount = readWholeAmount(rest);
  if (amount.kind === 'mistake') return mistake(amount.code, amount.found, [`/withdraw ${amount.instead} ${again}`]);
  return { kind: 'withdraw', amount: amount.form, to };
}

/** `half my usdc` is no half dollar. `to my wallet`, `a la dirección`, `please`: a sum, an address and a network are all that counts. */
const isBesides = (word: string, next: string) =>
  TOWARDS.has(word) || COURTESY.has(word) || THANKS.test(word) || (ABOUT_PLACES.has(word) && !DOLLARS.has(next));

/** An address and at most one network, which the form of the address must fit. */
export function readAddress(words: readonly string[]): TypedAddress | null {
  const names = words.filter(isNetworkWord);
  const [address = '', ...more] = words.filter((word) => !isNetworkWord(word));
  const family = addressFamily(address);
  const network = namedNetwork(names[0] ?? '');
  if (family === null || more.length > 0 || names.length > 1) return null;
  return network === null || isOf(family, network) ? { address, family, network } : null;
}

export const isNetworkWord = (word: string): boolean => namedNetwork(word) !== null;

export function namedNetwork(word: string): Network | null {
  return NETWORK_WORDS.get(word.toLowerCase()) ?? null;
}

export type WholeAmount =
  | { kind: 'amount'; form: AmountForm }
  | { kind: 'mistake'; code: MistakeCode; found: string; instead: string };

/** An amount and nothing else. */
export function readWholeAmount(words: readonly string[]): WholeAmount {
  const found = words.join(' ');
  const reading = readAmount(words, 0);
  if (reading?.kind === 'mistake') return { ...reading, code: codeOf(reading.code) };
  if (reading === null || reading.used !== words.length) {
    return { kind: 'mistake', code: 'unreadable_amount', found, instead: sumIn(words, null, 'all') };
  }
  return { kind: 'amount', form: reading.form };
}

/** The usual texts of these two codes speak of the limits of tips, which do not apply here. */
function codeOf(code: AmountMistake): MistakeCode {
  return code === 'thousands_separator' || code === 'shorthand_amount' ? 'plain_digits' : code;
}
