import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { joinNonce, NONCE_HALF, nonceForm, requestForm } from './requests/request-form.ts';

/**
 * The lasting name of a request: SHA-256 over the operation, its path parameters (canonical platform included) and the
 * RFC 8785 form of the body as received. The first use binds a payment proof to this hash, because the x402 signature
 * covers neither URL nor body. REST, MCP and A2A are different operations.
 */
export function requestHash(operation: string, pathParameters: Record<string, string>, body: unknown): string {
  return createHash('sha256')
    .update(requestForm(operation, pathParameters, body))
    .digest('hex');
}

/** Identifies a payment proof as presented, to tell a repetition from another proof with the same nonce. */
export function payloadHash(parts: Record<string, string | number>): string {
  return createHash('sha256')
    .update(canonicalize(parts) ?? '')
    .digest('hex');
}

/**
 * Whether a nonce is bound to its request: 16 random bytes, then the first 16 bytes of
 * SHA-256(request hash ‖ those random bytes). If the transfer landed before the proof was presented, only such a proof
 * counts: anyone can copy a signature from the chain, but cannot use it for another request.
 */
export function isBoundNonce(nonce: string, requestHashHex: string): boolean {
  const hex = nonce.replace(/^0x/, '').toLowerCase();
  return hex.length === 2 * NONCE_HALF && hex === boundNonce(requestHashHex, hex.slice(0, NONCE_HALF));
}

/** The nonce, in hex without prefix, that binds a payment to a request; `randomHex` is 16 bytes. */
export function boundNonce(requestHashHex: string, randomHex: string): string {
  const bytes = Buffer.from(nonceForm(requestHashHex, randomHex), 'hex');
  return joinNonce(randomHex, createHash('sha256').update(bytes).digest('hex'));
}
