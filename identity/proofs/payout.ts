import { NETWORKS } from '../../core/networks.ts';
import type { PayoutTarget } from './port.ts';

/** The payout inside a URL that is signed. */
export function toPayoutQuery(payout: PayoutTarget): URLSearchParams {
  if ('decline' in payout) return new URLSearchParams({ payout: 'decline' });
  if ('open' in payout) return new URLSearchParams({ payout: 'open' });
  if ('keep' in payout) return new URLSearchParams({ payout: 'keep' });
  return new URLSearchParams(
    NETWORKS.flatMap((network): [string, string][] => {
      const address = payout[network];
      return address === undefined ? [] : [[network, address]];
    }),
  );
}
