import type { ReturnedBecause, ReturnReason } from '../states.ts';

/**
 * Why a line's money goes back. Null where nothing tells: before its time and without a reason of its own, as after a
 * restore. `refundedAtMs`: since when it is owed to the payer again.
 */
export function returnedBecause(
  { returnReason, expiresAtMs }: { returnReason: ReturnReason | null; expiresAtMs: number },
  refundedAtMs: number | null,
): ReturnedBecause | null {
  if (returnReason !== null) return returnReason;
  return refundedAtMs !== null && refundedAtMs < expiresAtMs ? null : 'not_collected';
}
