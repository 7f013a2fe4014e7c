import type { MicroUsdc } from '../../core/money.ts';

/** Why a tip does not go on as it is, in a community whose moderators have decided so; the sentences stand in `texts/`. */
export type RuleProblem =
  | { code: 'banned' }
  /** `names`: where tips are allowed; `more`: so many other places. */
  | { code: 'other_channel'; names: readonly string[]; more: number }
  | { code: 'no_notes' }
  | { code: 'below_min' | 'above_max'; limit: MicroUsdc }
  | { code: 'too_soon'; endsAtMs: number };
