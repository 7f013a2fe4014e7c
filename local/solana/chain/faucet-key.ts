import type { Address } from '@solana/kit';
import { toEd25519Key } from '../ground/ed25519.ts';
import { toAddress } from '../wire/encoding.ts';

export type FaucetKey = { address: Address; sign: (message: Uint8Array) => Uint8Array };

export function createFaucetKey(seed: Uint8Array): FaucetKey {
  const { publicKey, sign } = toEd25519Key(seed);
  return { address: toAddress(publicKey), sign };
}
