import { reopenByLink } from '../../db/bot/reward-links.ts';
import {
  findReward,
  markRewardFailed,
  markRewardPaid,
  markRewardSigned,
  noteRewardLook,
  reopenReward,
  type RewardCard,
} from '../../db/bot/reward-cards.ts';
import { askPrice, sendUntilKnown } from '../../client/channel.ts';
import type { RewardPaid } from '../rewards.ts';
import type { CoreDeps } from './dependencies.ts';
import { isPast, OVER, readPast } from './header-end.ts';
import type { PayingNetwork } from './networks.ts';
import { signOrder } from './order-signing.ts';
import { rewardsOf } from './reward.ts';
import { noteOutsider } from './reward-outsider.ts';
import { agreeOnReward } from './reward-terms.ts';
import { showReward } from './reward-views.ts';
import { sameAddress } from './terms.ts';

/** Older than this, those who confirmed it no longer expect it to be paid: nothing is signed for it any more. */
const FRESH_LIMIT_MS = 15 * 60_000;
/** Within the life of a header. */
const SEND_LIMIT_MS = 180_000;
const AGAIN_MS = 5_000;
/** What is refused is refused sooner. */
const SHOWN_AFTER_MS = 2_000;

/**
 * Price, check, signature. Nothing here can charge anybody: a header that is not stored is never sent. False: it has to
 * wait, and is looked at again.
 */
export async function prepareReward(deps: CoreDeps, card: RewardCard): Promise<boolean> {
  const { store, clock } = deps;
  const fail = async (failure: string) => {
    await markRewardFailed(store, card, { failure, nowMs: clock.now() });
    return true;
  };
  if (!isFresh(deps, card)) return fail('took_too_long');
  const paying = findPaying(deps, card);
  if (paying === null || card.payerAddress === null) return fail('network_off');
  const price = await askPrice(channelOf(deps, card), clock);
  switch (price.kind) {
    case 'paid':
      return markPaid(deps, card, price);
    case 'busy':
    case 'unreachable':
      return later(deps, card);
    case 'refused':
      return fail(price.reason);
    case 'price':
      break;
  }
  const { challenge } = price;
  const { pinned } = paying;
  const agreed = agreeOnReward(deps, card, challenge, pinned);
  if (agreed === null) return fail('price_not_agreed');
  deps.failpoint?.('reward.after-price');
  const { signer } = deps;
  const signed = await signOrder(
    deps,
    { id: card.id, payerAddress: card.payerAddress },
    { pinned, challenge, agreed },
    { signBase: signer.signRewardBase, signSolana: signer.signRewardSolana },
  );
  if (signed === null) return fail('not_signed');
  await markRewardSigned(store, card.id, signed.header, signed.end);
  deps.failpoint?.('reward.after-sign');
  return true;
}

/** Sends the stored header. False: its fate is still open, and only this header is sent again. */
export async function sendReward(deps: CoreDeps, card: RewardCard): Promise<boolean> {
  if (card.header === null) throw new Error(`the reward ${card.id} is signed and has no header`);
  deps.failpoint?.('reward.before-present');
  return card.viaLink === true ? sendOfLink(deps, card, card.header) : present(deps, card, card.header);
}

/**
 * Paid on a page, so no press has shown it; and anybody can come there with what is refused at once, which is no news for a
 * chat. It must not wait for a chat that takes nothing.
 */
async function sendOfLink(deps: CoreDeps, card: RewardCard, header: string): Promise<boolean> {
  const { clock } = deps;
  const chat: { isAnswered: boolean; showing: Promise<void> | null } = { isAnswered: false, showing: null };
  void clock.sleep(SHOWN_AFTER_MS).then(() => {
    if (!chat.isAnswered) chat.showing = showSafely(deps, card);
  }, ignoreEnd);
  // Also by an earlier process.
  const mayBeShown = () => chat.showing !== null || clock.now() - (card.endedAtMs ?? 0) >= SHOWN_AFTER_MS;
  const isDone = await present(deps, card, header, mayBeShown);
  chat.isAnswered = true;
  await chat.showing;
  return isDone;
}

