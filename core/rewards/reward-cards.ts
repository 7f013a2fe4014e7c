/** How a community agrees to a reward for a post before its money moves. */

/** So long a card waits for those who have to confirm it. */
export const REWARD_CARD_MS = 24 * 3_600_000;
/** Up to here one person's word is enough, in micro-USDC. */
export const SMALL_REWARD_MICRO_USDC = 10_000_000n;
/** So long others can reject what somebody confirms who has proposed it himself. */
export const OWN_REWARD_WAIT_MS = 10 * 60_000;
/** A hundred people get 10 USDC each at most. */
export const REWARD_BUDGET_MIN_MICRO_USDC = 10_000n;
export const REWARD_BUDGET_MAX_MICRO_USDC = 1_000_000_000n;

/** How many of a distribution's people have what. */
export type RewardCounts = { paid: number; waiting: number; onTheWay: number; refunded: number; held: number };

/** What is known of those who moderate there. The members of a guild are never listed. */
export type RewardModerators = {
  /** One word is enough for any sum: Telegram lists one administrator, or the guild's owner has decided so. */
  isOneEnough: boolean;
  /** As far as anybody can know, nobody moderates there but whoever asks. */
  isLone: boolean;
};

type Card = { proposedBy: string; budgetMicroUsdc: bigint; createdAtMs: number; expiresAtMs: number };
type Confirmation = { userId: string; confirmedAtMs: number };

export function quorumOf({ budgetMicroUsdc }: Pick<Card, 'budgetMicroUsdc'>, moderators: RewardModerators): 1 | 2 {
  return isSmall(budgetMicroUsdc) || moderators.isOneEnough ? 1 : 2;
}

/** Whether this word counts: in time, and of somebody else than who proposed it, save where he is alone with little. */
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

/** From when a lone moderator may confirm what he has proposed; for more than a little there is no such time. */
export function ownCountsFrom({ createdAtMs }: Pick<Card, 'createdAtMs'>): number {
  return createdAtMs + OWN_REWARD_WAIT_MS;
}

export function isSmall(budgetMicroUsdc: bigint): boolean {
  return budgetMicroUsdc <= SMALL_REWARD_MICRO_USDC;
}
