import { AppError } from '../../core/errors.ts';
import type { ClaimRow } from '../../db/claims/find.ts';
import { countTry, keepProof, takeProof } from '../../db/claims/proof.ts';
import { rejectClaim } from '../../db/claims/verify.ts';
import { isSameCode, MAIL_CODE_TRIES_MAX } from '../../identity/proofs/mail-code.ts';
import type { Proven } from '../../identity/proofs/port.ts';
import type { ProofStep } from './claims.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { checkDomain } from './domain.ts';
import { recordProven } from './record.ts';
import { refusalOf } from './refuse.ts';
import { pollFarcaster } from './siwf.ts';
import { readProofOf } from './stored-proof.ts';

/** Requests to a foreign server that one claim may cause; a page that asks every two seconds needs 900. */
const LOOKS_MAX = 1_000;

/** Takes the step that proves a claim. The caller checked who opened it. Throws AppError where it proves nothing. */
export async function prove(dependencies: ClaimsDependencies, claim: ClaimRow, step: ProofStep): Promise<void> {
  if (!isToBeProven(claim, dependencies.now())) return;
  if (step.method !== claim.method) {
    throw new AppError('validation_failed', { detail: `This claim is proven by another way: ${claim.method}.` });
  }
  switch (step.method) {
    case 'email':
      return proveByCode(dependencies, claim, step.code);
    case 'domain':
      await countLook(dependencies, claim);
      return settle(dependencies, claim, await checkDomain(dependencies, claim));
    case 'siwf': {
      await countLook(dependencies, claim);
      const proven = await pollFarcaster(dependencies, claim);
      return proven === null ? undefined : settle(dependencies, claim, proven);
    }
    case 'chat':
      // Only our bot opens such a claim, and it names the account that it saw.
      return settle(dependencies, claim, { kind: 'proven', stableId: step.userId, handle: step.userId });
  }
}

/** False: it is proven already. Throws for a claim that is over. */
export function isToBeProven(claim: ClaimRow, nowMs: number): boolean {
  if (claim.status === 'rejected')
    throw refusalOf(claim.rejectReason === 'too_many_tries' ? 'too_many_tries' : 'wrong_account');
  if (claim.status === 'confirmed' || claim.status === 'declined') return false;
  if (claim.expiresAtMs <= nowMs) throw new AppError('claim_expired');
  return claim.status === 'open';
}

async function proveByCode(dependencies: ClaimsDependencies, claim: ClaimRow, code: string): Promise<void> {
  const { store, now, announce } = dependencies;
  const kept = readProofOf(claim, 'email');
  if (kept === null) throw refusalOf('wrong_code');
  if (kept.codeExpiresAtMs <= now()) throw refusalOf('expired');
  // Counted before it is compared: twenty guesses at once are twenty guesses.
  const isCounted = await countTry(store, claim.id, MAIL_CODE_TRIES_MAX);
  if (isCounted && isSameCode(code, { claimId: claim.id, hash: kept.hash })) return useCode(dependencies, claim, kept);
  if (isCounted && claim.tries + 1 < MAIL_CODE_TRIES_MAX) throw refusalOf('wrong_code');
  await rejectClaim(store, claim.id, 'too_many_tries', now());
  announce(claim.id);
  throw refusalOf('too_many_tries');
}

/** A code works once. The taken code may be a newer one, sent meanwhile: that one stays good. */
async function useCode(dependencies: ClaimsDependencies, claim: ClaimRow, kept: { hash: string }): Promise<void> {
  const { store } = dependencies;
  const taken = readProofOf({ id: claim.id, proof: await takeProof(store, claim.id) }, 'email');
  if (taken === null) return;
  if (taken.hash !== kept.hash) {
    await keepProof(store, claim.id, taken);
    throw refusalOf('wrong_code');
  }
  await settle(dependencies, claim, { kind: 'proven', stableId: claim.key, handle: claim.key });
}

/** The claim is for the recipient who was paid: another account has ended it. */
async function settle(dependencies: ClaimsDependencies, claim: ClaimRow, proven: Proven): Promise<void> {
  if (!(await recordProven(dependencies, claim, proven))) throw refusalOf('wrong_account');
}

async function countLook({ store }: ClaimsDependencies, claim: ClaimRow): Promise<void> {
  if (!(await countTry(store, claim.id, LOOKS_MAX))) throw refusalOf('too_many_tries');
}
