import { markRewardPaid, type RewardCard } from '../../db/rewards/reward-cards.ts';
import { isPaidFor, type DistributionNow } from '../requests/rewards.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { rewardsOf } from './reward.ts';

/**
 * Whether somebody has paid the API itself for a card that waits, whoever has confirmed it: everybody who sees the card may.
 * Then the card is paid, and there is something to show.
 */
export async function findOutsider(deps: CoreDeps, card: RewardCard): Promise<boolean> {
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
