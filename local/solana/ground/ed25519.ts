/** Keys of Solana, with what Node brings: its keys sign at once, the ones of kit answer only later. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { z } from 'zod';

/** What stands before the 32 bytes of a seed in a PKCS#8 private key. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');
const jwkSchema = z.object({ x: z.string() });

export type Ed25519Key = { publicKey: Uint8Array; sign: (message: Uint8Array) => Uint8Array };

export function toEd25519Key(seed: Uint8Array): Ed25519Key {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' });
  const { x } = jwkSchema.parse(createPublicKey(key).export({ format: 'jwk' }));
  return {
    publicKey: new Uint8Array(Buffer.from(x, 'base64url')),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}
