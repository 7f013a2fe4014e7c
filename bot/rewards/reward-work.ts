import {
  dueRewards,
  expireReward,
  findReward,
  markRewardPaid,
  noteRewardLook,
  type RewardCard,
} from '../../db/rewards/reward-cards.ts';
import { restReward } from '../../db/rewards/reward-links.ts';
import { createRunner, type Runner } from '../../queue/runner.ts';
import { LOOK_PACE } from '../shared/clock.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { prepareReward, sendReward } from './reward-paying.ts';
import { rewardsOf } from './reward.ts';
import { showReward } from './reward-views.ts';

/** Each step moves the card on; a renewed header takes two more. */
const STEPS_MAX = 20;
const AT_ONCE = 50;
/** Payouts take seconds; after that the counts are read now and then. */
const LOOK_EVERY_MS = 2_000;
const LOOKS_MAX = 30;
const LATER_MS = 5 * 60_000;
/** A card that a dead process followed is taken up after this time; a live process extends it with each look. */
const TAKEN_UP_MS = 10_000;
/** What has not ended by then is reported on the distribution's page alone. */
const FOLLOWED_MS = 24 * 3_600_000;
const END_AGAIN_MS = 60_000;
/** After something unforeseen. */
const TROUBLE_MS = 5_000;

/**
 * Carries rewards from the last confirmation needed to the last count: confirmed → signed → paid | failed. The row holds
 * all that counts, so it may stop anywhere, and another process takes it up.
 */
export function createRewardWork(deps: CoreDeps): Runner {
  const { store, log } = deps;
  return createRunner({
    ...deps,
    name: 'rewards',
    due: async (nowMs, limit, except) =>
      deps.rewards ? dueRewards(store, nowMs, limit, except) : { items: [], nextDueAtMs: null },
    step: (cardId) => runReward(deps, cardId),
    async putOff(cardId, error) {
      log.error({ rewardId: cardId, error: String(error) }, 'reward interrupted; it stays open');
      await putOff(deps, cardId);
    },
    concurrency: AT_ONCE,
    pace: LOOK_PACE,
  });
}

async function runReward(deps: CoreDeps, cardId: string): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const card = await findReward(deps.store, cardId);
    if (!card) throw new Error(`there is no card ${cardId} of a reward`);
    if (card.nextLookAtMs === null) return;
    switch (card.status) {
      case 'proposed':
        if (card.expiresAtMs > deps.clock.now()) return showWaiting(deps, card);
        await expireReward(deps.store, cardId, deps.clock.now());
        break;
      case 'confirmed':
        if ((await prepareReward(deps, card)) === 'waits') return;
        break;
      case 'signed':
        if ((await sendReward(deps, card)) === 'waits') return;
        break;
      case 'paid':
        return follow(deps, card);
      case 'failed':
      case 'rejected':
      case 'replaced':
      case 'expired':
        if (await end(deps, card)) return;
        break;
    }
  }
  throw new Error(`the reward ${cardId} did not end within ${STEPS_MAX} steps`);
}

/** A payment by its link came to nothing, and the chat may have heard of it. */
async function showWaiting(deps: CoreDeps, card: RewardCard): Promise<void> {
  const isDue = card.nextLookAtMs !== null && card.nextLookAtMs < card.expiresAtMs;
  if (!isDue) return;
  await showReward(deps, card);
  await restReward(deps.store, card);
}

/**
 * Nobody may pay for what a community rejected or could not pay. Where the API is away, it is asked later. False where
 * an outsider has paid already: then the card says that instead.
 */
async function end(deps: CoreDeps, card: RewardCard): Promise<boolean> {
  const { store, clock } = deps;
  deps.failpoint?.('reward.before-end');
  // Before it is shown: a chat that accepts nothing must not keep it open.
  const fate = await rewardsOf(deps).reject(card.distributionId);
  if (fate.kind === 'paid') {
    const paid = { counts: fate.now.counts, isOurs: false, nowMs: clock.now() };
    if (await markRewardPaid(store, card, paid)) return false;
  }
  await showReward(deps, card);
  deps.failpoint?.('reward.after-end');
  const isLast = fate.kind === 'over' || clock.now() >= card.expiresAtMs + FOLLOWED_MS;
  await noteRewardLook(store, card.id, { nextLookAtMs: isLast ? null : clock.now() + END_AGAIN_MS });
  return true;
}

/** A card that fails each time must not block all others for good; one that ended two days ago is dropped. */
async function putOff({ store, clock }: Pick<CoreDeps, 'store' | 'clock'>, cardId: string): Promise<void> {
  const card = await findReward(store, cardId);
  const isOver = card !== null && IS_OVER[card.status];
  const isOld = isOver && clock.now() >= card.expiresAtMs + FOLLOWED_MS;
  const nextLookAtMs = clock.now() + (isOver ? END_AGAIN_MS : TROUBLE_MS);
  await noteRewardLook(store, cardId, { nextLookAtMs: isOld ? null : nextLookAtMs });
}

/** Nothing is decided or sent for it any more. */
const IS_OVER: Readonly<Record<RewardCard['status'], boolean>> = {
  proposed: false,
  confirmed: false,
  signed: false,
  paid: true,
  failed: true,
  rejected: true,
  expired: true,
  replaced: true,
};

/**
 * Edits the card with each new count: until everyone has their share, or for a day. Nothing may be on its way for a
 * moment, until the worker finds where to pay a recipient; recipients who have to collect may do so later.
 */
async function follow(deps: CoreDeps, card: RewardCard): Promise<void> {
  const { store, clock } = deps;
  const paidAtMs = card.paidAtMs ?? clock.now();
  deps.failpoint?.('reward.before-end');
  await showReward(deps, card);
  let { counts } = card;
  const isNew = clock.now() - paidAtMs < LOOKS_MAX * LOOK_EVERY_MS;
  const looksMax = isNew ? LOOKS_MAX : 1;
  for (let looks = 0; looks < looksMax; looks++) {
    if (looks > 0) await clock.sleep(LOOK_EVERY_MS);
    const now = await rewardsOf(deps).read(card.distributionId);
    if (now?.counts && JSON.stringify(now.counts) !== JSON.stringify(counts)) {
      ({ counts } = now);
      // Stored before it is shown, so another process that shows the card now finds it in the row.
      await noteRewardLook(store, card.id, { nextLookAtMs: clock.now(), counts: now.counts });
      await showReward(deps, { ...card, counts });
    }
    const isLast = now?.status === 'completed' || clock.now() - paidAtMs >= FOLLOWED_MS;
    deps.failpoint?.('reward.after-end');
    const pauseMs = looks === looksMax - 1 ? LATER_MS : TAKEN_UP_MS;
    await noteRewardLook(store, card.id, { nextLookAtMs: isLast ? null : clock.now() + pauseMs });
    if (isLast) return;
  }
}
