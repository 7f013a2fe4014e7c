import type { Network } from '../networks.ts';
import type { AmountForm } from './amount.ts';
import { networkOf, readWholeAmount } from './withdraw.ts';
import { splitWords } from './words.ts';

/** What somebody wants with the money of his community. */
export type TreasuryWish =
  | { do: 'show' | 'deposit' | 'statement' }
  | { do: 'set_address'; network: Network; address: string }
  | { do: 'drop_address'; network: Network }
  /** `network`: null where there is only one that it could mean. */
  | { do: 'withdraw'; amount: AmountForm; network: Network | null }
  | { do: 'unreadable'; found: string };

const NETWORK_WORDS: ReadonlyMap<string, Network> = new Map([
  ['base', 'base'],
  ['solana', 'solana'],
  ['sol', 'solana'],
]);

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
      return readAddress(words) ?? { do: 'unreadable', found };
    case 'withdraw':
      return readWithdraw(words) ?? { do: 'unreadable', found };
    default:
      return { do: 'unreadable', found };
  }
}

/** For others to see: it asks something of them, or tells them what will count. */
export function isForCommunity(wish: TreasuryWish): boolean {
  return wish.do === 'set_address' || wish.do === 'withdraw';
}

/** The network may be named beside the address, and must then be the one that the address is on. */
function readAddress(words: string[]): TreasuryWish | null {
  const named = words.flatMap((word) => NETWORK_WORDS.get(word.toLowerCase()) ?? []);
  const others = words.filter((word) => !NETWORK_WORDS.has(word.toLowerCase()));
  const [word = '', ...more] = others;
  if (more.length > 0 || named.length > 1) return null;
  const [network] = named;
  if (word.toLowerCase() === 'off') return network === undefined ? null : { do: 'drop_address', network };
  const meant = networkOf(word);
  if (meant === null || (network !== undefined && network !== meant)) return null;
  return { do: 'set_address', network: meant, address: word };
}

function readWithdraw(words: string[]): TreasuryWish | null {
  const rest = words.filter((word) => !NETWORK_WORDS.has(word.toLowerCase()) && word.toLowerCase() !== 'on');
  const named = words.flatMap((word) => NETWORK_WORDS.get(word.toLowerCase()) ?? []);
  if (rest.length === 0 || named.length > 1) return null;
  const amount = readWholeAmount(rest);
  return amount.kind === 'amount' ? { do: 'withdraw', amount: amount.form, network: named[0] ?? null } : null;
}
