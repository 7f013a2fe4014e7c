import { isSmall, ownCountsFrom } from '../../core/rewards/reward-cards.ts';
import { microUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import { confirmReward, type RewardConfirmed, type RewardPress } from '../../db/rewards/reward-confirm.ts';
import { confirmationsOf, findReward, rejectReward, type RewardCard } from '../../db/rewards/reward-cards.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PressEvent } from '../shared/messenger.ts';
import { askDeciders } from './reward-deciders.ts';
import { findFunded } from './reward-money.ts';
import { findOutsider } from './reward-outsider.ts';
import type { RewardProblem } from '../../texts/rewards/problem.ts';
import { rewardProblemView, showReward } from './reward-views.ts';
import { findTreasuryPlace } from '../treasury/treasury-place.ts';

/** A round fails only when another moderator confirms meanwhile. */
const ROUNDS_MAX = 20;

/** `refusal`: for the person who pressed; null where the card itself shows it. `run`: there is something to do now. */
export type PressedReward = { refusal: View | null; run: boolean };

/** Checks everything again: the card may be a day old, and anyone may press. */
export async function pressConfirmReward(deps: CoreDeps, event: PressEvent, id: string): Promise<PressedReward> {
  const card = await findCard(deps, id);
  const refused = (problem: RewardProblem): PressedReward => ({
    refusal: rewardProblemView(deps, problem),
    run: false,
  });
  const problem = await findPlaceProblem(deps, event, card);
  if (problem !== null) return refused(problem);
  if (isPaidByLink(card)) return refused({ code: 'being_paid' });
  if (card.status !== 'proposed') return over(deps, card);
  const pressed = await confirmWithStanding(deps, event, card);
  if ('code' in pressed) return refused(pressed);
  if (pressed.kind === 'over') return over(deps, await findCard(deps, id));
  // Checked before the chat is asked for money that nobody needs.
  if (pressed.kind === 'unfunded' && (await findOutsider(deps, card))) return { refusal: null, run: true };
  await showReward(deps, await findCard(deps, id));
  if (pressed.kind === 'unfunded') return refused(pressed.missing);
  return { refusal: null, run: pressed.kind === 'confirmed' };
}

export async function pressRejectReward(deps: CoreDeps, event: PressEvent, id: string): Promise<PressedReward> {
  const { store, clock } = deps;
  const card = await findCard(deps, id);
  const refused = (problem: RewardProblem): PressedReward => ({
    refusal: rewardProblemView(deps, problem),
    run: false,
  });
  const problem = await findPlaceProblem(deps, event, card);
  if (problem !== null) return refused(problem);
  const deciders = await askDeciders(deps, card, [event.userId]);
  if (deciders === null) return refused({ code: 'standing_unknown' });
  if (!deciders.deciderIds.includes(event.userId)) return refused({ code: 'not_decider' });
  // The payment may still fail, and a rejection now would be lost.
  if (isPaidByLink(card)) return refused({ code: 'being_paid' });
  const rejected = await rejectReward(store, id, { userId: event.userId, nowMs: clock.now() });
  if (rejected === null) return over(deps, await findCard(deps, id));
  await showReward(deps, rejected);
  return { refusal: null, run: true };
}

type Missing = Extract<RewardProblem, { code: 'missing' }>;
type Confirmed =
  | Exclude<RewardConfirmed, { kind: 'ask_again' | 'own' | 'unfunded' }>
  | { kind: 'unfunded'; missing: Missing }
  | RewardProblem;

/** Asks the platform about all who have confirmed, and about those who do so meanwhile. */
async function confirmWithStanding(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'messengers' | 'log' | 'networks'>,
  event: PressEvent,
  card: RewardCard,
): Promise<Confirmed> {
  const { store, clock } = deps;
  const { id } = card;
  const { userId } = event;
  let money: Money | null = null;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const confirmations = await confirmationsOf(store.read, store.tables, id);
    const askedIds = [...new Set([userId, ...confirmations.map((confirmation) => confirmation.userId)])];
    const deciders = await askDeciders(deps, card, askedIds);
    if (deciders === null) return { code: 'standing_unknown' };
    if (!deciders.deciderIds.includes(userId)) return { code: 'not_decider' };
    // Networks are asked only for those who decide, and only they learn what the treasury has.
    money ??= await findMoney(deps, card);
    if ('code' in money) return money;
    const { paying, missing } = money;
    const result = await confirmReward(store, { id, userId, askedIds, ...deciders, paying, nowMs: clock.now() });
    switch (result.kind) {
      case 'own':
        return ownProblem(card, deciders.moderators.isLone);
      case 'ask_again':
        break;
      case 'unfunded':
        if (missing === null) throw new Error(`the reward ${id} lacks money, and its treasury has enough`);
        return { kind: 'unfunded', missing };
      case 'recorded':
      case 'confirmed':
      case 'over':
        return result;
    }
  }
  throw new Error(`${ROUNDS_MAX} others have confirmed the reward ${id} while one confirmed it`);
}

type Money = { paying: RewardPress['paying']; missing: Missing | null } | RewardProblem;

/** Too little money is no reason to refuse a confirmation: money may come, and anyone may pay by the card's link. */
async function findMoney(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  { walletId, budgetMicroUsdc, preview }: RewardCard,
): Promise<Money> {
  const wanted = { budget: microUsdc(budgetMicroUsdc), recipients: preview.count };
  const found = await findFunded(deps, walletId, wanted);
  if ('code' in found) return found.code === 'missing' ? { paying: null, missing: found } : found;
  const { network, addressOf } = found;
  return { paying: { network, payerAddress: await addressOf(walletId) }, missing: null };
}

function ownProblem(card: RewardCard, isLone: boolean): RewardProblem {
  const mayLater = isLone && isSmall(card.budgetMicroUsdc);
  return { code: 'own', at: mayLater ? new Date(ownCountsFrom(card)) : null };
}

/** A card may have been forwarded to where its presser is a moderator. */
async function findPlaceProblem(
  deps: Pick<CoreDeps, 'store' | 'clock'>,
  event: PressEvent,
  { walletId }: RewardCard,
): Promise<RewardProblem | null> {
  const found = await findTreasuryPlace(deps, event);
  const isHere = found.kind === 'place' && found.place.walletId === walletId;
  return isHere ? null : { code: 'not_decider' };
}

/** A process may have ended before it could show how the card ended, so it is shown again. */
async function over(deps: CoreDeps, card: RewardCard): Promise<PressedReward> {
  if (card.status !== 'proposed') await showReward(deps, card);
  const code = isPaidByLink(card) ? 'being_paid' : 'card_over';
  return { refusal: rewardProblemView(deps, { code }), run: true };
}

/** That may still come to nothing, and then the card waits again. */
const isPaidByLink = ({ viaLink, status }: RewardCard): boolean => viaLink === true && status === 'signed';

async function findCard({ store }: Pick<CoreDeps, 'store'>, id: string): Promise<RewardCard> {
  const card = await findReward(store, id);
  if (card === null) throw new Error(`a button is about the card ${id} of a reward, which is not there`);
  return card;
}
