import type { Network } from '../networks.ts';

/** What the operator carries on one network. Units are gwei or lamports. */
export type CostRules = {
  /** What a day may cost in all; null: without a limit. */
  dailyUnits: bigint | null;
  /** What a payment beyond the free allowance pays for its cost; 0: nothing, and the network leaves the terms. */
  lineMicroUsdc: bigint;
};

/**
 * What a payment with one recipient costs us in all, settlement and payout: docs/decisions.md has the measured numbers. A
 * free payment takes this from the day's budget, and one that pays its cost has bought it; what it costs beyond that
 * counts against the day.
 */
const EXPECTED: Readonly<Record<Network, bigint>> = { base: 5_000n, solana: 20_000n, polygon: 40_000_000n };

/** Whether a price is higher by exactly the cost of a payment with at most this many recipients. */
export function isCostLine(rules: Pick<CostRules, 'lineMicroUsdc'>, extra: bigint, linesMax: number): boolean {
  return Array.from({ length: linesMax }, (_, index) => forLines(rules.lineMicroUsdc, index + 1)).includes(extra);
}

/** Half of the cost is the settlement, which all recipients of a payment share. */
const forLines = (amount: bigint, lines: number): bigint => (amount * BigInt(1 + lines) + 1n) / 2n;

export const expectedCost = (network: Network, lines: number): bigint => forLines(EXPECTED[network], lines);

export const costLine = ({ lineMicroUsdc }: Pick<CostRules, 'lineMicroUsdc'>, lines: number): bigint =>
  forLines(lineMicroUsdc, lines);

/**
 * In hundredths of the day's budget. The rest is for refunds, withdrawals and what costs more than expected. `agreed`: a
 * task, whose price was fixed when it was opened.
 */
const SHARES = { small: 20n, unproven: 40n, proven: 80n, agreed: 90n } as const;
export type CostShare = keyof typeof SHARES;

/** Below it a payment is worth little more than its cost. */
const SMALL_MICRO_USDC = 100_000n;

/**
 * How much of the day may be used up before this payment pays for itself. Wallets and names are free to make, so a new or
 * rare one earns nothing: what counts is the value at stake, and accounts that their platform has known for long.
 */
export function shareOf({
  sumMicroUsdc,
  isProven,
}: {
  sumMicroUsdc: bigint;
  isProven: boolean;
}): Exclude<CostShare, 'agreed'> {
  if (isProven) return 'proven';
  return sumMicroUsdc < SMALL_MICRO_USDC ? 'small' : 'unproven';
}

export const shareCap = (dailyUnits: bigint, share: CostShare): bigint => (dailyUnits * SHARES[share]) / 100n;

/**
 * Money of one payer in the last 24 hours. `returned`: what went to their own wallet or person at once or, if more, what
 * came back from the single wallet that sent most of it.
 */
export type RoundTrips = { paidMicroUsdc: bigint; returnedMicroUsdc: bigint; returnedCount: number };

/** Enough for a newcomer to try it with their own wallet. */
const RETURNS_FREE = 3;

/** A payer who mostly moves money in a circle pays the cost. In a group, less than half comes back from any one member. */
export function movesInCircles({ paidMicroUsdc, returnedMicroUsdc, returnedCount }: RoundTrips): boolean {
  return returnedCount >= RETURNS_FREE && returnedMicroUsdc * 2n >= paidMicroUsdc;
}
