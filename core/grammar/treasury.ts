import type { Network } from '../networks.ts';
import type { AmountForm } from './amount.ts';
import { isNetworkWord, namedNetwork, readAddress, readWholeAmount, type TypedAddress } from './withdraw.ts';
import { splitWords } from './words/words.ts';

/** What a `/treasury` command asks for. */
export type TreasuryWish =
  | { do: 'show' | 'deposit' | 'statement' }
  | { do: 'set_address'; to: TypedAddress }
  | { do: 'drop_address'; network: Network }
  /** `network`: null where the command names none. */
  | { do: 'withdraw' | 'give'; amount: AmountForm; network: Network | null }
  | { do: 'unreadable'; found: string };

/** Reads what follows `/treasury`. */
export function parseTreasury(text: string): TreasuryWish {
  const [first = '', ...words] = splitWords(text).map((word) => word.text);
  const found = text.trim();
  switch (first.toLowerCase()) {
    case '':
    case 'balance':
    case 'show':
      return words.length === 0 ? { do: 'show' } : { do: 'unreadable', found };
    case 'deposit':
      return words.length === 0 ? { do: 'deposit' } : { do: 'unreadable', found };
    case 'statement':
    case 'csv':
      return words.length === 0 ? { do: 'statement' } : { do: 'unreadable', found };
    case 'address':
      return readAddressWish(words) ?? { do: 'unreadable', found };
    case 'withdraw':
    case 'give':
      return readSum(first.toLowerCase() === 'give' ? 'give' : 'withdraw', words) ?? { do: 'unreadable', found };
    default:
      return { do: 'unreadable', found };
  }
}

/** Whether the whole community sees the answer: it asks something of them, or announces what will hold. */
export function isForCommunity(wish: TreasuryWish): boolean {
  return wish.do === 'set_address' || wish.do === 'withdraw';
}

function readAddressWish(words: string[]): TreasuryWish | null {
  const [word, ...others] = words.filter((one) => !isNetworkWord(one));
  if (word?.toLowerCase() === 'off' && others.length === 0) {
    const [network, ...more] = words.flatMap((one) => namedNetwork(one) ?? []);
    return network === undefined || more.length > 0 ? null : { do: 'drop_address', network };
  }
  const to = readAddress(words);
  return to === null ? null : { do: 'set_address', to };
}

function readSum(what: 'give' | 'withdraw', words: string[]): TreasuryWish | null {
  const rest = words.filter((word) => !isNetworkWord(word) && word.toLowerCase() !== 'on');
  const named = words.flatMap((word) => namedNetwork(word) ?? []);
  if (rest.length === 0 || named.length > 1) return null;
  const amount = readWholeAmount(rest);
  return amount.kind === 'amount' ? { do: what, amount: amount.form, network: named[0] ?? null } : null;
}
