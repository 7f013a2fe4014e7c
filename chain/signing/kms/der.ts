/** The order of secp256k1 (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const [SEQUENCE, INTEGER] = [0x30, 0x02];
const SCALAR_BYTES = 32;

/**
 * `r ‖ s` of 64 bytes out of an ECDSA signature in DER (RFC 3279, 2.2.3), with a low s: of two that are both valid, USDC
 * and the chains take the lower only. Null for bytes in any other form.
 */
export function readDerSignature(der: Uint8Array): Uint8Array | null {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2 || der.length > 2 + 2 * (2 + SCALAR_BYTES + 1)) return null;
  const first = readInteger(der, 2);
  const second = first && readInteger(der, first.end);
  if (!first || !second || second.end !== der.length) return null;
  const s = second.value > ORDER / 2n ? ORDER - second.value : second.value;
  return Buffer.from(toHex(first.value) + toHex(s), 'hex');
}

function readInteger(der: Uint8Array, start: number): { value: bigint; end: number } | null {
  const [tag, length = 0] = der.subarray(start, start + 2);
  const bytes = der.subarray(start + 2, start + 2 + length);
  if (tag !== INTEGER || length < 1 || bytes.length !== length) return null;
  const [top = 0, next = 0] = bytes;
  // A set top bit is a number below zero; a zero in front of a clear one is not the shortest form.
  if (top >= 0x80 || (top === 0 && next < 0x80)) return null;
  const value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return value > 0n && value < ORDER ? { value, end: start + 2 + length } : null;
}

const toHex = (value: bigint) => value.toString(16).padStart(2 * SCALAR_BYTES, '0');
