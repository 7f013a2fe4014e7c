import { pattern, type Variable } from './readers.ts';

/** The order of secp256k1 (SEC 2, 2.4.1): a private key is below it and not zero. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A key in AWS KMS, and its address, which decides: `kms:ARN@ADDRESS`. */
export type KmsKeyText = `kms:${string}`;
/** A private key, or where it is. */
export type EvmKeyText = `0x${string}` | KmsKeyText;

/** The ARN of a key or an alias. */
const KMS = /^kms:(arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:(?:key|alias)\/[A-Za-z0-9/_-]{1,256})@([0-9A-Za-z]{32,64})$/;
const KMS_ALLOWED = 'kms:ARN@ADDRESS of a key in AWS KMS';

/** Null for any other text, a private key among them. */
export function readKmsKey(text: string): { keyId: string; address: string } | null {
  const [, keyId, address] = KMS.exec(text) ?? [];
  return keyId === undefined || address === undefined ? null : { keyId, address };
}

export function isKmsKey(text: string): text is KmsKeyText {
  return readKmsKey(text) !== null;
}

export const evmKey: Variable<EvmKeyText> = {
  allowed: `a private key: 0x and 64 hexadecimal digits; or ${KMS_ALLOWED}`,
  read: (text) => {
    const kms = readKmsKey(text);
    if (kms !== null)
      return /^0x[0-9a-fA-F]{40}$/.test(kms.address) ? `kms:${kms.keyId}@${kms.address.toLowerCase()}` : undefined;
    if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return undefined;
    const value = BigInt(text);
    return value > 0n && value < SECP256K1_ORDER ? `0x${text.slice(2).toLowerCase()}` : undefined;
  },
};

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Of any network: case says something in base58 only. */
export const anyAddress: Variable<string> = {
  allowed: 'an address: 0x and 40 hexadecimal digits, or the base58 text of 32 bytes',
  read: (text) => {
    if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase();
    return countBase58Bytes(text) === 32 ? text : undefined;
  },
};

export const solanaKey: Variable<string> = {
  allowed: `a secret key: the base58 text of its 64 bytes; or ${KMS_ALLOWED}`,
  read: (text) => {
    const kms = readKmsKey(text);
    return countBase58Bytes(kms?.address ?? text) === (kms === null ? 64 : 32) ? text : undefined;
  },
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

/**
 * The first treasury key that a network had: what is derived from a treasury's key is derived from this one. A rotation
 * adds its successors behind it, so ids and secrets stay what they are.
 */
export function firstTreasuryKey<Key extends string | undefined>(keys: {
  treasuryKey: Key;
  formerTreasuryKeys?: readonly NonNullable<Key>[] | undefined;
}): Key {
  return keys.formerTreasuryKeys?.[0] ?? keys.treasuryKey;
}

/** Takes the place of a first treasury key that nobody can read: what is derived from one is derived from this. */
export const installationSecret = pattern(/^(?:0x)?[0-9a-fA-F]{64}$/, '32 random bytes in hexadecimal');

export const serviceToken = pattern(/^[\x21-\x7E]{32,512}$/, '32 to 512 visible ASCII characters without spaces');
