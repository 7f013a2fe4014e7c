import type { Network } from '../core/networks.ts';
import type { Platform } from '../core/platforms/platforms.ts';
import type { Recipient } from '../core/platforms/recipient.ts';

/**
 * The port to who owns a name. `stableId` is the provider's user id, which outlives a change of handle; where the name
 * is the identity (e-mail, web) it is the normalised name.
 */
export type Resolution =
  /** `sinceMs`, where the platform says it: since when the account exists, or better, since when it has this name. */
  | { kind: 'found'; stableId: string; sinceMs?: number }
  /** Nobody has that name, or nobody who could ever collect: suspended, an organisation, a domain without mail. */
  | { kind: 'not-found' }
  /** The platform did not answer in time. */
  | { kind: 'unavailable' };

export type Identity = {
  /** Platforms that this installation can resolve and prove; any other is refused before money is asked for. */
  platforms: readonly Platform[];
  /** Never rejects and never takes longer than the time limit of section 1 of the contract. */
  resolve: (recipient: Recipient) => Promise<Resolution>;
  /** Answers from memory alone, for callers who have not paid: null means that nothing is remembered. */
  peek: (recipient: Recipient) => Resolution | null;
};

/** Asks one platform, once. The signal ends the asking; what it answers afterwards is ignored. */
export type Resolver = (recipient: Recipient, signal: AbortSignal) => Promise<Resolution>;

/** Valid by form only: what they are on a chain is asked there. */
export type WalletAddresses = Record<Network, string[]>;
