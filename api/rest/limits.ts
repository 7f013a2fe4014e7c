import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { findProof } from '../../db/payments/find.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { readProof } from '../proof.ts';
import { callerAddress, hasBotToken } from './caller.ts';
import type { ApiEnv } from './env.ts';
import { proofHeaderOf } from './proof-header.ts';

/**
 * Requests per IP and minute. A caller who comes for the answer of a proof that is already claimed is never turned
 * away: it would sign another one.
 */
export async function limitCaller(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<void> {
  const { settings, callerLimiter } = dependencies;
  if (hasBotToken(c, settings.botApiToken)) return;
  if (callerLimiter.allows(callerAddress(c, settings.trustedProxies))) return;
  if (await isKnownProof(c, dependencies)) return;
  throw new AppError('rate_limited', { retryAfterSeconds: callerLimiter.retryAfterSeconds() });
}

async function isKnownProof(c: Context<ApiEnv>, { store, networks }: ApiDependencies): Promise<boolean> {
  const reading = readProof(proofHeaderOf(c), networks);
  if (reading.kind !== 'proof') return false;
  const { network, authorization, payloadHash } = reading.proof;
  const row = await findProof(store, network.terms.network, authorization.from, authorization.nonce);
  return row?.payloadHash === payloadHash;
}
