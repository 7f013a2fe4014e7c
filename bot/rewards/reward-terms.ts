import { REWARD_PLATFORM } from '../../core/rewards/engagement.ts';
import type { AgreedTerms, Challenge } from '../../core/payments/challenge.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { requestHash } from '../../core/request-hash.ts';
import type { RewardCard } from '../../db/rewards/reward-cards.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { checkTerms, type PinnedTerms } from '../shared/terms.ts';

/**
 * What the API asks for a reward, where that is what was pinned and its cost is no more than the moderators have seen on
 * the card and confirmed; else null. What is signed is bound to the request that the
 * terms name, so it can pay for no other distribution.
 */
export function agreeOnReward(
  { log }: Pick<CoreDeps, 'log'>,
  card: RewardCard,
  challenge: Challenge,
  pinned: PinnedTerms,
): { kind: 'agreed'; terms: AgreedTerms; total: MicroUsdc } | null {
  const recipients = card.costMaxMicroUsdc > 0n ? card.preview.count : 0;
  const agreed = checkTerms(challenge, microUsdc(card.budgetMicroUsdc), pinned, recipients);
  if (agreed.kind === 'refused') {
    log.error({ rewardId: card.id, found: agreed.found, wanted: agreed.wanted }, 'price refused');
    return null;
  }
  const cost = agreed.total - card.totalMicroUsdc;
  if (cost > card.costMaxMicroUsdc) {
    log.error({ rewardId: card.id, cost: `${cost}` }, 'a price was refused that asks more for its cost than its card');
    return null;
  }
  if (agreed.terms.extra.requestHash === hashOf(card)) return agreed;
  log.error({ rewardId: card.id }, 'a price was refused that is for another request');
  return null;
}

/** As the API names the request. */
function hashOf({ distributionId }: RewardCard): string {
  return requestHash('rest.confirm-distribution', { platform: REWARD_PLATFORM }, { order_id: distributionId });
}
