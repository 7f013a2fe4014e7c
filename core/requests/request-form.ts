import canonicalize from 'canonicalize';

/** Half a nonce, in hex digits: 16 random bytes, then 16 of the hash that binds them to a request. */
export const NONCE_HALF = 32;

/**
 * The text whose SHA-256 is the lasting name of a request: the operation, its path parameters (canonical platform
 * included) and the body as received, in the form of RFC 8785.
 */
export function requestForm(operation: string, pathParameters: Record<string, string>, body: unknown): string {
  const canonical = canonicalize([operation, pathParameters, body]);
  if (canonical === undefined) throw new Error('a request hash needs JSON values only');
  return canonical;
}

/** The bytes, in hex, whose SHA-256 begins with the second half of a nonce. */
export function nonceForm(requestHashHex: string, randomHex: string): string {
  return requestHashHex + randomHex;
}

/** The nonce, in hex without prefix. `hashHex`: SHA-256 of `nonceForm`. */
export function joinNonce(randomHex: string, hashHex: string): string {
  return randomHex + hashHex.slice(0, NONCE_HALF);
}
