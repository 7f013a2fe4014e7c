import { sameAddress } from '../../core/networks.ts';
import type { MicroUsdc } from '../../core/money.ts';
import { microUsdc } from '../../core/money.ts';
import {
  countConfirmations,
  quorumOf,
  REWARD_BUDGET_MAX_MICRO_USDC,
  REWARD_BUDGET_MIN_MICRO_USDC,
  REWARD_CARD_MS,
} from '../../core/rewards/reward-cards.ts';
import { treasuryWalletOf } from '../../core/treasury/treasury.ts';
import { confirmationsOf, findReward, moderatorsOf, type RewardCard } from '../../db/rewards/reward-cards.ts';
import { kindOfStop } from '../../core/payments/stops.ts';
import { stopsOn } from '../../db/store/stops.ts';
import type { Store } from '../../db/store/store.ts';
import { agreedTotal, totalFor, type PinnedTerms } from '../shared/terms.ts';
import { refusal, type SignerDeps, type SigningOn, type ToSign, type Wallets } from './signing.ts';

/** Longer than a confirmed card is worked on before it is dropped. */
const AGE_MAX_MS = 20 * 60_000;
/** For another process whose clock is a little ahead. */
const AHEAD_MAX_MS = 10_000;
const DISTRIBUTION_ID = /^[A-Za-z0-9_-]{16,80}$/;

/**
 * Checks in our own store what lets money leave a treasury for a reward: a card of that community which enough
 * different moderators have confirmed in time, a sum within the limits, and a price that follows from our own terms.
 * Throws a plain Error where anything is missing. A card that is signed already is no longer `confirmed`.
 */
export async function readReward<W extends Wallets>(
  deps: SignerDeps,
  cardId: string,
  signingOn: SigningOn<W>,
): Promise<ToSign<W>> {
  const { store, now } = deps;
  const card = await findReward(store, cardId);
  if (!card) throw refusal('a card of ours', cardId);
  if (card.network === null) throw refusal('a card with a network', cardId);
  const wallets = signingOn(deps, card.network);
  const total = checkCard(card, wallets.pinned);
  await checkConfirmations(store, card, now());
  const { walletId, payerAddress } = card;
  const payer = await wallets.addressOf(walletId);
  const { network, payTo } = wallets.pinned;
  if (payerAddress === null || !sameAddress(network, payerAddress, payer)) {
    throw refusal(`payer ${payer} on the card`, payerAddress);
  }
  if (sameAddress(network, payTo, payer)) throw refusal('a payer other than the payee', payer);
  // The API asks for no money while payments are stopped, but the signer does not rely on the API.
  const stop = (await stopsOn(store, network)).find((one) => kindOfStop(one) !== 'payouts');
  if (stop !== undefined) throw refusal('signing that goes on', `a stop: ${stop.reason}`);
  return { wallets, payable: { walletId, payerAddress, total } };
}

function checkCard(card: RewardCard, pinned: PinnedTerms): MicroUsdc {
  const { walletId, budgetMicroUsdc, distributionId } = card;
  if (card.status !== 'confirmed') throw refusal('a card that is confirmed', card.status);
  if (card.header !== null) throw refusal('a card that nothing was signed for', 'a header');
  if (card.viaLink !== null) throw refusal('a card that a treasury pays', 'one that is paid by its link');
  if (treasuryWalletOf(card) !== walletId) throw refusal('the wallet of this community', walletId);
  if (card.network !== pinned.network) throw refusal(`a card on ${pinned.network}`, card.network);
  if (!DISTRIBUTION_ID.test(distributionId)) throw refusal('the id of a distribution', distributionId);
  if (budgetMicroUsdc < REWARD_BUDGET_MIN_MICRO_USDC || budgetMicroUsdc > REWARD_BUDGET_MAX_MICRO_USDC) {
    throw refusal('a budget within the limits', budgetMicroUsdc);
  }
  const total = totalFor(microUsdc(budgetMicroUsdc), pinned);
  if (card.totalMicroUsdc !== total) throw refusal(`a price of ${total}`, card.totalMicroUsdc);
  const cost = card.costMicroUsdc ?? 0n;
  if (cost < 0n || cost > card.costMaxMicroUsdc) throw refusal(`at most ${card.costMaxMicroUsdc} for the cost`, cost);
  const agreed = agreedTotal(total + cost, microUsdc(budgetMicroUsdc), pinned, card.preview.count);
  if (agreed !== total + cost) throw refusal('a line for the cost', cost);
  return agreed;
}

async function checkConfirmations(store: Store, card: RewardCard, nowMs: number): Promise<void> {
  const { createdAtMs, expiresAtMs, endedAtMs } = card;
  if (expiresAtMs > createdAtMs + REWARD_CARD_MS) throw refusal('a card of a day', expiresAtMs - createdAtMs);
  if (endedAtMs === null) throw refusal('a time at which it was confirmed', endedAtMs);
  const ageMs = nowMs - endedAtMs;
  if (ageMs > AGE_MAX_MS || ageMs < -AHEAD_MAX_MS) throw refusal('a card of the last minutes', `one of ${ageMs} ms`);
  const confirmations = await confirmationsOf(store.read, store.tables, card.id);
  // Else a confirmation in the future could count for a lone moderator who has not waited yet.
  const inTime = confirmations.filter(({ confirmedAtMs }) => confirmedAtMs <= endedAtMs);
  const moderators = moderatorsOf(card);
  const counted = countConfirmations(card, moderators, inTime);
  const quorum = quorumOf(card, moderators);
  if (counted < quorum) throw refusal(`the confirmations of ${quorum}`, counted);
}
