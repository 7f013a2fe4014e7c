/** Rules of addresses that a rotation has replaced. */

/**
 * So long proofs may name a former treasury: far longer than a price, a challenge or a signed proof lives.
 * Afterwards nobody who got hold of an old key gains by paying there.
 */
export const FORMER_TERMS_MS = 24 * 3_600_000;

/** Less is left at a former address: a transfer of it costs about as much, and strangers can send it there at will. */
export const FORMER_SWEEP_MIN_MICRO_USDC = 10_000n;

/** What still names a former address, or lies there. */
export type FormerOpen = {
  /** Micro-USDC that the books have there, and that came there and is not explained yet. */
  held: bigint;
  unexplained: bigint;
  /** Payouts that it has signed, and those that were planned for it. */
  signed: number;
  planned: number;
  /** Payments to it that are not settled, and tasks that may be paid there. */
  payments: number;
  tasks: number;
  /** Payouts whose money came there and may not be swept yet. */
  waiting: number;
  /** Micro-USDC that left it and that no payout or sweep of ours explains, within `TAKEN_SHOWN_MS`. */
  taken: bigint;
};

/** Why a payout is held whose money someone else has taken from there. */
export const FORMER_ADDRESS = 'former_address';

/** Why one is held whose nonce a former address has spent on something else, in a time that these books have lost. */
export const FORMER_NONCE = 'former_nonce';

/** So long the operator is told of what was taken there. */
export const TAKEN_SHOWN_MS = 24 * 3_600_000;

/** Nothing names it any more and nothing of worth lies there. It is scanned and swept all the same, should money come. */
export function isRetired(open: FormerOpen, sinceMs: number, nowMs: number): boolean {
  const { held, unexplained, signed, planned, payments, tasks, waiting, taken } = open;
  const isEmpty = held < FORMER_SWEEP_MIN_MICRO_USDC && unexplained === 0n;
  return (
    isEmpty && signed + planned + payments + tasks + waiting === 0 && taken === 0n && nowMs - sinceMs > FORMER_TERMS_MS
  );
}
