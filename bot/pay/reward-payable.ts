import { askPrice } from '../../client/channel.ts';
import { microUsdc } from '../../core/money.ts';
import { confirmationsOf, type RewardCard } from '../../db/rewards/reward-cards.ts';
import { findRewardOf, isAgreed, presentByLink } from '../../db/rewards/reward-links.ts';
import { findNetwork } from '../shared/networks.ts';
import { noteOutsider } from '../rewards/reward-outsider.ts';
import { agreeOnReward } from '../rewards/reward-terms.ts';
import { rewardsOf } from '../rewards/reward.ts';
import type { PageSite } from '../shared/page-site.ts';
import type { Payer, PayPagesDeps } from './dependencies.ts';
import type { Payable, Priced, Refused } from './payable.ts';
import type { PayView, Receiver } from './view.ts';

/** As the API names them. */
const DISTRIBUTION_ID = /^[A-Za-z0-9_-]{16,80}$/;

/**
 * The reward of a community, by its distribution; null where no chat has a card for it. Its address is not secret: a
 * visitor pays there for what everyone sees on the card. Only a wallet can pay for it: of two plain transfers at once
 * one would have to go back, and nobody could say to whom.
 */
export async function findRewardPayable(deps: PayPagesDeps, distributionId: string): Promise<Payable | null> {
  const isId = deps.rewards !== undefined && DISTRIBUTION_ID.test(distributionId);
  const card = isId ? await findRewardOf(deps.store, distributionId) : null;
  if (card === null) return null;
  return {
    path: `/pay/reward/${distributionId}`,
    language: card.language,
    amount: microUsdc(card.budgetMicroUsdc),
    view: async (site) => toView(site, card, await stateOf(deps, card)),
    refusal: async () => REFUSALS[await stateOf(deps, card)],
    price: (payer) => priceFor(deps, card, payer),
    async present(header, { network, address: payerAddress }) {
      deps.failpoint?.('reward.before-link');
      const payment = { header, network, payerAddress, nowMs: deps.clock.now() };
      const isFirst = await presentByLink(deps.store, card.id, payment);
      deps.failpoint?.('reward.after-link');
      return isFirst;
    },
    run: () => void deps.rewardWork.run(card.id),
    recordView: () => undefined,
  };
}

/** As the page names states. */
const REFUSALS: Readonly<Record<PayView['state'], string | null>> = {
  open: null,
  waiting: 'not_confirmed',
  paying: 'order_in_progress',
  paid: 'order_in_progress',
  expired: 'link_over',
};

async function stateOf(
  { store, clock }: Pick<PayPagesDeps, 'store' | 'clock'>,
  card: RewardCard,
): Promise<PayView['state']> {
  switch (card.status) {
    case 'proposed': {
      if (clock.now() >= card.expiresAtMs) return 'expired';
      return isAgreed(card, await confirmationsOf(store.read, store.tables, card.id)) ? 'open' : 'waiting';
    }
    case 'confirmed':
    case 'signed':
      return 'paying';
    case 'paid':
      return 'paid';
    case 'failed':
    case 'rejected':
    case 'expired':
    case 'replaced':
      return 'expired';
  }
}

function toView({ texts }: Pick<PageSite, 'texts'>, card: RewardCard, state: PayView['state']): PayView {
  const { preview, budgetMicroUsdc, totalMicroUsdc, expiresAtMs: untilMs, refusal } = card;
  const receivers = preview.top.map(({ name, amountMicroUsdc }): Receiver => {
    return { name, amount: microUsdc(BigInt(amountMicroUsdc)), receiptUrl: null };
  });
  return {
    state,
    total: microUsdc(totalMicroUsdc),
    fee: microUsdc(totalMicroUsdc - budgetMicroUsdc),
    recipient: texts.people(preview.count),
    rewardFor: preview.author,
    receivers,
    moreReceivers: preview.count - receivers.length,
    note: null,
    detailsUrl: preview.page,
    untilMs,
    transfers: [],
    refusal: state === 'open' ? refusal : null,
  };
}

async function priceFor(deps: PayPagesDeps, card: RewardCard, payer: Payer): Promise<Priced | Refused> {
  const refuse = (reason: string): Refused => ({ kind: 'refused', reason });
  const paying = findNetwork(deps.networks, payer.network);
  if (paying === null) return refuse('network_off');
  const price = await askPrice(rewardsOf(deps).channel({ id: card.distributionId, key: card.id }), deps.clock);
  switch (price.kind) {
    // An outsider has paid the API directly, or does so now.
    case 'paid':
      await noteOutsider(deps, card, price.now);
      void deps.rewardWork.run(card.id);
      return refuse('order_in_progress');
    case 'busy':
      return refuse('order_in_progress');
    case 'unreachable':
      return refuse('unreachable');
    case 'refused':
      return refuse(price.reason);
    case 'price': {
      const { challenge } = price;
      const agreed = agreeOnReward(deps, card, challenge, paying.pinned);
      if (agreed === null) return refuse('price_not_agreed');
      const { total, terms } = agreed;
      // The page shows what is signed, even if the fee has changed since.
      if (total !== card.totalMicroUsdc) return refuse('price_not_agreed');
      return { kind: 'priced', asked: { ...payer, paymentId: card.id, total, terms, challenge } };
    }
  }
}
