import type { Context } from 'hono';
import { line } from '../../core/view.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { signOrder } from '../../db/wallets/passkeys.ts';
import { agreedWith, countingPasskeys, optionsToSign } from '../passkeys/signed.ts';
import { noticePage } from './notice-page.ts';
import { speaking } from '../conversation/speech.ts';
import { failureLines } from '../tips/order-views.ts';
import { answerProposal } from '../tips/proposals.ts';
import { canUndo, undoOrder } from '../tips/undo.ts';
import { formOver, notFound, type Visit } from './visit.ts';
import { answerWallets, spendableIn } from './purse.ts';
import { findSending, proposeSending, readOrderForm, readPayForm } from './sending.ts';
import { sendProgressPage, sendReviewPage } from './sending-pages.ts';

/** Writes down what was asked for and shows it; nothing is priced or signed before the next form. */
export async function answerPay(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, site, refuse } = visit;
  const form = readPayForm(await context.req.parseBody());
  const wallet = await spendableIn(visit, holderId, form?.wallet);
  if (form === null || wallet === null) return refuse(400, formOver);
  const { language } = site.reader;
  const proposed = await proposeSending(deps, { holderId, wallet, language }, form);
  if (proposed.kind === 'problem') {
    return answerWallets(visit, context, holderId, { kind: 'send', problem: proposed.problem });
  }
  return context.redirect(`/purse/sends/${proposed.order.id}`, 303);
}

/** Posted again it is the same order. */
export async function answerPayConfirm(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = visit;
  const form = readOrderForm(await context.req.parseBody());
  const order = form === null ? null : await findSending(deps, holderId, form.order);
  if (order === null) return refuse(400, formOver);
  // It may have been dropped or ended since the page was made. What it agreed to before goes on by itself.
  const isOpen = order.status === 'proposed';
  if (isOpen && (await spendableIn(visit, holderId, order.walletId)) === null) return refuse(400, formOver);
  if (isOpen && !(await isAgreedTo(deps, order, form?.signed ?? ''))) {
    return show(noticePage(deps.texts, line`${deps.texts.purse.passkeyNeeded}`), 403);
  }
  await answerProposal(deps, { orderId: order.id, userId: holderId, isYes: true });
  // Not awaited: the row is what remembers, and the page follows it.
  void deps.orders.run(order.id);
  return context.redirect(`/purse/sends/${order.id}`, 303);
}

/**
 * With its passkey, where the money has one. What it signs is the id of this order, so it is good for nothing else; that it
 * agreed is written down before the order goes on, and asked of the row again before anything is signed.
 */
async function isAgreedTo(deps: Visit['deps'], { id, walletId }: OrderRow, answer: string): Promise<boolean> {
  if ((await countingPasskeys(deps, walletId)).length === 0) return true;
  const passkey = await agreedWith(deps, walletId, { answer, challenges: [id] });
  return passkey !== null && (await signOrder(deps.store, id, passkey.id));
}

/** Takes back what nobody has collected. Nothing can leave by it, so no passkey is asked. Posted again it is the same. */
export async function answerUndo(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = visit;
  const form = readOrderForm(await context.req.parseBody());
  const order = form === null ? null : await findSending(deps, holderId, form.order);
  if (order === null) return refuse(400, formOver);
  const { view, isChanged } = await undoOrder(deps, order.id, holderId);
  // Not awaited: its message in the browser's own chat is shown once more.
  if (isChanged) void deps.orders.run(order.id);
  const [problem] = view?.paragraphs ?? [];
  if (problem !== undefined) return show(noticePage(deps.texts, problem), 400);
  return context.redirect(`/purse/sends/${order.id}`, 303);
}

export async function answerSending(
  { deps, site, show, refuse }: Visit,
  context: Context,
  holderId: string,
): Promise<Response> {
  const order = await findSending(deps, holderId, context.req.param('id') ?? '');
  if (order === null) return refuse(404, notFound);
  if (order.status === 'proposed') {
    return show(sendReviewPage(site, order, await optionsToSign(deps, order.walletId, order.id)));
  }
  if (order.status !== 'answered' && order.status !== 'failed') return show(sendProgressPage(site, order, null));
  const why = order.status === 'failed' ? await failureLines(speaking(deps, site.reader.language), order) : [];
  return show(sendProgressPage(site, order, why, await canUndo(deps, order)));
}
