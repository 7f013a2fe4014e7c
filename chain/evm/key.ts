import { type Address, type Hex, keccak256 } from 'viem';
import { secp256k1 } from '../secp256k1.ts';

/** The lower-case address of a private key. */
export function addressOfKey(key: Hex): Address {
  return toAddress(secp256k1.publicKeyCreate(keyBytes(key), false));
}

export type DigestSignature = { r: Hex; s: Hex; yParity: 0 | 1 };

/** Deterministic (RFC 6979), with a low s: the same key and digest always give the same bytes. */
export function signDigest(key: Hex, digest: Hex): DigestSignature {
  const { signature, recid } = secp256k1.ecdsaSign(Buffer.from(digest.slice(2), 'hex'), keyBytes(key));
  // A recovery id above 1 needs r within 2^-128 of the order; it has never been seen.
  if (recid !== 0 && recid !== 1) throw new Error(`a signature needs recovery id 0 or 1, found ${recid}`);
  return { r: toHex(signature.subarray(0, 32)), s: toHex(signature.subarray(32)), yParity: recid };
}

/** `r ‖ s ‖ v` with v 27 or 28, the form contracts read. */
export function toRecoverable({ r, s, yParity }: DigestSignature): Hex {
  return `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`;
}

/** The signer; null where no key can have made this signature. `compact` is `r ‖ s`; a high s is not refused here. */
export function recoverAddress(digest: Hex, compact: Uint8Array, recoveryId: number): Address | null {
  try {
    return toAddress(secp256k1.ecdsaRecover(compact, recoveryId, Buffer.from(digest.slice(2), 'hex'), false));
  } catch {
    // The library throws where r or s is out of range or r is not on the curve: then there is no signer.
    return null;
  }
}

function keyBytes(key: Hex): Uint8Array {
  const bytes = Buffer.from(key.slice(2), 'hex');
  // The message leaves the value out: it is a secret even when it is wrong.
  if (key.length !== 66 || bytes.length !== 32 || !secp256k1.privateKeyVerify(bytes)) {
    throw new Error('a private key must be 0x and 64 hex digits, below the order of secp256k1');
  }
  return bytes;
}

function toAddress(publicKey: Uint8Array): Address {
  return `0x${keccak256(publicKey.subarray(1)).slice(-40)}`;
}

function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
