import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Names a request for good: SHA-256 over the operation, its path parameters (canonical platform included) and the
 * RFC 8785 form of the body as received. A proof is bound to this hash by its first use, because the x402 signature
 * itself covers neither URL nor body. REST, MCP and A2A are different operations.
 */
export function requestHash(operation: string, pathParameters: Record<string, string>, body: unknown): string {
  const canonical = canonicalize([operation, pathParameters, body]);
  if (canonical === undefined) throw new Error('a request hash needs JSON values only');
  return createHash('sha256').update(canonical).digest('hex');
}

/** Names a proof as presented, to tell a repetition from another proof with the same nonce. */
export function payloadHash(parts: Record<string, string | number>): string {
  return createHash('sha256')
    .update(canonicalize(parts) ?? '')
    .digest('hex');
}
