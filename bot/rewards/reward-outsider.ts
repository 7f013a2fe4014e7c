import { markRewardPaid, type RewardCard } from '../../db/rewards/reward-cards.ts';
import { isPaidFor } from '../../core/rewards/distribution-answer.ts';
import type { DistributionNow } from '../requests/rewards.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { rewardsOf } from './reward.ts';

/**
 * Whether an outsider has paid the API directly for a card that waits: everyone who sees the card may, no matter who
 * confirmed it. Then the card is paid, and there is something to show.
 */
export async function findOutsider(
  deps: Pick<CoreDeps, 'rewards' | 'store' | 'clock'>,
  card: RewardCard,
): Promise<boolean> {
  const now = await rewardsOf(deps).read(card.distributionId);
  return now !== null && isPaidFor(now) && noteOutsider(deps, card, now);
}

export function noteOutsider(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  { id }: RewardCard,
  { counts }: DistributionNow,
): Promise<boolean> {
  const waiting = { id, status: 'proposed', header: null } as const;
  return markRewardPaid(store, waiting, { counts, isOurs: false, nowMs: clock.now() });
}
