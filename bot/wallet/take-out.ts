import type { Context } from 'hono';
import { pressButton } from '../../db/chats/buttons.ts';
import { callOff } from '../../db/withdrawals/cancel.ts';
import { newButtonId } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { explorerLink, factsOf } from '../wallets/withdraw-facts.ts';
import { askWithdrawal, withdrawAction, type Asked } from '../wallets/withdraw-request.ts';
import { formOver, notFound, type Desk } from './desk.ts';
import { readCancelForm, readReviewForm, readSendForm, reviewWish } from './forms.ts';
import { noticePage } from './notice-page.ts';
import { answerWallets, spendableIn } from './purse.ts';
import { readKnownFrom, readWithdrawal } from './wallet-reads.ts';
import { reviewPage, withdrawalPage } from './withdrawal-page.ts';

/** Shows everything that will happen. The button's row holds it, and the page only the button's id. */
export async function answerReview(desk: Desk, context: Context, holderId: string): Promise<Response> {
  const { deps, site, show, refuse } = desk;
  const form = readReviewForm(await context.req.parseBody());
  const wallet = await spendableIn(desk, holderId, form?.wallet);
  if (form === null || wallet === null) return refuse(400, formOver);
  const reviewed = await reviewWish(deps, wallet, form);
  if (reviewed.kind === 'problem') {
    return answerWallets(desk, context, holderId, { kind: 'take_out', problem: reviewed.problem });
  }
  const { draft } = reviewed;
  const buttonId = await newButtonId(deps, holderId, withdrawAction(deps, draft));
  return show(reviewPage(site, draft, wallet.name, buttonId));
}

/** The same form posted again leads to the same withdrawal. */
export async function answerSend({ deps, show, refuse }: Desk, context: Context, holderId: string): Promise<Response> {
  const { texts, store } = deps;
  const form = readSendForm(await context.req.parseBody());
  const buttonId = form?.token ?? '';
  const pressed = await pressButton(store, { buttonId, userId: holderId, eventId: `form:${buttonId}` });
  if (pressed?.action !== 'withdraw') return refuse(400, formOver);
  const asked = await askWithdrawal(deps, holderId, pressed);
  if (asked.kind !== 'asked') return show(noticePage(texts, problemOf(deps, asked)), 400);
  // Not awaited: the row is what remembers, and the page follows it.
  void deps.withdrawals.run(asked.row.id);
  return context.redirect(`/purse/withdrawals/${asked.row.id}`, 303);
}

/** All that waits for the same address; its page says then what has become of it. */
export async function answerCancel(desk: Desk, context: Context, holderId: string): Promise<Response> {
  const { deps, refuse } = desk;
  const form = readCancelForm(await context.req.parseBody());
  const row = form === null ? null : await readWithdrawal(deps, holderId, form.withdrawal);
  if (row === null || (await spendableIn(desk, holderId, row.walletId)) === null) return refuse(400, formOver);
  const { id, walletId, network, toAddress: address } = row;
  await callOff(deps.store, { walletId, to: { network, address } }, deps.clock.now());
  return context.redirect(`/purse/withdrawals/${id}`, 303);
}

function problemOf({ texts }: Pick<CoreDeps, 'texts'>, asked: Exclude<Asked, { kind: 'asked' }>) {
  switch (asked.kind) {
    case 'problem':
      return texts.withdrawProblem(asked.problem);
    case 'not_held':
      return texts.withdrawNotHeld();
    case 'limited':
      return texts.withdrawLimited(asked.detail);
  }
}

export async function answerWithdrawal(
  { deps, site, show, refuse }: Desk,
  context: Context,
  holderId: string,
): Promise<Response> {
  const row = await readWithdrawal(deps, holderId, context.req.param('id') ?? '');
  if (row === null) return refuse(404, notFound);
  const knownFromMs = await readKnownFrom(deps, row);
  const explorerUrl = explorerLink(deps, row);
  return show(withdrawalPage(site, { row, facts: factsOf(deps, row), explorerUrl, knownFromMs }));
}
