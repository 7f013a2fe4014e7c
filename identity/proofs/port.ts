import type { ChatPlatform } from '../../core/platforms/platforms.ts';
import type { WalletAddresses } from '../port.ts';

/**
 * Proofs that a person owns a name now. Nothing here stores anything: a proof returns what it
 * needs later as plain data, and the caller stores it with the claim.
 */
export type Proven = {
  kind: 'proven';
  /** The provider's user id, or the name where that is the identity (e-mail, web). The caller compares it. */
  stableId: string;
  /** The key of the present name. It may differ from the paid name, because people rename themselves. */
  handle: string;
  /** Where the platform tells it: since when the account has this name, or else since when it exists. */
  sinceMs?: number;
  /** Addresses that the person verified there. Absent: there are none, or the platform did not answer. */
  addresses?: WalletAddresses;
};

export type ProofOutcome =
  | Proven
  | { kind: 'refused'; reason: ProofRefusalReason }
  /** A provider gave no usable answer in time, which says nothing about the person. */
  | { kind: 'unavailable' };

export type { PayoutTarget } from '../../core/claims/claims.ts';

/** The bot's report that a person pressed the button. Its token proves the report, so nothing else is asked. */
export type ProvenInChat = { platform: ChatPlatform; proven: Proven };

/**
 * For people. The caller decides `wrong_account`, `wrong_code` and `too_many_tries`: it knows the line and the tries.
 */
export const PROOF_REFUSALS = {
  wrong_state: 'This sign-in was not started here, or it was started in another window. Start it again.',
  wrong_callback: 'The answer to the sign-in was not complete. Start it again.',
  wrong_issuer: 'The answer to the sign-in came from somebody else. Start it again.',
  denied_by_user: 'You did not agree to the sign-in, so nothing was proven.',
  replayed: 'This sign-in was used already, or it took too long. Start it again.',
  expired: 'The time for this proof is over. Start it again.',
  wrong_message: 'What was signed is not what we asked to be signed. Start it again.',
  wrong_signature: 'The signature does not belong to this account.',
  wrong_account: 'You signed in as somebody else than the person this money is for.',
  wrong_code: 'That is not the code from the mail.',
  too_many_tries: 'That was one try too many. Ask for a new code.',
  not_published: 'The text is not there yet. A change of DNS may take a few minutes to be seen.',
} as const;

export type ProofRefusalReason = keyof typeof PROOF_REFUSALS;

export function refuse(reason: ProofRefusalReason): ProofOutcome {
  return { kind: 'refused', reason };
}

export const UNAVAILABLE = { kind: 'unavailable' } as const satisfies ProofOutcome;
