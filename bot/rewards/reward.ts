import { REWARD_CARD_MS } from '../../core/rewards/reward-cards.ts';
import {
  findRewardByRequest,
  noteRewardMessage,
  openReward,
  proposeReward,
  type RewardCard,
} from '../../db/rewards/reward-cards.ts';
import type { NewDistribution, RewardWish as Asked, Rewards } from '../requests/rewards.ts';
import { microUsdc } from '../../core/money.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { RewardWish } from '../../core/grammar/reward.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { askDeciders, type RewardDeciders } from './reward-deciders.ts';
import type { RewardProblem } from '../../texts/rewards/problem.ts';
import { rewardCard, rewardProblemView, showReward } from './reward-views.ts';
import { cardLanguageOf, speaking } from '../conversation/speech.ts';
import { costLineFor, totalFor } from '../shared/terms.ts';
import { findTreasuryPlace, type TreasuryPlace } from '../treasury/treasury-place.ts';
import type { TreasuryReply } from '../treasury/treasury-reply.ts';

/**
 * Puts a card with all shares into the chat. Asking for it confirms nothing. If the card fails to appear, its
 * distribution moves nothing and expires by itself.
 */
export async function answerReward(deps: CoreDeps, event: TextEvent, wish: RewardWish): Promise<TreasuryReply> {
  const refused = (problem: RewardProblem): TreasuryReply => ({ view: rewardProblemView(deps, problem) });
  const found = await findTreasuryPlace(deps, event);
  if (found.kind === 'problem') {
    return refused({ code: found.problem.code === 'small_group' ? 'small_group' : 'elsewhere' });
  }
  const { place } = found;
  const deciders = await askDeciders(deps, place, [event.userId]);
  if (deciders === null) return refused({ code: 'standing_unknown' });
  if (!deciders.deciderIds.includes(event.userId)) return refused({ code: 'not_decider' });
  if (wish.do === 'unreadable') return refused(wish.problem);
  const known = await findRewardByRequest(deps.store, requestKeyOf(event));
  const card = known ?? (await propose(deps, event, { place, wish, deciders }));
  if ('code' in card) return refused(card);
  return {
    view: await rewardCard(speaking(deps, card.language), card),
    shown: (messageId) => noteRewardMessage(deps.store, card.id, messageId),
  };
}

type Wanted = { place: TreasuryPlace; wish: Exclude<RewardWish, { do: 'unreadable' }>; deciders: RewardDeciders };

async function propose(deps: CoreDeps, event: TextEvent, wanted: Wanted): Promise<RewardCard | RewardProblem> {
  const { store, clock } = deps;
  const { place, wish } = wanted;
  const open = await openReward(store, place.walletId, clock.now());
  if (open === null && wish.do === 'exclude') return { code: 'nothing_open' };
  if (open !== null && wish.do === 'propose') return { code: 'busy' };
  const asked = wish.do === 'propose' ? wish : fewerThan(open, wish.names);
  const made = await make(deps, asked, place.walletId);
  if ('code' in made) return made;
  const proposed = await proposeReward(store, await toCard(deps, event, { ...wanted, asked, made }), open?.id ?? null);
  if (proposed.kind === 'proposed') {
    if (proposed.replaced !== null) await showReward(deps, proposed.replaced);
    if (proposed.card.distributionId === made.id) return proposed.card;
  }
  await rewardsOf(deps).reject(made.id);
  if (proposed.kind === 'proposed') return proposed.card;
  return { code: proposed.kind === 'busy' ? 'busy' : 'card_over' };
}

/** The same post and sum again, without these people as well. */
function fewerThan(open: RewardCard | null, names: readonly string[]): Asked {
  if (open === null) throw new Error('nobody can be left out of a card that is not there');
  const { post, budgetMicroUsdc, excluded } = open;
  return { post, budget: microUsdc(budgetMicroUsdc), excluded: [...new Set([...excluded, ...names])] };
}

async function make(
  deps: Pick<CoreDeps, 'networks' | 'log' | 'rewards'>,
  asked: Asked,
  walletId: string,
): Promise<NewDistribution | RewardProblem> {
  const answer = await rewardsOf(deps).create(asked, walletId);
  if (answer.kind === 'unreachable') return { code: 'unreachable' };
  if (answer.kind === 'refused') return { code: 'refused', reason: answer.reason };
  const { made } = answer;
  const wrong = deps.networks.find(({ pinned }) => totalFor(asked.budget, pinned) !== made.total);
  if (wrong === undefined) return made;
  deps.log.error({ network: wrong.network, found: made.total }, 'the price of a distribution is not what was agreed');
  await rewardsOf(deps).reject(made.id);
  return { code: 'refused', reason: 'price_not_agreed' };
}

async function toCard(
  deps: Pick<CoreDeps, 'clock' | 'networks' | 'random' | 'store'>,
  event: TextEvent,
  { place, deciders, asked, made }: Wanted & { asked: Asked; made: NewDistribution },
): Promise<Parameters<typeof proposeReward>[1]> {
  const nowMs = deps.clock.now();
  return {
    id: `reward_${Buffer.from(deps.random(18)).toString('base64url')}`,
    requestKey: requestKeyOf(event),
    distributionId: made.id,
    ...place,
    chatId: event.chatId,
    language: await cardLanguageOf(deps, event),
    proposedBy: event.userId,
    post: asked.post,
    excluded: [...asked.excluded],
    preview: made.preview,
    budgetMicroUsdc: made.budget,
    totalMicroUsdc: made.total,
    costMaxMicroUsdc: deps.networks.reduce<bigint>((most, { pinned }) => {
      const line = costLineFor(pinned, made.preview.count);
      return line > most ? line : most;
    }, 0n),
    ...deciders.moderators,
    createdAtMs: nowMs,
    expiresAtMs: Math.min(made.expiresAtMs, nowMs + REWARD_CARD_MS),
  };
}

function requestKeyOf({ transport, eventId }: TextEvent): string {
  return `${transport}:${eventId}`;
}

export function rewardsOf({ rewards }: Pick<CoreDeps, 'rewards'>): Rewards {
  if (!rewards) throw new Error('a reward is worked on, and this bot offers none');
  return rewards;
}
