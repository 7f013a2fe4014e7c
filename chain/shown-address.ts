import { getAddress } from 'viem';

/**
 * An address as people compare it: where its case is a checksum (EIP-55), with that, as wallets show it. What is stored,
 * compared and handed to programs stays as the books write it.
 */
export function shownAddress(address: string): string {
  return /^0x[0-9a-f]{40}$/i.test(address) ? getAddress(address) : address;
}
