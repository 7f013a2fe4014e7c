import type { ChatPlatform } from '../../core/platforms/platforms.ts';
import type { WalletAddresses } from '../port.ts';

/**
 * The port to proofs that somebody owns a name, now (contract, section 8). Nothing here stores anything: what a proof
 * needs again later is handed out as plain data, and the caller keeps it with the claim.
 */
export type Proven = {
  kind: 'proven';
  /** The provider's user id; where the name is the identity (e-mail, web) the name. The caller compares it. */
  stableId: string;
  /** The key of the name that is held now. It may differ from the name that was paid: people rename themselves. */
  handle: string;
  /** Where the platform says it: since when the account exists, or better, since when it has this name. */
  sinceMs?: number;
  /** Addresses which the platform's users verified there. Absent: it has none to tell, or did not answer. */
  addresses?: WalletAddresses;
};

export type ProofOutcome =
  | Proven
  | { kind: 'refused'; reason: ProofRefusalReason }
  /** Somebody else did not answer in time, or not with anything usable. It says nothing about the person. */
  | { kind: 'unavailable' };

export type { PayoutTarget } from '../../core/claims/claims.ts';

/** What the bot reports when it saw somebody press the button; it says so with its token, so there is nothing to ask. */
export type ProvenInChat = { platform: ChatPlatform; proven: Proven };

/** For people. `wrong_account`, `wrong_code` and `too_many_tries` are the caller's: he knows what was paid and tried. */
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
