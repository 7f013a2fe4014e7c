import { AppError } from '../../core/errors.ts';
import { findProof } from '../../db/payments/records/find.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { readProof } from './proof.ts';

/**
 * Calls per IP and minute; our bot is not counted. A caller that fetches the answer of a proof already reserved is
 * never turned away, or it would sign another one. `proof` is read only where that matters.
 */
export async function limitCalls(
  { store, networks, callerLimiter }: Pick<ApiDependencies, 'store' | 'networks' | 'callerLimiter'>,
  { address, isBot }: { address: string; isBot: boolean },
  proof: () => string | null,
): Promise<void> {
  if (isBot || callerLimiter.allows(address)) return;
  const reading = readProof(proof(), networks);
  if (reading.kind === 'proof') {
    const { network, authorization, payloadHash } = reading.proof;
    const row = await findProof(store, network.terms.network, authorization.from, authorization.nonce);
    if (row?.payloadHash === payloadHash) return;
  }
  throw new AppError('rate_limited', { retryAfterSeconds: callerLimiter.retryAfterSeconds() });
}
