import { LIMIT_REASONS } from '../states.ts';

/** The values of `transfers.held_reason` that pass without the operator. */
const PASSING_REASONS = [...LIMIT_REASONS, 'no_token_account', 'account_quota'] as const;
export type PassingReason = (typeof PASSING_REASONS)[number];

/** Null for a reason that only the operator can clear. */
export function findPassing(reason: string | null): PassingReason | null {
  return PASSING_REASONS.find((passing) => passing === reason) ?? null;
}
