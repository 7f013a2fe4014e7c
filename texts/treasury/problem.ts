import type { WithdrawProblem } from '../withdrawals/problem.ts';

/** Why a wish about a treasury does not go on; the sentences for each stand in `texts/`. */
export type TreasuryProblem =
  /** Said where two talk alone, or in a chat that knows no communities. */
  | { code: 'elsewhere' }
  /** A small group of Telegram, which would get another number when it grows. */
  | { code: 'small_group' }
  | { code: 'unreadable'; found: string }
  | { code: 'not_owner' }
  | { code: 'not_moderator' }
  | { code: 'no_owner' }
  /** The platform does not say who runs the community, perhaps because the bot is no member there. */
  | { code: 'standing_unknown' }
  | { code: 'which_network' }
  | { code: 'no_address'; place: string }
  | { code: 'address_waits'; place: string; at: Date }
  /** Another withdrawal waits to be decided. */
  | { code: 'busy' }
  /** It counts already, or another moderator was faster. */
  | { code: 'address_over' }
  | { code: 'card_over' }
  | { code: 'limited' }
  | { code: 'withdraw'; problem: WithdrawProblem };
