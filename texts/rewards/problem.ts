import type { RewardMistake } from '../../core/grammar/reward.ts';
import type { MicroUsdc } from '../../core/money.ts';

/** Why a wish about a reward does not go on; the sentences for each stand in `texts/`. */
export type RewardProblem =
  /** Said where two talk alone, or in a chat that knows no communities. */
  | { code: 'elsewhere' }
  /** A small group of Telegram, which would get another number when it grows. */
  | { code: 'small_group' }
  | RewardMistake
  | { code: 'not_decider' }
  /** The platform does not say who runs the community, perhaps because the bot is no member there. */
  | { code: 'standing_unknown' }
  /** Another reward waits to be decided. */
  | { code: 'busy' }
  /** No distribution waits that a person could be left out of. */
  | { code: 'nothing_open' }
  | { code: 'card_over' }
  /** By a wallet, on the page that the card links to. */
  | { code: 'being_paid' }
  /** Who has proposed it does not confirm it; `at`: from when they may; null: never. */
  | { code: 'own'; at: Date | null }
  /** What the API has against it, in its word. */
  | { code: 'refused'; reason: string }
  | { code: 'unreachable' }
  /** No network holds enough. */
  | { code: 'missing'; needed: MicroUsdc; most: MicroUsdc }
  | { code: 'balance_unknown' };
