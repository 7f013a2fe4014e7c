import type { Context } from 'hono';
import { credentialTextIn } from '../../core/payments/mpp/credential.ts';
import { PROOF_HEADERS } from './proof.ts';
import type { ApiEnv } from '../http/env.ts';

/** The first proof header that is there, in the contract's order; then a credential of the Machine Payments Protocol. */
export function proofHeaderIn(headers: { get: (name: string) => string | null }): string | null {
  for (const name of PROOF_HEADERS) {
    const value = headers.get(name);
    if (value !== null && value !== '') return value;
  }
  return credentialTextIn(headers.get('Authorization'), headers.get('Payment-Authorization'));
}

export function proofHeaderOf(c: Context<ApiEnv>): string | null {
  return proofHeaderIn({ get: (name) => c.req.header(name) ?? null });
}
