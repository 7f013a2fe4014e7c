import { addressOfKey } from '../../chain/evm/key.ts';
import { toPrivateKey } from '../../chain/wallets/personal-wallets.ts';
import { fromBase58, toBase58 } from '../../chain/solana/messages/base58.ts';
import { readSolanaKey, toSolanaKey } from '../../chain/solana/messages/key.ts';
import { readKmsKey } from '../../core/config/keys.ts';
import { NETWORK_KEYS, type KeptName } from '../../core/config/networks.ts';
import type { Family } from '../../core/networks.ts';
import type { KeystoreContent } from './content.ts';
import type { Random } from './sealed.ts';

const LANES = 3;

/** Makes a new key of each kind that is missing; `inKms`: those that are elsewhere already. */
export function addMissingKeys(
  secrets: KeystoreContent['secrets'],
  random: Random,
  inKms: readonly KeptName[] = [],
): KeystoreContent['secrets'] {
  const keys = NETWORK_KEYS.filter(({ name }) => !inKms.includes(name)).flatMap(
    ({ name, family, isList, isFormer }) => {
      const made = () => Array.from({ length: isList ? LANES : 1 }, () => newKey(family, random)).join(',');
      const kept = secrets[name] ?? (isFormer ? undefined : made());
      return kept === undefined ? [] : [[name, kept] as const];
    },
  );
  const newSecret = () => Buffer.from(random(32)).toString('hex');
  const seed = secrets.CHAT_WALLET_SEED ?? newSecret();
  const isDerived = secrets.INSTALLATION_SECRET !== undefined || inKms.length > 0;
  const derived = isDerived ? { INSTALLATION_SECRET: secrets.INSTALLATION_SECRET ?? newSecret() } : {};
  const { COMPROMISED_ADDRESSES: compromised } = secrets;
  const named = compromised === undefined ? {} : { COMPROMISED_ADDRESSES: compromised };
  return { ...Object.fromEntries(keys), ...named, ...derived, CHAT_WALLET_SEED: seed };
}

/** What may be shown of a kept secret: the addresses of its keys. The seed has none. */
export function addressesOf(name: KeptName, text: string): string[] {
  if (name === 'COMPROMISED_ADDRESSES') return text.split(',').map((address) => address.trim());
  const family = NETWORK_KEYS.find((key) => key.name === name)?.family;
  switch (family) {
    case 'evm':
      // A kept value has passed the check of its name. A former key may be in KMS.
      return text.split(',').map((key) => readKmsKey(key.trim())?.address ?? addressOfKey(key.trim() as `0x${string}`));
    case 'svm':
      return text.split(',').map((key) => readKmsKey(key.trim())?.address ?? readSolanaKey(key.trim()).address);
    case undefined:
      return [];
  }
}

export function newKey(family: Family, random: Random): string {
  switch (family) {
    case 'evm':
      return toPrivateKey(random(32));
    case 'svm':
      return newSolanaKey(random);
  }
}

/** Base58 of the seed and the public key, the form that wallets export. */
function newSolanaKey(random: Random): string {
  const seed = random(32);
  const publicKey = fromBase58(toSolanaKey(seed).address, 32);
  if (publicKey === null) throw new Error('an address must be the base58 text of 32 bytes');
  return toBase58(Buffer.concat([seed, publicKey]));
}
