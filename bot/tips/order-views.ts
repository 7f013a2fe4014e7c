import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Action, View } from '../../core/view.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { readHoldings, type Holding } from '../paying/balance.ts';
import { newButton } from '../conversation/buttons.ts';
import { isSpendingFailure, spendingFailedView } from './caps.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { findNetwork } from '../shared/networks.ts';
import { isSeveral, namedLineView, proposalEndView, severalPaidView } from './several-views.ts';
import { totalFor } from '../shared/terms.ts';
import type { Texts } from '../../texts/en.ts';
import type { TipFacts } from '../../texts/tips/en.ts';
import { undoButtons, undoneView } from './undo.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';

type Sum = Pick<OrderRow, 'amountMicroUsdc' | 'totalMicroUsdc' | 'recipient' | 'walletName'>;

export const priceView = (texts: Texts): View => workingView(texts.askingPrice());
export const payingView = (texts: Texts, order: Sum): View => workingView(texts.paying(factsOf(order)));
export const stillPayingView = (texts: Texts, order: Sum): View => workingView(texts.stillPaying(factsOf(order)));
export const payingLaterView = (texts: Texts, order: Sum): View => workingView(...texts.payingLater(factsOf(order)));

/** How the order ended. The receipt is another message, which the worker posts. */
export async function endView(deps: CoreDeps, order: OrderRow): Promise<View> {
  if (order.status === 'answered') {
    const facts = factsOf(order);
    if (isSeveral(order)) return severalPaidView(deps, order, facts);
    if (order.undoneAtMs !== null) return undoneView(deps, order);
    return publicView('ok', [deps.texts.sent(facts)], [...receiptOf(deps, order), ...(await undoButtons(deps, order))]);
  }
  if (order.failure === 'insufficient_funds') return missingView(deps, order);
  if (isSpendingFailure(order.failure)) return spendingFailedView(deps, order);
  const ended = proposalEndView(deps, order) ?? (isSeveral(order) ? namedLineView(deps, order) : null);
  if (ended !== null) return ended;
  return publicView('error', [deps.texts.failure(order.failure ?? 'unknown', order.recipient)]);
}

/**
 * Says how much is missing now, and how to add it. What counts is the network that holds most, since a tip is paid from
 * one. A balance is for its person alone.
 */
export async function missingView(deps: CoreDeps, order: OrderRow): Promise<View> {
  const { texts } = deps;
  const { pinned } = findNetwork(deps.networks, order.network) ?? deps.networks[0];
  const needed = totalFor(microUsdc(order.amountMicroUsdc), pinned);
  const holdings = await knownHoldings(deps, order.walletId);
  const most = holdings && largest(holdings);
  const isStillMissing = most !== null && most < needed;
  const reasons = isStillMissing
    ? [texts.missing(needed, most, microUsdc(needed - most)), ...texts.inSeveralPlaces(holdings ?? [])]
    : [texts.wasMissing()];
  const others = order.walletName === null ? [] : [tryCommand('/wallet')];
  if (!deps.faucet) return privateView('error', [...reasons, texts.howToAdd()], [tryCommand('/deposit'), ...others]);
  const button = await newButton(deps, order.userId, { action: 'take_play_money' }, texts.getPlayMoney());
  return privateView('error', reasons, [button, ...others]);
}

/** Where many tip one message no receipt is posted for each, so its payer has it here. */
function receiptOf({ texts }: Pick<CoreDeps, 'texts'>, { tippedMessageId, receipt }: OrderRow): Action[] {
  if (tippedMessageId === null || receipt === null) return [];
  return [{ kind: 'link', label: texts.openReceipt(), url: receipt }];
}

type KnownHolding = Holding & { amount: MicroUsdc };

/** The reason can be told without the numbers, so a node that does not answer must not keep the order open. */
async function knownHoldings(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  walletId: string,
): Promise<KnownHolding[] | null> {
  try {
    const holdings = await readHoldings(deps, walletId);
    const known = holdings.flatMap(({ amount, ...rest }) => (amount === null ? [] : [{ ...rest, amount }]));
    return known.length === holdings.length ? known : null;
  } catch {
    // Each network that did not answer is in the log.
    return null;
  }
}

function largest(holdings: readonly KnownHolding[]): MicroUsdc {
  return holdings.reduce((most, { amount }) => (amount > most ? amount : most), microUsdc(0n));
}

function factsOf({ amountMicroUsdc, totalMicroUsdc, recipient, walletName }: Sum): TipFacts {
  const amount = microUsdc(amountMicroUsdc);
  const fee = microUsdc((totalMicroUsdc ?? amountMicroUsdc) - amountMicroUsdc);
  return { amount, fee, recipient, walletName };
}
