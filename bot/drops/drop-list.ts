import { sumUsdc } from '../../core/money.ts';
import type { Action, View } from '../../core/view.ts';
import type { Drop } from '../../db/drops/drops.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView } from '../conversation/views.ts';
import { sayButton } from '../conversation/said.ts';
import type { Origin } from '../shared/messenger.ts';
import { listOf } from './drop-payees.ts';
import { dropProblemView } from './drop-views.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'messengers' | 'log' | 'random'>;

/** For the giver, or one who moderates, alone: every name, each with a button that strikes it, and one that pays the rest. */
export async function dropListView(deps: Deps, origin: Origin, drop: Drop): Promise<View> {
  const { texts } = deps;
  const { payees, listHash } = await listOf(deps, drop);
  if (payees.length === 0) return dropProblemView(deps, 'empty');
  const sum = sumUsdc(payees.map(({ amount }) => amount));
  const label = drop.walletId === null ? texts.payDrop(sum) : texts.confirmDrop(sum);
  // One who is away from it now, because they take nothing of this giver, may be back in a moment: it is this list or none.
  const pay = await newButton(deps, origin.userId, { action: 'pay_drop', dropId: drop.id, listHash }, label);
  const strike = await Promise.all(
    payees.map(({ userId }, index) => strikeButton(deps, origin, { drop, userId, index })),
  );
  const lines = payees.map(({ userId, amount }, index) => texts.dropListed(index + 1, userId, amount));
  return privateView(
    'ok',
    [texts.dropList(payees.length, sum), ...lines, texts.dropStrikeHint(drop.walletId !== null)],
    [pay, ...strike],
  );
}

/** The list as it is now, below the words that the one whose button was pressed is no longer it. */
export async function changedListView(deps: Deps, origin: Origin, drop: Drop): Promise<View> {
  const view = await dropListView(deps, origin, drop);
  if (view.state === 'error') return view;
  return { ...view, paragraphs: [...dropProblemView(deps, 'changed').paragraphs, ...view.paragraphs] };
}

type Struck = { drop: Drop; userId: string; index: number };

async function strikeButton(deps: Deps, origin: Origin, { drop, userId, index }: Struck): Promise<Action> {
  const { chatId, communityId } = drop;
  // In the group of the drop, wherever the list is shown.
  const from = drop.walletId === null ? '' : 'from treasury ';
  const id = await sayButton(deps, { ...origin, chatId, communityId }, `/drop ${from}without ${userId}`);
  return { kind: 'button', label: deps.texts.strikeFromDrop(index + 1), id };
}
