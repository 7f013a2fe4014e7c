import type { ProofRefusalReason } from '../../core/claims/proof-refusals.ts';
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

export function refuse(reason: ProofRefusalReason): ProofOutcome {
  return { kind: 'refused', reason };
}

export const UNAVAILABLE = { kind: 'unavailable' } as const satisfies ProofOutcome;
