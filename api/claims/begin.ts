import type { PayoutTarget } from '../../core/claims/claims.ts';
import { AppError } from '../../core/errors.ts';
import { claimMethodOf, isProvenBy, type Platform } from '../../core/platforms/platforms.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { OauthProof } from '../../identity/proofs/oauth.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import type { StoredProof } from './stored-proof.ts';

/** Longer than any one question to a provider may take; a visitor should not wait longer. */
const STEP_MS = 20_000;

/** How long one request may wait for a provider. */
export const stepLimit = (): AbortSignal => AbortSignal.timeout(STEP_MS);

export type Wish = { recipient: Recipient; payout: PayoutTarget };

/**
 * Begins a proof and answers what to store for it. A proof by mail begins by its code, which is sent only once its hash
 * is stored (mail-code.ts).
 */
export async function beginProof(
  { proofs }: Pick<ClaimsDependencies, 'proofs'>,
  { recipient, payout }: Wish,
): Promise<Exclude<StoredProof, { method: 'email' }>> {
  const { platform, key } = recipient;
  const method = claimMethodOf(platform);
  switch (method) {
    case 'oauth':
      return { method, ...(await oauthOf(proofs, platform).begin()), refusal: null };
    case 'siwf': {
      if (proofs.farcaster === null) throw new AppError('platform_unavailable', { field: 'platform' });
      const begun = await proofs.farcaster.begin({ handle: key, payout, signal: stepLimit() });
      if (begun.kind === 'unavailable') throw new AppError('upstream_unavailable');
      return { method, channel: begun.channel, signed: null };
    }
    case 'domain':
    case 'chat':
      return { method };
    case 'email':
      throw new Error('a proof by mail begins with its code');
  }
}

/** What is not configured is not offered. */
export function oauthOf(proofs: ClaimsDependencies['proofs'], platform: Platform): OauthProof {
  if (!isProvenBy(platform, 'oauth')) throw new Error(`${platform} is not proven by a sign-in`);
  const proof = proofs.oauth[platform];
  if (proof === null) throw new AppError('platform_unavailable', { field: 'platform' });
  return proof;
}
