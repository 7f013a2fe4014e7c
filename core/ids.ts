/**
 * Identifiers, made from random bytes that the caller supplies, because core has no randomness.
 * They appear in links and answers, so none can be guessed from another.
 */
export type RandomBytes = (count: number) => Uint8Array;

export type Ids = ReturnType<typeof createIds>;

export function createIds(source: RandomBytes) {
  const random = inPortions(source);
  return {
    /** `txn_id`: a positive safe integer. */
    txnId: () => toSafeInteger(random(8)),
    /** 128 bits: the address of a receipt. */
    slug: () => toBase64Url(random(16)),
    /** 128 bits in hex; the payout's authorization nonce is derived from it. */
    payoutId: () => toHex(random(16)),
    /** 128 bits; on Solana the transaction's memo contains it too. */
    carrierId: () => toBase64Url(random(16)),
    distributionId: () => `dist_${toBase64Url(random(16))}`,
    /** 256 bits: the secret that rejects a distribution. */
    orderSecret: () => toBase64Url(random(32)),
    claimId: () => `claim_${toBase64Url(random(16))}`,
    /** 128 bits in hex; the withdrawal's authorization nonce is derived from it. */
    withdrawalId: () => toHex(random(16)),
    identityId: () => `person_${toBase64Url(random(12))}`,
    reportId: () => `report_${toBase64Url(random(9))}`,
    endpointId: () => `ep_${toBase64Url(random(16))}`,
    /** 256 bits, which an address has to know before anything is told there. */
    challenge: () => toBase64Url(random(32)),
    requestId: () => `req_${toBase64Url(random(9))}`,
    /** `attempt_<epoch ms>_<base36 token>`, as published. */
    attemptId: (nowMs: number) => `attempt_${nowMs}_${toBase36(random(10))}`,
  };
}

/** Each question to the source costs more than the bytes. */
const PORTION_BYTES = 2_048;

function inPortions(source: RandomBytes): RandomBytes {
  let left = new Uint8Array(0);
  return (count) => {
    if (left.length < count) left = new Uint8Array(source(PORTION_BYTES));
    const taken = left.subarray(0, count);
    left = left.subarray(count);
    return taken;
  };
}

function toSafeInteger(bytes: Uint8Array): number {
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) & ((1n << 53n) - 1n);
  // Zero is the only value that is not positive; its chance is 2^-53.
  return value === 0n ? 1 : Number(value);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function toBase36(bytes: Uint8Array): string {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n).toString(36);
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
