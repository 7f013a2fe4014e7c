/** Private keys as wallets of Solana import them: 64 bytes, the seed and the public key, in base58. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';
import { toEd25519Key } from './ed25519.ts';

export const privateKeySchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);

export function createPrivateKey(): string {
  return toPrivateKey(randomBytes(32));
}

export function toPrivateKey(seed: Uint8Array): string {
  return toBase58(Buffer.concat([seed, toEd25519Key(seed).publicKey]));
}
