import { pattern, type Variable } from './readers.ts';

/** The order of secp256k1 (SEC 2, 2.4.1): a private key is below it and not zero. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export const evmKey: Variable<`0x${string}`> = {
  allowed: 'a private key: 0x and 64 hexadecimal digits',
  read: (text) => {
    if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return undefined;
    const value = BigInt(text);
    return value > 0n && value < SECP256K1_ORDER ? `0x${text.slice(2).toLowerCase()}` : undefined;
  },
};

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const solanaKey: Variable<string> = {
  allowed: 'a secret key: the base58 text of its 64 bytes',
  read: (text) => (countBase58Bytes(text) === 64 ? text : undefined),
};

function countBase58Bytes(text: string): number {
  if (text.length > 90) return Number.NaN;
  const digits = Array.from(text, (character) => BASE58.indexOf(character));
  if (digits.includes(-1)) return Number.NaN;
  const value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n);
  const leadingZeros = /^1*/.exec(text)?.[0].length ?? 0;
  return leadingZeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));
}

/** All chat wallets are derived from it, so it must be as strong as a key. */
export const walletSeed = pattern(/^(?:0x)?[0-9a-fA-F]{64}$/, '32 random bytes in hexadecimal');

export const serviceToken = pattern(/^[\x21-\x7E]{32,512}$/, '32 to 512 visible ASCII characters without spaces');
