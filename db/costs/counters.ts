import type { MailShare } from '../../core/costs/mails.ts';
import type { Network } from '../../core/networks.ts';

/** What a day has cost, in gwei or lamports. Rent is apart, because its limit is a number of accounts. */
export const costCounters = {
  gas: (network: Network, day: string) => `native:${network}:${day}`,
  rent: (network: Network, day: string) => `rent:${network}:${day}`,
  mails: (share: MailShare, day: string) => `mails:${share}:${day}`,
  /** `identityId`: counters survive an erasure, so no name stands in them. */
  purseMails: (identityId: string, day: string) => `mails:purse:${day}:${identityId}`,
};
