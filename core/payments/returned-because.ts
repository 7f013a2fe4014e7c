import type { ReturnedBecause, ReturnReason } from '../states.ts';

/**
 * Why a line's money goes back. Before its time, and without a reason of its own, only its payer can have asked for it.
 * `refundedAtMs`: since when it is owed to the payer again.
 */
export function returnedBecause(
  { returnReason, expiresAtMs }: { returnReason: ReturnReason | null; expiresAtMs: number },
  refundedAtMs: number | null,
): ReturnedBecause {
  if (returnReason !== null) return returnReason;
  return refundedAtMs !== null && refundedAtMs < expiresAtMs ? 'taken_back' : 'not_collected';
}
