import { getAddress } from 'viem';
import type { PayoutTarget } from '../core/claims/claims.ts';
import { NETWORKS } from '../core/networks.ts';

/**
 * An address as people compare it: where its case is a checksum (EIP-55), with that, as wallets show it. What is stored,
 * compared and handed to programs stays as the books write it.
 */
export function shownAddress(address: string): string {
  return /^0x[0-9a-f]{40}$/i.test(address) ? getAddress(address) : address;
}

/** `0x1234…abcd`. */
export function shortAddress(address: string): string {
  const shown = shownAddress(address);
  return `${shown.slice(0, 6)}…${shown.slice(-4)}`;
}

/** Each address of a claim as people compare it; what goes to none stays as it is. */
export function shownPayout(payout: PayoutTarget): PayoutTarget {
  if ('keep' in payout || 'open' in payout || 'decline' in payout) return payout;
  const shown = NETWORKS.flatMap((network) => {
    const address = payout[network];
    return address === undefined ? [] : [[network, shownAddress(address)] as const];
  });
  return Object.fromEntries(shown);
}
