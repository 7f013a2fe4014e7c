import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Action, Paragraph, View } from '../../core/view.ts';
import { isAccepted } from '../../db/tips/accepted.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { factsOfLines } from '../../db/notices/line-facts.ts';
import { receiptLines, toReceiptFacts } from '../../texts/receipts/receipt.ts';
import { readHoldings, type Holding } from '../paying/balance.ts';
import { newButton } from '../conversation/buttons.ts';
import { isSpendingFailure, spendingFailedView } from './caps.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { inPublic } from '../conversation/speech.ts';
import { findNetwork } from '../shared/networks.ts';
import { isSeveral, namedLineView, proposalEndView, severalPaidView } from './several-views.ts';
import { totalFor } from '../shared/terms.ts';
import type { Texts } from '../../texts/en.ts';
import type { TipFacts } from '../../texts/tips/en.ts';
import { sendNowButton } from './send-now.ts';
import { undoButtons, undoneView } from './undo.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';

type Sum = Pick<OrderRow, 'amountMicroUsdc' | 'totalMicroUsdc' | 'recipient' | 'lines' | 'walletName'>;

export const priceView = (texts: Texts): View => workingView(texts.askingPrice());
export const payingView = (texts: Texts, order: Sum): View => workingView(texts.paying(factsOf(texts, order)));
export const stillPayingView = (texts: Texts, order: Sum): View =>
  workingView(texts.stillPaying(factsOf(texts, order)));
export const payingLaterView = (texts: Texts, order: Sum): View =>
  workingView(...texts.payingLater(factsOf(texts, order)));

/** How the order ended, and where its money is now: asked again when something of that has changed. */
export async function endView(deps: CoreDeps, order: OrderRow): Promise<View> {
  if (order.status === 'answered') {
    const said = { ...order, language: deps.groupLanguage ?? order.language };
    const facts = factsOf(inPublic(deps).texts, order);
    if (isSeveral(said)) return severalPaidView(inPublic(deps), said, facts);
    return paidView(inPublic(deps), said, facts);
  }
  if (order.failure === 'insufficient_funds') return missingView(deps, order);
  if (isSpendingFailure(order.failure)) return spendingFailedView(deps, order);
  const ended = proposalEndView(deps, order) ?? (isSeveral(order) ? namedLineView(deps, order) : null);
  if (ended !== null) return ended;
  const { texts } = inPublic(deps);
  return publicView('error', [texts.failure(order.failure ?? 'unknown', nameIn(texts, order))]);
}

/** Why it was not paid, for a page, which has no buttons of a chat: looked at again, nothing is written. */
export async function failureLines(deps: CoreDeps, order: OrderRow): Promise<readonly Paragraph[]> {
  if (order.failure === 'insufficient_funds') return missingLines(deps, order);
  if (isSpendingFailure(order.failure)) return (await spendingFailedView(deps, order)).paragraphs;
  const ended = proposalEndView(deps, order);
  return ended?.paragraphs ?? [deps.texts.failure(order.failure ?? 'unknown', order.recipient)];
}

/** Says how much is missing now, and how to add it. A balance is for its person alone. */
export async function missingView(deps: CoreDeps, order: OrderRow): Promise<View> {
  const { texts } = deps;
  const reasons = await missingLines(deps, order);
  const others = order.walletName === null ? [] : [tryCommand('/wallet')];
  // Only while its link waits: a signed header that was refused could still land.
  const sendNow = order.status === 'linked' ? [await sendNowButton(deps, order)] : [];
  if (!deps.faucet) {
    return privateView('error', [...reasons, texts.howToAdd()], [tryCommand('/deposit'), ...sendNow, ...others]);
  }
  if (sendNow.length > 0) return privateView('error', reasons, [...sendNow, ...others]);
  const button = await newButton(deps, order.userId, { action: 'take_play_money' }, texts.getPlayMoney());
  return privateView('error', reasons, [button, ...others]);
}

/** What counts is the network that holds most, since a tip is paid from one. */
async function missingLines(deps: CoreDeps, order: OrderRow): Promise<Paragraph[]> {
  const { texts } = deps;
  const { pinned } = findNetwork(deps.networks, order.network) ?? deps.networks[0];
  const needed = microUsdc(order.agreedMicroUsdc ?? totalFor(microUsdc(order.amountMicroUsdc), pinned));
  const holdings = await knownHoldings(deps, order.walletId);
  const most = holdings && largest(holdings);
  const isStillMissing = most !== null && most < needed;
  return isStillMissing
    ? [texts.missing(needed, most, microUsdc(needed - most)), ...texts.inSeveralPlaces(holdings ?? [])]
    : [texts.wasMissing()];
}

/** The one message of a tip: sent, and beneath it what has become of it since. */
async function paidView(deps: CoreDeps, order: OrderRow, facts: TipFacts): Promise<View> {
  const { texts, store } = deps;
  const [line] = order.txnId === null ? [] : await factsOfLines(store, [order.txnId]);
  const isKnown = await isAccepted(store, { userId: order.recipient, giverId: order.userId });
  const now = line && toReceiptFacts({ line, order, receiptUrl: order.receipt ?? '', isAccepted: isKnown });
  const receipt: Action[] =
    order.receipt === null ? [] : [{ kind: 'link', label: texts.openReceipt(), url: order.receipt }];
  if (now?.status === 'refunded') return publicView('ok', receiptLines(now, order.language), receipt);
  if (order.undoneAtMs !== null) return undoneView(deps, order);
  const later = now === undefined || now.status === 'queued' ? [] : receiptLines(now, order.language);
  return publicView('ok', [texts.sent(facts), ...later], [...receipt, ...(await undoButtons(deps, order))]);
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

/** Of several, how many: the row says it in the language of its payer. */
const nameIn = (texts: Texts, { recipient, lines }: Pick<Sum, 'recipient' | 'lines'>): string =>
  lines === null ? recipient : texts.people(lines.length);

function factsOf(texts: Texts, order: Sum): TipFacts {
  const { amountMicroUsdc, totalMicroUsdc, walletName } = order;
  const amount = microUsdc(amountMicroUsdc);
  const fee = microUsdc((totalMicroUsdc ?? amountMicroUsdc) - amountMicroUsdc);
  return { amount, fee, recipient: nameIn(texts, order), walletName };
}
