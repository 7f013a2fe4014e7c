import type { Context } from 'hono';
import { PROOF_HEADERS } from './proof.ts';
import type { ApiEnv } from '../http/env.ts';

/** The first proof header that is there, in the contract's order. */
export function proofHeaderOf(c: Context<ApiEnv>): string | null {
  for (const name of PROOF_HEADERS) {
    const value = c.req.header(name);
    if (value !== undefined && value !== '') return value;
  }
  return null;
}
