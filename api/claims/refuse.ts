import { AppError } from '../../core/errors.ts';
import { PROOF_REFUSALS, type ProofRefusalReason } from '../../core/claims/proof-refusals.ts';
import type { ProofOutcome } from '../../identity/proofs/port.ts';

/** A refused proof in words for the person; the few that programs can act on have an error word of their own. */
export function refusalOf(reason: ProofRefusalReason): AppError {
  const detail = PROOF_REFUSALS[reason];
  switch (reason) {
    case 'wrong_account':
    case 'wrong_code':
    case 'not_published':
      return new AppError(reason, { detail, reason });
    case 'wrong_state':
    case 'wrong_callback':
    case 'wrong_issuer':
    case 'denied_by_user':
    case 'replayed':
    case 'expired':
    case 'wrong_message':
    case 'wrong_signature':
    case 'too_many_tries':
      return new AppError('claim_refused', { detail, reason });
  }
}

/** Everything but a proof, thrown. */
export function failureOf(outcome: Exclude<ProofOutcome, { kind: 'proven' }>): AppError {
  return outcome.kind === 'refused' ? refusalOf(outcome.reason) : new AppError('upstream_unavailable');
}

/** The database may hold a newer word than this program knows. */
export function isRefusalReason(word: string | null): word is ProofRefusalReason {
  return word !== null && Object.hasOwn(PROOF_REFUSALS, word);
}
