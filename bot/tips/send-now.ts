import { microUsdc } from '../../core/money.ts';
import type { Action, View } from '../../core/view.ts';
import { isLinkUntouched, unlinkOrder } from '../../db/pay-links/pay-links.ts';
import { findOrder, type OrderRow } from '../../db/tips/orders.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView } from '../conversation/views.ts';
import { takePlayMoney } from '../paying/balance.ts';
import { decideFunding } from '../paying/funding.ts';
import { findRuleProblem, ruleView } from './community-rules.ts';
import { wordsOf } from './order-command.ts';
import { amountsOf } from './order-placing.ts';

/** Finishes a tip that waits for money. With play money the same press adds it. */
export function sendNowButton(
  deps: Pick<CoreDeps, 'store' | 'random' | 'clock' | 'texts' | 'faucet'>,
  { id: orderId, userId }: OrderRow,
): Promise<Action> {
  const { texts, faucet } = deps;
  return faucet === undefined
    ? newButton(deps, userId, { action: 'send_order', orderId }, texts.sendNow())
    : newButton(deps, userId, { action: 'add_and_send_order', orderId }, texts.addAndSend());
}

/**
 * The same order goes on, priced anew; null where its own message shows how. However often it is pressed, the order pays
 * at most once: only one that waits for money, and that nobody has begun to pay, begins again.
 */
export async function sendOrderNow(
  deps: CoreDeps,
  { orderId, userId }: { orderId: string; userId: string },
  addsPlayMoney: boolean,
): Promise<View | null> {
  const { store, texts, clock } = deps;
  const order = await findOrder(store, orderId);
  if (order?.userId !== userId) return privateView('error', [texts.buttonIsOver()]);
  // Another press was faster: the order shows how it goes on.
  if (order.status !== 'linked') return order.status === 'failed' ? privateView('error', [texts.buttonIsOver()]) : null;
  const problem = await findRuleProblem(deps, { ...order, note: wordsOf(order).note, parts: amountsOf(order) });
  // Its pause began when it was typed.
  if (problem !== null && problem.code !== 'too_soon') return ruleView(deps, problem, wordsOf(order));
  if (addsPlayMoney) {
    // Pressed again and again, it adds nothing while another person pays.
    if (!(await isLinkUntouched(store, orderId))) return privateView('error', [texts.linkInUse()]);
    await takePlayMoney(deps, order.walletId);
  }
  const amount = microUsdc(order.amountMicroUsdc);
  const { paying } = await decideFunding(deps, order.walletId, { kind: 'exact', amount });
  const payerAddress = await paying.addressOf(order.walletId);
  const where = { network: paying.network, payerAddress };
  if (await unlinkOrder(store, { id: orderId, userId }, where, clock.now())) return null;
  const now = await findOrder(store, orderId);
  return now?.status === 'linked' ? privateView('error', [texts.linkInUse()]) : null;
}
