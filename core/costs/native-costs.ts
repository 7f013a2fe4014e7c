import type { Family } from '../networks.ts';

/** What we spend a network's own coin on. `rent` is the cost of an account that we open for its owner. */
export const NATIVE_COSTS = ['settlement', 'payout', 'refund', 'sweep', 'withdrawal', 'rent'] as const;
export type NativeCost = (typeof NATIVE_COSTS)[number];

const WEI_PER_GWEI = 1_000_000_000n;

/** In gwei or lamports, rounded up: a day's wei would outgrow the 64 bits of a counter. */
export function toNativeUnits(family: Family, amount: bigint): bigint {
  switch (family) {
    case 'evm':
      return amount / WEI_PER_GWEI + (amount % WEI_PER_GWEI > 0n ? 1n : 0n);
    case 'svm':
      return amount;
  }
}

/** Equal parts that sum to the whole; the first ones get what does not divide. */
export function equalShares(amount: bigint, count: number): bigint[] {
  const parts = BigInt(count);
  const left = amount % parts;
  const [step, steps] = left < 0n ? [-1n, -left] : [1n, left];
  return Array.from({ length: count }, (_, index) => amount / parts + (BigInt(index) < steps ? step : 0n));
}
