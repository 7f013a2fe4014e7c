import { shareOf, type DropProblem } from '../../core/drops/drops.ts';
import { microUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import type { ButtonAction } from '../../db/chats/buttons.ts';
import { agreeToDrop, endDrop, findDrop, takeShare, type Drop } from '../../db/drops/drops.ts';
import type { OrderDraft } from '../../db/tips/orders.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { languageOf } from '../conversation/speech.ts';
import { privateView } from '../conversation/views.ts';
import type { PressEvent } from '../shared/messenger.ts';
import { identitiesOf } from '../tips/blocking.ts';
import { findRuleProblem, ruleView } from '../tips/community-rules.ts';
import { draftSeveral } from '../tips/several.ts';
import { changedListView, dropListView } from './drop-list.ts';
import { findDropMoney } from './drop-money.ts';
import { listOf } from './drop-payees.ts';
import { findTakeProblem } from './drop-rule.ts';
import { dropProblemView, giverOf, showDrop } from './drop-views.ts';
import { confirmWithStanding, findDeciderProblem } from './treasury-drop.ts';

export type PressedDrop = Extract<ButtonAction, { dropId: string }>;

/** `view`: for the person who pressed; null where the card itself shows it. `orderId`: goes on now. */
export type DropPressed = { view: View | null; orderId?: string };

export async function pressDrop(deps: CoreDeps, event: PressEvent, pressed: PressedDrop): Promise<DropPressed> {
  const { action, dropId } = pressed;
  const drop = await findDrop(deps.store, dropId);
  const over: DropPressed = { view: privateView('error', [deps.texts.buttonIsOver()]) };
  if (drop === null) return over;
  if (action === 'take_share') return { view: await take(deps, event, drop) };
  const problem = await findOwnerProblem(deps, event, drop);
  if (problem !== null) return problem === 'not_giver' ? over : { view: dropProblemView(deps, problem) };
  if (action === 'list_drop') return drop.status === 'closed' ? { view: await dropListView(deps, event, drop) } : over;
  if (pressed.action === 'pay_drop') return pay(deps, event, drop, pressed.listHash);
  const isEnded = await endDrop(deps.store, drop.id, { reason: 'called_off', nowMs: deps.clock.now() });
  if (isEnded) await showDrop(deps, drop.id);
  return isEnded ? { view: null } : over;
}

/** Its giver looks after a drop; after one out of the treasury all who moderate there do. */
async function findOwnerProblem(
  deps: CoreDeps,
  { userId }: PressEvent,
  drop: Drop,
): Promise<DropProblem | 'not_giver' | null> {
  if (drop.walletId !== null) return findDeciderProblem(deps, drop, userId);
  return drop.giverId === userId ? null : 'not_giver';
}

async function take(deps: CoreDeps, event: PressEvent, drop: Drop): Promise<View> {
  const { store, texts, clock } = deps;
  const { userId } = event;
  const share = shareOf(microUsdc(drop.amountMicroUsdc), drop.people);
  const facts = { share, giver: giverOf(deps, drop, 'within'), role: drop.role?.name ?? null };
  const names = await identitiesOf(deps, userId);
  const problem = await findTakeProblem(deps, drop, { userId, names });
  if (problem !== null) return privateView('error', texts.takeProblem(problem, facts));
  deps.failpoint?.('share.before-store');
  const taken = await takeShare(store, { dropId: drop.id, userId, names, nowMs: clock.now() });
  deps.failpoint?.('share.after-store');
  if (taken === 'taken') await showDrop(deps, drop.id);
  if (taken !== 'taken' && taken !== 'again') return privateView('error', texts.takeProblem(taken, facts));
  return privateView('ok', [texts.tookShare(facts)]);
}

/** The list that was shown with the button, or none. Pressed again, or delivered again, there is one order, and it goes on. */
async function pay(deps: CoreDeps, event: PressEvent, drop: Drop, shownHash: string): Promise<DropPressed> {
  if (drop.orderId !== null) return { view: null, orderId: drop.orderId };
  const refused = (view: View): DropPressed => ({ view });
  if (drop.status !== 'closed' || drop.messageId === null) return refused(dropProblemView(deps, 'none'));
  const { payees, listHash } = await listOf(deps, drop);
  if (listHash !== shownHash) return changed(deps, event, drop);
  // A moderator may have decided otherwise since; the pause between two tips is for what a person begins.
  const parts = payees.map(({ amount }) => amount);
  const attempt = { ...drop, userId: event.userId, note: null, parts };
  const problem = drop.walletId === null ? await findRuleProblem(deps, attempt) : null;
  if (problem !== null && problem.code !== 'too_soon') {
    return refused(ruleView(deps, problem, { names: [], sum: '', sharing: 'each', note: null }));
  }
  const money = await findDropMoney(deps, event, parts, drop.walletId);
  if ('refusal' in money) return refused(money.refusal);
  const lines = payees.map(({ recipient, amount }) => ({ recipient, amount, isAgain: false }));
  const { chatId, communityId, messageId, walletId } = drop;
  // The order of a community is nobody's: no person has it in their history, takes it back, or hears of it as their own.
  const payer = walletId === null ? {} : { userId: walletId, walletId };
  const drafted = await draftSeveral(deps, { ...event, communityId, ...payer }, { lines, note: null, ...money });
  // It goes on in the card, wherever the list was shown, and never becomes a link that all could pay by.
  // The giver may read alone why it was not paid. Of a community's order nobody does.
  const own = await languageOf(deps, event);
  const language = walletId === null ? (own ?? drop.language) : (drop.language ?? own);
  const draft = { ...drafted, chatId, messageId, viaLink: false, language };
  deps.failpoint?.('order.before-store');
  const paid = { drop, payees: payees.map(({ userId }) => userId), draft };
  const agreed = walletId === null ? await agree(deps, event, paid) : await confirm(deps, event, paid);
  deps.failpoint?.('order.after-store');
  return agreed;
}

type Paid = { drop: Drop; payees: string[]; draft: OrderDraft };

async function agree(deps: CoreDeps, event: PressEvent, { drop, payees, draft }: Paid): Promise<DropPressed> {
  const { store, clock } = deps;
  const order = await agreeToDrop(store, { id: drop.id, payees, nowMs: clock.now() }, draft);
  return order === null ? changed(deps, event, drop) : { view: null, orderId: order.id };
}

/** One of several who moderate. The card shows how many have confirmed, and the order goes on in it once they are enough. */
async function confirm(deps: CoreDeps, event: PressEvent, { drop, payees, draft }: Paid): Promise<DropPressed> {
  const { userId } = event;
  const names = await identitiesOf(deps, userId);
  const confirmed = await confirmWithStanding(deps, drop, { userId, names, payees }, draft);
  switch (confirmed.kind) {
    case 'problem':
      return { view: dropProblemView(deps, confirmed.problem) };
    case 'own':
    case 'has_share':
      return { view: dropProblemView(deps, confirmed.kind) };
    case 'over':
      return changed(deps, event, drop);
    case 'confirmed':
      return { view: null, orderId: confirmed.order.id };
    case 'recorded':
      await showDrop(deps, drop.id);
      return { view: privateView('ok', [deps.texts.dropConfirmed()]) };
  }
}

/** Another press may have been first. Else nothing is paid or confirmed, and the list is read as it is now. */
async function changed(deps: CoreDeps, event: PressEvent, { id }: Drop): Promise<DropPressed> {
  const drop = await findDrop(deps.store, id);
  if (drop?.status === 'closed' && deps.clock.now() < drop.endsAtMs)
    return { view: await changedListView(deps, event, drop) };
  const orderId = drop?.orderId ?? null;
  return orderId === null ? { view: dropProblemView(deps, 'none') } : { view: null, orderId };
}
