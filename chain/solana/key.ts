import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { fromBase58, toBase58 } from './base58.ts';

/** Signs, and never hands out its secret: not even a log of the whole object shows it. */
export type SolanaKey = {
  address: string;
  /** The 64 bytes of an ed25519 signature; the same message always gives the same. */
  sign: (message: Uint8Array) => Uint8Array;
};

const SEED_BYTES = 32;
const KEY_BYTES = 64;
/** What stands before the 32 bytes of a seed in a private key of the form PKCS#8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const jwkSchema = z.object({ x: z.string() });

/**
 * Reads the base58 text of the 64 bytes that wallets export: the seed, then the public key. One whose halves do not
 * belong together is refused, since a signature of the one under the other's name can give the seed away.
 */
export function readSolanaKey(text: string): SolanaKey {
  const bytes = fromBase58(text, KEY_BYTES);
  // The value stays out of the messages: it is a secret even when it is wrong.
  if (!bytes) throw new Error('a Solana key must be the base58 text of 64 bytes');
  const seed = bytes.subarray(0, SEED_BYTES);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const { x } = jwkSchema.parse(createPublicKey(privateKey).export({ format: 'jwk' }));
  const publicKey = Buffer.from(x, 'base64url');
  if (!publicKey.equals(bytes.subarray(SEED_BYTES))) {
    throw new Error('the second half of a Solana key must be the public key of the first');
  }
  return { address: toBase58(publicKey), sign: (message) => new Uint8Array(sign(null, message, privateKey)) };
}

/** False also for an address or a signature that is none. */
export function isSignedBy(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = fromBase58(address, 32);
  if (!publicKey || signature.length !== KEY_BYTES) return false;
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}
