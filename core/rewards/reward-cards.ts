/** How a community agrees to a reward for a post before its money moves. */

/** How long a card waits for its confirmations. */
export const REWARD_CARD_MS = 24 * 3_600_000;
/** Up to this sum one confirmation is enough. */
export const SMALL_REWARD_MICRO_USDC = 10_000_000n;
/** How long others can reject a card before its proposer may confirm it alone. */
export const OWN_REWARD_WAIT_MS = 10 * 60_000;
/** A hundred people get 10 USDC each at most. */
export const REWARD_BUDGET_MIN_MICRO_USDC = 10_000n;
export const REWARD_BUDGET_MAX_MICRO_USDC = 1_000_000_000n;

/** How many recipients of a distribution are in each state. */
export type RewardCounts = { paid: number; waiting: number; onTheWay: number; refunded: number; held: number };

/** What is known of a community's moderators. The members of a guild are never listed. */
export type RewardModerators = {
  /** One confirmation is enough for any sum: Telegram lists one administrator, or the guild's owner has set it so. */
  isOneEnough: boolean;
  /** As far as we can know, the person who asks is the only moderator. */
  isLone: boolean;
};

type Card = { proposedBy: string; budgetMicroUsdc: bigint; createdAtMs: number; expiresAtMs: number };
type Confirmation = { userId: string; confirmedAtMs: number };

export function quorumOf({ budgetMicroUsdc }: Pick<Card, 'budgetMicroUsdc'>, moderators: RewardModerators): 1 | 2 {
  return isSmall(budgetMicroUsdc) || moderators.isOneEnough ? 1 : 2;
}

/** Whether a confirmation counts: in time, and not the proposer's own, except a lone moderator's of a small card. */
export function counts(card: Card, moderators: RewardModerators, { userId, confirmedAtMs }: Confirmation): boolean {
  if (confirmedAtMs < card.createdAtMs || confirmedAtMs >= card.expiresAtMs) return false;
  if (userId !== card.proposedBy) return true;
  const hasWaited = confirmedAtMs >= ownCountsFrom(card);
  return moderators.isLone && isSmall(card.budgetMicroUsdc) && hasWaited;
}

/** How many different people have confirmed it in a way that counts. */
export function countConfirmations(
  card: Card,
  moderators: RewardModerators,
  confirmations: readonly Confirmation[],
): number {
  return new Set(
    confirmations.filter((confirmation) => counts(card, moderators, confirmation)).map(({ userId }) => userId),
  ).size;
}

/** When a lone moderator may confirm their own card. Applies to small cards only. */
export function ownCountsFrom({ createdAtMs }: Pick<Card, 'createdAtMs'>): number {
  return createdAtMs + OWN_REWARD_WAIT_MS;
}

export function isSmall(budgetMicroUsdc: bigint): boolean {
  return budgetMicroUsdc <= SMALL_REWARD_MICRO_USDC;
}
