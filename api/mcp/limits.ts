import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { findProof } from '../../db/payments/find.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { readProof } from '../proof.ts';
import { callerAddress, hasBotToken } from '../rest/caller.ts';
import type { ApiEnv } from '../rest/env.ts';

/**
 * Requests per IP and minute, as for REST; here a payment may also come inside the message. Who comes for the answer of
 * one that is already claimed is never turned away: it would sign another one.
 */
export async function limitCaller(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  proof: () => string | null,
): Promise<void> {
  const { settings, callerLimiter } = dependencies;
  if (hasBotToken(c, settings.botApiToken)) return;
  if (callerLimiter.allows(callerAddress(c, settings.trustedProxies))) return;
  if (await isKnown(proof(), dependencies)) return;
  throw new AppError('rate_limited', { retryAfterSeconds: callerLimiter.retryAfterSeconds() });
}

async function isKnown(proof: string | null, { store, networks }: ApiDependencies): Promise<boolean> {
  const reading = readProof(proof, networks);
  if (reading.kind !== 'proof') return false;
  const { network, authorization, payloadHash } = reading.proof;
  const row = await findProof(store, network.terms.network, authorization.from, authorization.nonce);
  return row?.payloadHash === payloadHash;
}
