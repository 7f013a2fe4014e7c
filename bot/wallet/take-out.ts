import type { Context } from 'hono';
import { pressButton } from '../../db/chats/buttons.ts';
import { line } from '../../core/view.ts';
import { WITHOUT_PASSKEY_MS } from '../../core/wallets/passkeys.ts';
import { findWithdrawal } from '../../db/withdrawals/find.ts';
import { agreedWith, countingPasskeys, optionsToSign } from '../passkeys/signed.ts';
import { callOff } from '../../db/withdrawals/cancel.ts';
import { newButtonId } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { explorerLink, factsOf } from '../wallets/withdraw-facts.ts';
import { askWithdrawal, withdrawAction, type Asked, type PressedWithdraw } from '../wallets/withdraw-request.ts';
import { formOver, notFound, type Visit } from './visit.ts';
import { readCancelForm, readReviewForm, readSendForm, reviewWish } from './forms.ts';
import { noticePage } from './notice-page.ts';
import { answerWallets, spendableIn } from './purse.ts';
import { readKnownFrom, readWithdrawal } from './wallet-reads.ts';
import { reviewPage, withdrawalPage } from '../wallets/withdrawal-page.ts';

/** Shows everything that will happen. The button's row holds it, and the page only the button's id. */
export async function answerReview(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, site, show, refuse } = visit;
  const form = readReviewForm(await context.req.parseBody());
  const wallet = await spendableIn(visit, holderId, form?.wallet);
  if (form === null || wallet === null) return refuse(400, formOver);
  const [passkey] = await countingPasskeys(deps, wallet.walletId);
  const reviewed = await reviewWish(deps, wallet, form, passkey?.id ?? null);
  if (reviewed.kind === 'problem') {
    return answerWallets(visit, context, holderId, { kind: 'take_out', problem: reviewed.problem });
  }
  const { draft } = reviewed;
  const buttonId = await newButtonId(deps, holderId, withdrawAction(deps, draft));
  const toSign = await optionsToSign(deps, wallet.walletId, buttonId);
  const withoutMs = passkey === undefined ? null : deps.clock.now() + WITHOUT_PASSKEY_MS;
  return show(reviewPage(site, draft, { name: wallet.name, buttonId, toSign, withoutMs }));
}

/** The same form posted again leads to the same withdrawal. */
export async function answerSend({ deps, show, refuse }: Visit, context: Context, holderId: string): Promise<Response> {
  const { texts, store } = deps;
  const form = readSendForm(await context.req.parseBody());
  const buttonId = form?.token ?? '';
  const pressed = await pressButton(store, { buttonId, userId: holderId, eventId: `form:${buttonId}` });
  if (pressed?.action !== 'withdraw') return refuse(400, formOver);
  const agreement = await agreed(deps, pressed, { answer: form?.signed, buttonId });
  if (agreement === 'refused') return show(noticePage(texts, line`${texts.purse.passkeyFailed}`), 403);
  const asked = await askWithdrawal(deps, holderId, pressed, agreement.passkeyId);
  if (asked.kind !== 'asked') return show(noticePage(texts, problemOf(deps, asked)), 400);
  // Not awaited: the row is what remembers, and the page follows it.
  void deps.withdrawals.run(asked.row.id);
  return context.redirect(`/purse/withdrawals/${asked.row.id}`, 303);
}

/**
 * What the passkey signed is the button's id, which stands for this one withdrawal. Null for the form that goes without it, and
 * for a withdrawal that is there already: posted again nothing is signed anew.
 */
async function agreed(
  deps: Visit['deps'],
  { walletId, withdrawal }: PressedWithdraw,
  { answer, buttonId }: { answer: string | undefined; buttonId: string },
): Promise<{ passkeyId: string | null } | 'refused'> {
  if (answer === undefined || (await findWithdrawal(deps.store, withdrawal.id)) !== null) return { passkeyId: null };
  const passkey = await agreedWith(deps, walletId, { answer, challenges: [buttonId] });
  return passkey === null ? 'refused' : { passkeyId: passkey.id };
}

/** All that waits for the same address; its page says then what has become of it. */
export async function answerCancel(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, refuse } = visit;
  const form = readCancelForm(await context.req.parseBody());
  const row = form === null ? null : await readWithdrawal(deps, holderId, form.withdrawal);
  if (row === null || (await spendableIn(visit, holderId, row.walletId)) === null) return refuse(400, formOver);
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
  { deps, site, show, refuse }: Visit,
  context: Context,
  holderId: string,
): Promise<Response> {
  const row = await readWithdrawal(deps, holderId, context.req.param('id') ?? '');
  if (row === null) return refuse(404, notFound);
  const knownFromMs = await readKnownFrom(deps, row);
  const explorerUrl = explorerLink(deps, row);
  return show(withdrawalPage(site, { row, facts: factsOf(deps, row), explorerUrl, knownFromMs }));
}
