import { reopenByLink } from '../../db/rewards/reward-links.ts';
import {
  findReward,
  markRewardFailed,
  markRewardPaid,
  markRewardSigned,
  noteRewardCost,
  noteRewardLook,
  reopenReward,
  type RewardCard,
} from '../../db/rewards/reward-cards.ts';
import { prepareCharge, presentCharge, type OwnPayable, type Payable, type Step } from '../../client/charge.ts';
import type { Channel } from '../../client/channel.ts';
import type { Refused } from '../../client/refusal.ts';
import { CHARGES } from '../../core/payments/charge.ts';
import { sameAddress, networkNamed } from '../../core/networks.ts';
import type { RewardPaid } from '../requests/rewards.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { watchEnd } from '../paying/header-end.ts';
import { signHeader, type ToSign } from '../paying/header-signing.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import { isOfferedOn } from '../shared/terms.ts';
import { SEND_LIMIT_MS } from '../orders/order-paying.ts';
import { rewardsOf } from './reward.ts';
import { noteOutsider } from './reward-outsider.ts';
import { agreeOnReward } from './reward-terms.ts';
import { LINK_SHOWN_AFTER_MS, showReward } from './reward-views.ts';

const AGAIN_MS = 5_000;
/** Timers may be early. */
const SHOW_AFTER_MS = LINK_SHOWN_AFTER_MS + 50;
/** Another process may have shown it by a clock that is ahead of ours, or while this one writes. */
const MAY_BE_SHOWN_AFTER_MS = LINK_SHOWN_AFTER_MS - 1_000;

/** Price, check, signature: confirmed → signed. */
export function prepareReward(deps: CoreDeps, card: RewardCard): Promise<Step> {
  const { store, signer, failpoint } = deps;
  const paying = findPaying(deps, card);
  const { payerAddress } = card;
  const own: OwnPayable<RewardPaid, ToSign> = {
    ...payableOf(deps, card),
    obstacle: paying === null || payerAddress === null ? 'network_off' : null,
    isOffered: isOfferedOn(paying),
    agree(challenge) {
      const agreed = paying === null ? null : agreeOnReward(deps, card, challenge, paying.pinned);
      return paying === null || agreed === null ? null : { pinned: paying.pinned, challenge, agreed };
    },
    async allow({ agreed }, sign) {
      await noteRewardCost(store, card.id, agreed.total - card.totalMicroUsdc);
      failpoint?.('reward.after-price');
      await sign();
    },
    async sign(toSign) {
      const paymentSigner = { signEvm: signer.signRewardEvm, signSolana: signer.signRewardSolana };
      return payerAddress === null ? null : signHeader(deps, { id: card.id, payerAddress }, toSign, paymentSigner);
    },
    async keep({ header, end }) {
      await markRewardSigned(store, card.id, header, end);
      failpoint?.('reward.after-sign');
    },
  };
  return prepareCharge(own);
}

/** Sends the stored header. While its fate is open, only this header is sent again. */
export async function sendReward(deps: CoreDeps, card: RewardCard): Promise<Step> {
  if (card.header === null) throw new Error(`the reward ${card.id} is signed and has no header`);
  deps.failpoint?.('reward.before-present');
  return card.viaLink === true
    ? sendOfLink(deps, card, card.header)
    : presentCharge(payableOf(deps, card), card.header);
}

/**
 * Paid on a page, so no press has shown it; and a payment that is refused at once is no news for a chat. It must not
 * wait for a chat that accepts nothing.
 */
async function sendOfLink(deps: CoreDeps, card: RewardCard, header: string): Promise<Step> {
  const { clock } = deps;
  const chat: { isAnswered: boolean; showing: Promise<void> | null } = { isAnswered: false, showing: null };
  void clock.sleep(SHOW_AFTER_MS).then(() => {
    if (!chat.isAnswered) chat.showing = showSafely(deps, card);
  }, ignoreEnd);
  // By whichever process, and also where a moderator's press showed the card.
  const mayBeShown = () => clock.now() - (card.endedAtMs ?? 0) >= MAY_BE_SHOWN_AFTER_MS;
  const payable = { ...payableOf(deps, card), rules: CHARGES.rewardLink };
  const giveUp = ({ reason }: Refused) => reopen(deps, card, { header, refusal: reason, isShown: mayBeShown() });
  const step = await presentCharge({ ...payable, giveUp }, header);
  chat.isAnswered = true;
  await chat.showing;
  return step;
}

/** This process is ending, and another one shows it. */
const ignoreEnd = (): void => undefined;

/** A payment by the link failed, so the card waits again as before, and its page says why. */
async function reopen(
  deps: Pick<CoreDeps, 'failpoint' | 'store' | 'clock'>,
  card: RewardCard,
  refused: { header: string; refusal: string; isShown: boolean },
): Promise<void> {
  deps.failpoint?.('reward.before-reopen');
  await reopenByLink(deps.store, card, { ...refused, nowMs: deps.clock.now() });
  deps.failpoint?.('reward.after-reopen');
}

/** The newest view of the card, shown again where it has changed meanwhile. */
async function showSafely(deps: CoreDeps, { id }: RewardCard): Promise<void> {
  try {
    const card = await findReward(deps.store, id);
    if (card !== null) await showReward(deps, card);
  } catch (error) {
    deps.log.warn({ rewardId: id, error: String(error) }, 'the card of a reward could not be shown');
  }
}

/** An outsider may have paid first although a header was signed here; then nothing is charged for that header. */
async function markPaid(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'failpoint'>,
  card: RewardCard,
  { now, payer }: RewardPaid,
): Promise<void> {
  const { network, payerAddress } = card;
  const isKnown = payer !== null && payerAddress !== null && network !== null;
  const isOurs = !isKnown || sameAddress(networkNamed(network), payer, payerAddress);
  const isMoved = await markRewardPaid(deps.store, card, { counts: now.counts, isOurs, nowMs: deps.clock.now() });
  // Another process was told that this header is refused, a moment before it no longer was.
  if (!isMoved) await noteOutsider(deps, card, now);
  deps.failpoint?.('reward.after-paid');
}

function payableOf(deps: CoreDeps, card: RewardCard): Payable<RewardPaid> & { channel: Channel<RewardPaid> } {
  const { store, clock, log } = deps;
  const { id, distributionId, header, viaLink } = card;
  const network = findPaying(deps, card)?.network ?? null;
  const end = watchEnd(deps, { ...card, network });
  return {
    rules: CHARGES.reward,
    sinceMs: card.endedAtMs,
    channel: rewardsOf(deps).channel({ id: distributionId, key: id, isAnybodys: viaLink === true }),
    clock,
    sendLimitMs: SEND_LIMIT_MS,
    isOver: end.isOver,
    async settle(paid) {
      if (header !== null) deps.failpoint?.('reward.after-answer');
      await markPaid(deps, card, paid);
    },
    fail: async ({ reason: failure }) => void (await markRewardFailed(store, card, { failure, nowMs: clock.now() })),
    async giveUp() {
      const past = end.past();
      if (header !== null && past !== null) await reopenReward(store, id, header, past);
    },
    async wait(why) {
      if (why === 'open') log.warn({ rewardId: id }, 'payment still open; the same header will be sent again');
      await noteRewardLook(store, id, { nextLookAtMs: clock.now() + AGAIN_MS });
    },
  };
}

function findPaying({ networks }: Pick<CoreDeps, 'networks'>, { network }: RewardCard): PayingNetwork | null {
  return networks.find((one) => one.network === network) ?? null;
}
