import { shareOf } from '../../core/drops/drops.ts';
import { microUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import type { ButtonAction } from '../../db/chats/buttons.ts';
import { agreeToDrop, endDrop, findDrop, takeShare, type Drop } from '../../db/drops/drops.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { languageOf } from '../conversation/speech.ts';
import { privateView } from '../conversation/views.ts';
import type { PressEvent } from '../shared/messenger.ts';
import { identitiesOf } from '../tips/blocking.ts';
import { findRuleProblem, ruleView } from '../tips/community-rules.ts';
import { draftSeveral } from '../tips/several.ts';
import { dropListView, payeesOf } from './drop-list.ts';
import { findDropMoney } from './drop-money.ts';
import { findTakeProblem } from './drop-rule.ts';
import { dropProblemView, showDrop } from './drop-views.ts';

export type PressedDrop = Extract<ButtonAction, { dropId: string }>;

/** `view`: for the person who pressed; null where the card itself shows it. `orderId`: goes on now. */
export type DropPressed = { view: View | null; orderId?: string };

export async function pressDrop(
  deps: CoreDeps,
  event: PressEvent,
  { action, dropId }: PressedDrop,
): Promise<DropPressed> {
  const drop = await findDrop(deps.store, dropId);
  const over: DropPressed = { view: privateView('error', [deps.texts.buttonIsOver()]) };
  if (drop === null) return over;
  if (action === 'take_share') return { view: await take(deps, event, drop) };
  if (drop.giverId !== event.userId) return over;
  if (action === 'list_drop') return drop.status === 'closed' ? { view: await dropListView(deps, event, drop) } : over;
  if (action === 'pay_drop') return pay(deps, event, drop);
  const isEnded = await endDrop(deps.store, drop.id, { reason: 'called_off', nowMs: deps.clock.now() });
  if (isEnded) await showDrop(deps, drop.id);
  return isEnded ? { view: null } : over;
}

async function take(deps: CoreDeps, event: PressEvent, drop: Drop): Promise<View> {
  const { store, texts, clock } = deps;
  const { userId } = event;
  const share = shareOf(microUsdc(drop.amountMicroUsdc), drop.people);
  const facts = { share, giver: drop.giverId, role: drop.role?.name ?? null };
  const names = await identitiesOf(deps, userId);
  const problem = await findTakeProblem(deps, drop, { userId, names });
  if (problem !== null) return privateView('error', texts.takeProblem(problem, facts));
  const taken = await takeShare(store, { dropId: drop.id, userId, names, nowMs: clock.now() });
  if (taken === 'taken') await showDrop(deps, drop.id);
  if (taken !== 'taken' && taken !== 'again') return privateView('error', texts.takeProblem(taken, facts));
  return privateView('ok', [texts.tookShare(facts)]);
}

/** Pressed again, or delivered again, there is one order, and it goes on. */
async function pay(deps: CoreDeps, event: PressEvent, drop: Drop): Promise<DropPressed> {
  if (drop.orderId !== null) return { view: null, orderId: drop.orderId };
  const { store, clock } = deps;
  const refused = (view: View): DropPressed => ({ view });
  if (drop.status !== 'closed' || drop.messageId === null) return refused(dropProblemView(deps, 'none'));
  const payees = await payeesOf(deps, drop);
  if (payees.length === 0) return refused(dropProblemView(deps, 'empty'));
  // A moderator may have decided otherwise since; the pause between two tips is for what a person begins.
  const parts = payees.map(({ amount }) => amount);
  const attempt = { ...drop, userId: event.userId, note: null, parts };
  const problem = await findRuleProblem(deps, attempt);
  if (problem !== null && problem.code !== 'too_soon') {
    return refused(ruleView(deps, problem, { names: [], sum: '', sharing: 'each', note: null }));
  }
  const money = await findDropMoney(deps, event, parts);
  if ('refusal' in money) return refused(money.refusal);
  const lines = payees.map(({ recipient, amount }) => ({ recipient, amount, isAgain: false }));
  const { chatId, communityId, messageId } = drop;
  const drafted = await draftSeveral(deps, { ...event, communityId }, { lines, note: null, ...money });
  // It goes on in the card, wherever the list was shown, and never becomes a link that all could pay by.
  const draft = { ...drafted, chatId, messageId, viaLink: false };
  deps.failpoint?.('order.before-store');
  const language = drop.language ?? (await languageOf(deps, event));
  const order = await agreeToDrop(
    store,
    { id: drop.id, payees: payees.map(({ userId }) => userId), nowMs: clock.now() },
    { ...draft, language },
  );
  deps.failpoint?.('order.after-store');
  if (order !== null) return { view: null, orderId: order.id };
  // Another press of the same person may have been first.
  const orderId = (await findDrop(store, drop.id))?.orderId ?? null;
  return orderId === null ? refused(dropProblemView(deps, 'changed')) : { view: null, orderId };
}
