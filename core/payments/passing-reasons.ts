import { LIMIT_REASONS } from '../states.ts';

/** What keeps money back and goes away by itself, in the words of `payouts.held_reason`. */
const PASSING_REASONS = [...LIMIT_REASONS, 'no_token_account'] as const;
export type PassingReason = (typeof PASSING_REASONS)[number];

/** Null for what goes on only when the operator has looked at it. */
export function findPassing(reason: string | null): PassingReason | null {
  return PASSING_REASONS.find((passing) => passing === reason) ?? null;
}
