import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { fromBase58, toBase58 } from './base58.ts';

/** Signs. The secret never leaves it: not even a log of the whole object shows it. */
export type SolanaKey = {
  address: string;
  /** The 64 bytes of an ed25519 signature; the same message always gives the same. */
  sign: (message: Uint8Array) => Uint8Array;
};

const SEED_BYTES = 32;
const KEY_BYTES = 64;
/** The prefix of a 32-byte seed in a PKCS#8 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const jwkSchema = z.object({ x: z.string() });

/**
 * Reads the base58 text of the 64 bytes that wallets export: the seed, then the public key. A pair that does not match
 * is refused, because a signature of one under the other's name can reveal the seed.
 */
export function readSolanaKey(text: string): SolanaKey {
  const key = toSolanaKey(readSolanaSeed(text));
  if (key.address !== toBase58(readBytes(text).subarray(SEED_BYTES))) {
    throw new Error('the second half of a Solana key must be the public key of the first');
  }
  return key;
}

/** The secret half. */
export function readSolanaSeed(text: string): Uint8Array {
  return readBytes(text).subarray(0, SEED_BYTES);
}

function readBytes(text: string): Uint8Array {
  const bytes = fromBase58(text, KEY_BYTES);
  // The message leaves the value out: it is a secret even when it is wrong.
  if (!bytes) throw new Error('a Solana key must be the base58 text of 64 bytes');
  return bytes;
}

/** Any 32 bytes are the seed of a key (RFC 8032). */
export function toSolanaKey(seed: Uint8Array): SolanaKey {
  if (seed.length !== SEED_BYTES) throw new Error(`the seed of a Solana key must have 32 bytes, found ${seed.length}`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const { x } = jwkSchema.parse(createPublicKey(privateKey).export({ format: 'jwk' }));
  const address = toBase58(Buffer.from(x, 'base64url'));
  return { address, sign: (message) => new Uint8Array(sign(null, message, privateKey)) };
}

/** False also for an invalid address or signature. */
export function isSignedBy(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = fromBase58(address, 32);
  if (!publicKey || signature.length !== KEY_BYTES) return false;
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}