/** This process ends, and another one shows it. */
const ignoreEnd = (): void => undefined;

/** `mayBeShown`: whether the chat may say that it is being paid. */
async function present(deps: CoreDeps, card: RewardCard, header: string, mayBeShown = () => true): Promise<boolean> {
  const channel = channelOf(deps, card);
  const answer = await sendUntilKnown(() => channel.send(header), { clock: deps.clock, limitMs: SEND_LIMIT_MS });
  switch (answer.kind) {
    case 'paid':
      deps.failpoint?.('reward.after-answer');
      return markPaid(deps, card, answer);
    case 'refused':
      return card.viaLink === true
        ? reopen(deps, card, { header, refusal: answer.reason, isShown: mayBeShown() })
        : endRefused(deps, card, header, answer.reason);
    case 'pending':
      deps.log.warn({ rewardId: card.id }, 'payment still open; the same header will be sent again');
      return later(deps, card);
  }
}

/** What a wallet paid by the link came to nothing, so the card waits again as before, and its page says why. */
async function reopen(
  deps: CoreDeps,
  card: RewardCard,
  refused: { header: string; refusal: string; isShown: boolean },
): Promise<true> {
  deps.failpoint?.('reward.before-reopen');
  await reopenByLink(deps.store, card, { ...refused, nowMs: deps.clock.now() });
  deps.failpoint?.('reward.after-reopen');
  return true;
}

/** The newest of the card: it shows itself again where it has changed meanwhile. */
async function showSafely(deps: CoreDeps, { id }: RewardCard): Promise<void> {
  try {
    const card = await findReward(deps.store, id);
    if (card !== null) await showReward(deps, card);
  } catch (error) {
    deps.log.warn({ rewardId: id, error: String(error) }, 'the card of a reward could not be shown');
  }
}

/** Somebody else may have been faster, although a header was signed here: then that one is charged for nothing. */
async function markPaid(deps: CoreDeps, card: RewardCard, { now, payer }: RewardPaid): Promise<boolean> {
  const { network, payerAddress } = card;
  const isNetwork = network === 'base' || network === 'solana';
  const isOurs = payer === null || payerAddress === null || !isNetwork || sameAddress(network, payer, payerAddress);
  const isMoved = await markRewardPaid(deps.store, card, { counts: now.counts, isOurs, nowMs: deps.clock.now() });
  // Another process was told that this header is refused, a moment before it was not.
  if (!isMoved) await noteOutsider(deps, card, now);
  deps.failpoint?.('reward.after-paid');
  return true;
}

/** As for an order: a header that is over, and that the API refuses as over, gives way to a new one while it is fresh. */
async function endRefused(deps: CoreDeps, card: RewardCard, header: string, reason: string): Promise<boolean> {
  const { store, clock } = deps;
  const paying = findPaying(deps, card);
  const past = OVER.includes(reason) && paying !== null ? await readPast(deps, paying) : null;
  const isOver = past !== null && isPast(card, past);
  // The API sees an end some seconds before it is certain.
  if (past !== null && !isOver) return later(deps, card);
  if (isOver && isFresh(deps, card) && (await reopenReward(store, card.id, header, past))) return true;
  const failure = isOver ? 'took_too_long' : reason;
  await markRewardFailed(store, card, { failure, nowMs: clock.now() });
  return true;
}

function channelOf(deps: CoreDeps, { id, distributionId, viaLink }: RewardCard) {
  return rewardsOf(deps).channel({ id: distributionId, key: id, isAnybodys: viaLink === true });
}

async function later({ store, clock }: CoreDeps, { id }: RewardCard): Promise<boolean> {
  await noteRewardLook(store, id, { nextLookAtMs: clock.now() + AGAIN_MS });
  return false;
}

function findPaying({ networks }: Pick<CoreDeps, 'networks'>, { network }: RewardCard): PayingNetwork | null {
  return networks.find((one) => one.network === network) ?? null;
}

function isFresh({ clock }: Pick<CoreDeps, 'clock'>, { endedAtMs }: RewardCard): boolean {
  return endedAtMs !== null && clock.now() - endedAtMs < FRESH_LIMIT_MS;
}
