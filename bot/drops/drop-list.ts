import { payeesAmong, sharesOf } from '../../core/drops/drops.ts';
import { microUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import type { Action, View } from '../../core/view.ts';
import { noteListed, takersOf, type Drop } from '../../db/drops/drops.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView } from '../conversation/views.ts';
import { sayButton } from '../conversation/said.ts';
import type { Origin } from '../shared/messenger.ts';
import { identitiesOf } from '../tips/blocking.ts';
import { isStillWanted } from './drop-rule.ts';
import { dropProblemView } from './drop-views.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'messengers' | 'log' | 'random'>;

/** Who gets what, in the order in which they asked. */
export type Payee = { userId: string; recipient: Recipient; amount: MicroUsdc };

/** The list as it is now: names are linked, people banned and payments refused also after a share was taken. */
export async function payeesOf(deps: Deps, drop: Drop): Promise<Payee[]> {
  const takers = await Promise.all(
    (await takersOf(deps.store, drop.id)).map(async ({ userId, names, isStruck }) => {
      const known = [...new Set([...names, ...(await identitiesOf(deps, userId))])];
      return {
        userId,
        names: known,
        isStruck: isStruck || !(await isStillWanted(deps, drop, { userId, names: known })),
      };
    }),
  );
  const payees = payeesAmong(takers);
  const shares = sharesOf(microUsdc(drop.amountMicroUsdc), { people: drop.people, taken: payees.length });
  return payees.map((userId, index) => ({
    userId,
    recipient: recipientOf(drop, userId),
    amount: shares[index] ?? microUsdc(0n),
  }));
}

function recipientOf({ transport }: Drop, userId: string): Recipient {
  const platform = findPlatform(transport);
  if (platform === null) throw new Error(`members of ${transport} have no names that could be paid`);
  return parseRecipient(platform, userId.slice(`${transport}:`.length));
}

/** For the giver, or one who moderates, alone: every name, each with a button that strikes it, and one that pays the rest. */
export async function dropListView(deps: Deps, origin: Origin, drop: Drop): Promise<View> {
  const { texts } = deps;
  const payees = await payeesOf(deps, drop);
  if (payees.length === 0) return dropProblemView(deps, 'empty');
  const sum = sumUsdc(payees.map(({ amount }) => amount));
  // Before it is shown: one who is away from it now, because they take nothing of this giver, may be back in a moment.
  await noteListed(
    deps.store,
    drop.id,
    payees.map(({ userId }) => userId),
  );
  const label = drop.walletId === null ? texts.payDrop(sum) : texts.confirmDrop(sum);
  const pay = await newButton(deps, origin.userId, { action: 'pay_drop', dropId: drop.id }, label);
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

type Struck = { drop: Drop; userId: string; index: number };

async function strikeButton(deps: Deps, origin: Origin, { drop, userId, index }: Struck): Promise<Action> {
  const { chatId, communityId } = drop;
  // In the group of the drop, wherever the list is shown.
  const from = drop.walletId === null ? '' : 'from treasury ';
  const id = await sayButton(deps, { ...origin, chatId, communityId }, `/drop ${from}without ${userId}`);
  return { kind: 'button', label: deps.texts.strikeFromDrop(index + 1), id };
}
