import type { PayoutTarget } from './port.ts';

/** Lines for a person who has to recognise his own address. */
export function describePayout(payout: PayoutTarget): string[] {
  if ('decline' in payout) return ['back to whoever sent it, because you do not want it'];
  if ('keep' in payout) return ['stays here for you, in a wallet of your own on this service'];
  return [
    ...(payout.base === undefined ? [] : [`${payout.base} (on Base)`]),
    ...(payout.solana === undefined ? [] : [`${payout.solana} (on Solana)`]),
  ];
}

/** The same inside a URL that is signed. */
export function toPayoutQuery(payout: PayoutTarget): URLSearchParams {
  if ('decline' in payout) return new URLSearchParams({ payout: 'decline' });
  if ('keep' in payout) return new URLSearchParams({ payout: 'keep' });
  const { base, solana } = payout;
  return new URLSearchParams({ ...(base === undefined ? {} : { base }), ...(solana === undefined ? {} : { solana }) });
}
