import type { Platform } from '../core/platforms.ts';
import type { Recipient } from '../core/recipients/recipient.ts';

/**
 * The port to who owns a name. `stableId` is the provider's user id, which outlives a change of handle; where the name
 * is the identity (e-mail, web) it is the normalised name.
 */
export type Resolution =
  | { kind: 'found'; stableId: string }
  | { kind: 'not-found' }
  /** The platform did not answer in time. */
  | { kind: 'unavailable' };

export type Identity = {
  /** Platforms that this installation can resolve and prove; any other is refused before money is asked for. */
  platforms: readonly Platform[];
  resolve: (recipient: Recipient) => Promise<Resolution>;
};
