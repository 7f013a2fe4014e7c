import { addressOfKey } from '../../chain/evm/key.ts';
import { toPrivateKey } from '../../chain/wallets/personal-wallets.ts';
import { fromBase58, toBase58 } from '../../chain/solana/messages/base58.ts';
import { readSolanaKey, toSolanaKey } from '../../chain/solana/messages/key.ts';
import { KEPT_NAMES, type KeptName } from '../../core/config/variables.ts';
import type { KeystoreContent } from './content.ts';
import type { Random } from './sealed.ts';

const LANES = 3;

/** Makes a new key of each kind that is missing. */
export function addMissingKeys(secrets: KeystoreContent['secrets'], random: Random): KeystoreContent['secrets'] {
  const evm = () => toPrivateKey(random(32));
  const lanes = () => Array.from({ length: LANES }, evm).join(',');
  const made = {
    TREASURY_KEY: evm,
    TASK_KEY: evm,
    LANE_KEYS: lanes,
    SOLANA_TREASURY_KEY: () => newSolanaKey(random),
    SOLANA_TASK_KEY: () => newSolanaKey(random),
    SOLANA_FEE_PAYER_KEY: () => newSolanaKey(random),
    POLYGON_TREASURY_KEY: evm,
    POLYGON_TASK_KEY: evm,
    POLYGON_LANE_KEYS: lanes,
    CHAT_WALLET_SEED: () => Buffer.from(random(32)).toString('hex'),
  } as const satisfies Record<KeptName, () => string>;
  return Object.fromEntries(KEPT_NAMES.map((name) => [name, secrets[name] ?? made[name]()]));
}

/** What may be shown of a kept secret: the addresses of its keys. The seed has none. */
export function addressesOf(name: KeptName, text: string): string[] {
  switch (name) {
    case 'TREASURY_KEY':
    case 'TASK_KEY':
    case 'LANE_KEYS':
    case 'POLYGON_TREASURY_KEY':
    case 'POLYGON_TASK_KEY':
    case 'POLYGON_LANE_KEYS':
      // A kept value has passed the check of its name.
      return text.split(',').map((key) => addressOfKey(key.trim() as `0x${string}`));
    case 'SOLANA_TREASURY_KEY':
    case 'SOLANA_TASK_KEY':
    case 'SOLANA_FEE_PAYER_KEY':
      return [readSolanaKey(text).address];
    case 'CHAT_WALLET_SEED':
      return [];
  }
}

/** Base58 of the seed and the public key, the form that wallets export. */
function newSolanaKey(random: Random): string {
  const seed = random(32);
  const publicKey = fromBase58(toSolanaKey(seed).address, 32);
  if (publicKey === null) throw new Error('an address must be the base58 text of 32 bytes');
  return toBase58(Buffer.concat([seed, publicKey]));
}
