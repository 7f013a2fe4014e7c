import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import type { OrderRow } from '../../db/bot/orders.ts';
import { readBalance } from './balance.ts';
import { newButton } from './buttons.ts';
import type { CoreDeps } from './dependencies.ts';
import { totalFor } from './terms.ts';
import type { Texts, TipFacts } from './texts/en.ts';
import { privateView, publicView, tryCommand, workingView } from './views.ts';

type Sum = Pick<OrderRow, 'amountMicroUsdc' | 'totalMicroUsdc' | 'recipient'>;

export const priceView = (texts: Texts): View => workingView(texts.askingPrice());
export const payingView = (texts: Texts, order: Sum): View => workingView(texts.paying(factsOf(order)));
export const stillPayingView = (texts: Texts, order: Sum): View => workingView(texts.stillPaying(factsOf(order)));
export const payingLaterView = (texts: Texts, order: Sum): View => workingView(...texts.payingLater(factsOf(order)));

/** How the order ended. The receipt is another message, which the worker posts. */
export async function endView(deps: CoreDeps, order: OrderRow): Promise<View> {
  if (order.status === 'answered') return publicView('ok', [deps.texts.sent(factsOf(order))]);
  if (order.failure === 'insufficient_funds') return missingView(deps, order);
  return publicView('error', [deps.texts.failure(order.failure ?? 'unknown', order.recipient)]);
}

/** Says how much is missing as of now, and how to add it. What somebody holds is for that person alone. */
async function missingView(deps: CoreDeps, order: OrderRow): Promise<View> {
  const { texts } = deps;
  const needed = totalFor(microUsdc(order.amountMicroUsdc), deps.pinned);
  const balance = await balanceOrNull(deps, order.payerAddress);
  const isStillMissing = balance !== null && balance < needed;
  const reason = isStillMissing ? texts.missing(needed, balance, microUsdc(needed - balance)) : texts.wasMissing();
  if (!deps.faucet) return privateView('error', [reason, texts.howToAdd()], [tryCommand('/deposit')]);
  const button = await newButton(deps, order.userId, 'take_play_money', texts.getPlayMoney());
  return privateView('error', [reason], [button]);
}

/** The reason can be told without the number, so a node that does not answer must not keep the order open. */
async function balanceOrNull(deps: CoreDeps, address: string): Promise<MicroUsdc | null> {
  try {
    return await readBalance(deps, address);
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'balance not read');
    return null;
  }
}

function factsOf({ amountMicroUsdc, totalMicroUsdc, recipient }: Sum): TipFacts {
  const amount = microUsdc(amountMicroUsdc);
  const fee = microUsdc((totalMicroUsdc ?? amountMicroUsdc) - amountMicroUsdc);
  return { amount, fee, recipient };
}
