/** Base58 as Bitcoin and Solana write it. web3.js exports only the part for public keys. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, BigInt(value)]));
/** A byte takes log(256) / log(58) characters. */
const CHARACTERS_PER_BYTE = 1.366;

export function toBase58(bytes: Uint8Array): string {
  const zeros = countLeading(bytes, 0);
  let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  return '1'.repeat(zeros) + text;
}

/**
 * Null unless the text has exactly this many bytes. Long texts are refused unread, because reading them takes quadratic
 * time.
 */
export function fromBase58(text: string, bytesWanted: number): Uint8Array | null {
  if (text.length > Math.ceil(bytesWanted * CHARACTERS_PER_BYTE)) return null;
  const characters = Array.from(text);
  let value = 0n;
  for (const character of characters) {
    const digit = VALUES.get(character);
    if (digit === undefined) return null;
    value = value * 58n + digit;
  }
  const hex = value === 0n ? '' : value.toString(16);
  const rest = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const zeros = countLeading(characters, '1');
  return zeros + rest.length === bytesWanted ? new Uint8Array(Buffer.concat([Buffer.alloc(zeros), rest])) : null;
}

function countLeading<T>(items: ArrayLike<T>, item: T): number {
  const first = Array.from(items).findIndex((other) => other !== item);
  return first === -1 ? items.length : first;
}
