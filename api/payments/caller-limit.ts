import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { findProof } from '../../db/payments/records/find.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { ApiEnv } from '../http/env.ts';
import { readProof } from './proof.ts';

/**
 * Refuses a caller that is over its limit. One that fetches the answer of a proof already reserved is never turned away,
 * or it would sign another one. `proof` is read only where that matters.
 */
export async function refuseOverLimit(
  c: Context<ApiEnv>,
  { store, networks }: Pick<ApiDependencies, 'store' | 'networks'>,
  proof: () => string | null,
): Promise<void> {
  const retryAfterSeconds = c.get('overLimitSeconds');
  if (retryAfterSeconds === undefined) return;
  const reading = readProof(proof(), networks);
  if (reading.kind === 'proof') {
    const { network, authorization, payloadHash } = reading.proof;
    const row = await findProof(store, network.terms.network, authorization.from, authorization.nonce);
    if (row?.payloadHash === payloadHash) return;
  }
  throw new AppError('rate_limited', { retryAfterSeconds });
}
