import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../core/errors.ts';
import { claimMethodOf, findPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { findOpenByOauthState, type ClaimRow } from '../../db/claims/find.ts';
import { keepProof, takeProof } from '../../db/claims/proof.ts';
import { oauthOf, stepLimit } from './begin.ts';
import type { Opener } from './claims.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { recordProven } from './record.ts';
import { refusalOf } from './refuse.ts';
import { readProof, readProofOf, type StoredProof } from './stored-proof.ts';

type Kept = Extract<StoredProof, { method: 'oauth' }>;

/**
 * Handles the browser that returns from a provider. The answer counts only for the claim that this browser opened with
 * this state; anything else is refused and changes nothing, because a person lured into signing in for a stranger's
 * claim has another cookie. Answers the claim's id; its row holds the outcome, because the person is on the way back to
 * its page.
 */
export async function finishSignIn(
  dependencies: ClaimsDependencies,
  answer: { platform: string; callbackUrl: string },
  opener: Opener,
): Promise<string> {
  const { store, proofs } = dependencies;
  const platform = signInPlatform(answer.platform);
  const claim = await findAsked(dependencies, platform, answer.callbackUrl, opener);
  if (claim === null) throw refusalOf('wrong_state');
  // Taken before it is used: a state works once, whatever its outcome.
  const taken = readProofOf({ id: claim.id, proof: await takeProof(store, claim.id) }, 'oauth');
  if (taken === null) throw refusalOf('replayed');
  const { state, codeVerifier } = taken;
  const { callbackUrl } = answer;
  const outcome = await oauthOf(proofs, platform).finish({ callbackUrl, state, codeVerifier, signal: stepLimit() });
  if (outcome.kind === 'proven') {
    await recordProven(dependencies, claim, outcome);
  } else {
    await startAgain(dependencies, claim, platform, outcome.kind === 'refused' ? outcome.reason : 'unavailable');
  }
  return claim.id;
}

function signInPlatform(name: string): Platform {
  const platform = findPlatform(name);
  if (platform !== null && claimMethodOf(platform) === 'oauth') return platform;
  throw new AppError('not_found', { detail: 'Nobody signs in there.' });
}

async function findAsked(
  { store, now }: ClaimsDependencies,
  platform: Platform,
  callbackUrl: string,
  opener: Opener,
): Promise<ClaimRow | null> {
  if (opener.kind !== 'browser' || !URL.canParse(callbackUrl)) return null;
  const state = new URL(callbackUrl).searchParams.get('state') ?? '';
  const claims = await findOpenByOauthState(store, platform, opener.browserId, now());
  return claims.find((claim) => hasState(claim, state)) ?? null;
}

function hasState(claim: ClaimRow, state: string): boolean {
  const kept = readProof(claim);
  if (kept?.method !== 'oauth') return false;
  const [found, expected] = [Buffer.from(state), Buffer.from(kept.state)];
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** The next try has a state of its own. */
async function startAgain(
  { store, proofs, announce }: ClaimsDependencies,
  { id }: ClaimRow,
  platform: Platform,
  refusal: string,
): Promise<void> {
  const begun = await oauthOf(proofs, platform).begin();
  await keepProof(store, id, { method: 'oauth', ...begun, refusal } satisfies Kept);
  announce(id);
}
