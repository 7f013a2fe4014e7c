import type { PayoutTarget } from './port.ts';

/** Where the money goes, inside a URL that is signed. */
export function toPayoutQuery(payout: PayoutTarget): URLSearchParams {
  if ('decline' in payout) return new URLSearchParams({ payout: 'decline' });
  if ('keep' in payout) return new URLSearchParams({ payout: 'keep' });
  const { base, solana } = payout;
  return new URLSearchParams({ ...(base === undefined ? {} : { base }), ...(solana === undefined ? {} : { solana }) });
}
