import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** A secret for one purpose, from the key of a treasury: HKDF-SHA256, empty salt, info `pennypost/{purpose}`. */
export function treasurySecret(key: Uint8Array, purpose: string): Uint8Array {
  if (key.length !== KEY_BYTES) throw new Error(`a treasury key must have ${KEY_BYTES} bytes, found ${key.length}`);
  return new Uint8Array(hkdfSync('sha256', key, new Uint8Array(0), `pennypost/${purpose}`, KEY_BYTES));
}
