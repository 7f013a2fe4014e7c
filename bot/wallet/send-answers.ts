import type { Context } from 'hono';
import { speaking } from '../conversation/speech.ts';
import { findNetwork } from '../shared/networks.ts';
import { endView } from '../tips/order-views.ts';
import { answerProposal } from '../tips/proposals.ts';
import { formOver, notFound, type Desk } from './desk.ts';
import { answerWallets, spendableIn } from './purse.ts';
import { findSending, proposeSending, readOrderForm, readPayForm } from './sending.ts';
import { sendProgressPage, sendReviewPage } from './sending-pages.ts';

/** Writes down what was asked for and shows it; nothing is priced or signed before the next form. */
export async function answerPay(desk: Desk, context: Context, holderId: string): Promise<Response> {
  const { deps, site, refuse } = desk;
  const form = readPayForm(await context.req.parseBody());
  const wallet = await spendableIn(desk, holderId, form?.wallet);
  if (form === null || wallet === null) return refuse(400, formOver);
  const { language } = site.reader;
  const proposed = await proposeSending(deps, { holderId, wallet, language }, form);
  if (proposed.kind === 'problem') {
    return answerWallets(desk, context, holderId, { kind: 'send', problem: proposed.problem });
  }
  return context.redirect(`/purse/sends/${proposed.order.id}`, 303);
}

/** Posted again it is the same order. That it may still be paid from this wallet is asked when it is priced and signed. */
export async function answerPayConfirm({ deps, refuse }: Desk, context: Context, holderId: string): Promise<Response> {
  const form = readOrderForm(await context.req.parseBody());
  const order = form === null ? null : await findSending(deps, holderId, form.order);
  if (order === null) return refuse(400, formOver);
  await answerProposal(deps, { orderId: order.id, userId: holderId, isYes: true });
  // Not awaited: the row is what remembers, and the page follows it.
  void deps.orders.run(order.id);
  return context.redirect(`/purse/sends/${order.id}`, 303);
}

export async function answerSending(
  { deps, site, show, refuse }: Desk,
  context: Context,
  holderId: string,
): Promise<Response> {
  const order = await findSending(deps, holderId, context.req.param('id') ?? '');
  if (order === null) return refuse(404, notFound);
  if (order.status === 'proposed') {
    const { pinned } = findNetwork(deps.networks, order.network) ?? deps.networks[0];
    return show(sendReviewPage(site, order, pinned));
  }
  const isOver = order.status === 'answered' || order.status === 'failed';
  const end = isOver ? await endView(speaking(deps, site.reader.language), order) : null;
  return show(sendProgressPage(site, order, end));
}
