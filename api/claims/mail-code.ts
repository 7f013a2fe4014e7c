import { AppError } from '../../core/errors.ts';
import { secondsToNextHour, takeMail } from '../../db/claims/mail-limit.ts';
import type { EmailProof } from '../../identity/proofs/email.ts';
import { hashCode, MAIL_CODE_MS, newCode } from '../../identity/proofs/mail-code.ts';
import { stepLimit, type Wish } from './begin.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import type { StoredProof } from './stored-proof.ts';

type Dependencies = Pick<ClaimsDependencies, 'store' | 'now' | 'random' | 'proofs' | 'mailLimits'>;

/** Stores the hash of a code; only then is the code itself sent. */
type Keep = (proof: Extract<StoredProof, { method: 'email' }>) => Promise<boolean>;

/**
 * Sends a code, within the limits of an address and a caller. It does not look whether money waits, so the answer is
 * the same for every address. False: the code could not be stored, and nothing was sent.
 */
export async function sendNewCode(
  dependencies: Dependencies,
  claim: Wish & { claimId: string },
  callerIp: string | null,
  keep: Keep,
): Promise<boolean> {
  const { store, now, random, mailLimits } = dependencies;
  const email = emailOf(dependencies);
  const to = claim.recipient.key;
  const nowMs = now();
  if (!(await takeMail(store, { address: to, ip: callerIp, nowMs }, mailLimits))) {
    const detail = 'Too many codes were asked for. Look into the mailbox, also under spam, or try again later.';
    throw new AppError('too_many_claims', { detail, retryAfterSeconds: secondsToNextHour(nowMs) });
  }
  const code = newCode(random);
  const hash = hashCode({ claimId: claim.claimId, code });
  if (!(await keep({ method: 'email', hash, codeExpiresAtMs: nowMs + MAIL_CODE_MS }))) return false;
  const { kind } = await email.sendCode({ to, code, payout: claim.payout, signal: stepLimit() });
  if (kind === 'sent') return true;
  throw new AppError('upstream_unavailable', { detail: 'The mail could not be sent. Try again in a moment.' });
}

function emailOf({ proofs }: Pick<ClaimsDependencies, 'proofs'>): EmailProof {
  if (proofs.email === null) throw new AppError('platform_unavailable', { field: 'platform' });
  return proofs.email;
}
