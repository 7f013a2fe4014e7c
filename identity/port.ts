import type { Network } from '../core/networks.ts';
import type { Platform } from '../core/platforms/platforms.ts';
import type { Recipient } from '../core/platforms/recipient.ts';

/**
 * The owner of a name. `stableId` is the provider's user id, which survives a change of handle; where the name is the
 * identity (e-mail, web) it is the normalised name.
 */
export type Resolution =
  /** `sinceMs`, where the platform tells it: since when the account has this name, or else since when it exists. */
  | { kind: 'found'; stableId: string; sinceMs?: number }
  /** The name does not exist, or its owner could never collect: suspended, an organisation, a domain without mail. */
  | { kind: 'not-found' }
  /** The platform did not answer in time. */
  | { kind: 'unavailable' };

export type Identity = {
  /** Platforms that this installation can resolve and prove; any other is refused before a price is given. */
  platforms: readonly Platform[];
  /** Never rejects and never takes longer than the time limit of section 1 of the contract. */
  resolve: (recipient: Recipient) => Promise<Resolution>;
  /** Answers from memory alone, for callers who have not paid; null: nothing is remembered. */
  peek: (recipient: Recipient) => Resolution | null;
};

/** Asks one platform once. The signal ends the request; a later answer is ignored. */
export type Resolver = (recipient: Recipient, signal: AbortSignal) => Promise<Resolution>;

/** Valid by form only; their chains tell the rest. */
export type WalletAddresses = Record<Network, string[]>;
