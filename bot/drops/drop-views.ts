import {
  DROP_LIST_HOURS,
  DROP_PEOPLE_MAX,
  DROP_PEOPLE_MIN,
  dropStanding,
  payeesAmong,
  shareOf,
  type DropProblem,
} from '../../core/drops/drops.ts';
import { formatDuration } from '../../core/grammar/duration.ts';
import { EXAMPLE_DROP } from '../../core/grammar/mistakes.ts';
import { microUsdc } from '../../core/money.ts';
import type { Action, View } from '../../core/view.ts';
import { ANYBODY } from '../../db/chats/buttons.ts';
import { findDrop, lookAtDropAgain, takersOf, type Drop } from '../../db/drops/drops.ts';
import { confirmationsOfDrop } from '../../db/drops/treasury-drops.ts';
import { moderatorsOf } from '../../db/rewards/reward-cards.ts';
import { findOrder } from '../../db/tips/orders.ts';
import type { DropFacts, DropStage } from '../../texts/drops/en.ts';
import { lastingButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { speaking } from '../conversation/speech.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';
import { listOf } from './drop-payees.ts';
import { showOvertaken } from '../orders/order-paying.ts';
import { showCurrent } from '../shared/show-current.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'random' | 'clock'>;

/** `within`: inside a sentence. A drop out of the treasury is the community's. */
export function giverOf({ texts }: Pick<Deps, 'texts'>, drop: Drop, place: 'start' | 'within'): string {
  return drop.walletId === null ? drop.giverId : texts.dropCommunity(place);
}

function factsOf(deps: Pick<Deps, 'texts'>, giver: 'start' | 'within', drop: Drop): DropFacts {
  const { amountMicroUsdc, people, role } = drop;
  const amount = microUsdc(amountMicroUsdc);
  return {
    giver: giverOf(deps, drop, giver),
    isTreasury: drop.walletId !== null,
    amount,
    share: shareOf(amount, people),
    people,
    role: role?.name ?? null,
    time: formatDuration(Math.round((drop.closesAtMs - drop.createdAtMs) / 1_000)),
  };
}

/** The one message of a drop, until the order that pays it goes on in it. */
export async function dropCard(deps: Deps, drop: Drop, stage: DropStage | 'open'): Promise<View> {
  const spoken = speaking(deps, drop.language);
  const { texts } = spoken;
  const facts = factsOf(spoken, stage === 'unpaid' ? 'within' : 'start', drop);
  const taken = (await takersOf(deps.store, drop.id)).length;
  if (stage === 'open') {
    const actions = [await buttonFor(deps, drop, 'take_share'), await buttonFor(deps, drop, 'call_off_drop')];
    return { ...workingView(...texts.dropCard(facts, taken)), actions };
  }
  const said = { ...facts, taken, hours: DROP_LIST_HOURS, ...(await standingOf(deps, drop)) };
  if (stage !== 'closed') return publicView('ok', [texts.dropStage(stage, said)]);
  const actions = [await buttonFor(deps, drop, 'list_drop'), await buttonFor(deps, drop, 'call_off_drop')];
  return { ...workingView(texts.dropStage(drop.walletId === null ? stage : 'listed', said)), actions };
}

/** How many of those who moderate have confirmed it, of how many it takes. */
async function standingOf(deps: Pick<Deps, 'store' | 'clock'>, drop: Drop) {
  const confirmations = await confirmationsOfDrop(deps.store, drop.id);
  const payees = payeesAmong(await takersOf(deps.store, drop.id));
  const { listHash } = await listOf(deps, drop);
  return dropStanding(drop, moderatorsOf(drop), { confirmations, payees, listHash });
}

async function buttonFor(
  deps: Deps,
  { id: dropId, giverId, walletId, language }: Drop,
  action: 'take_share' | 'list_drop' | 'call_off_drop',
): Promise<Action> {
  const { texts } = speaking(deps, language);
  const labels = { take_share: texts.takeShare(), list_drop: texts.seeDropList(), call_off_drop: texts.callOffDrop() };
  // Who moderates is asked at the press.
  const userId = action === 'take_share' || walletId !== null ? ANYBODY : giverId;
  return lastingButton(deps, { name: dropId, userId, action: { action, dropId } }, labels[action]);
}

/** Null while the order shows itself in the same message. */
async function stageOf({ store }: Pick<Deps, 'store'>, drop: Drop): Promise<DropStage | 'open' | null> {
  if (drop.status === 'open' || drop.status === 'closed') return drop.status;
  if (drop.status === 'ended') return drop.endReason ?? 'lapsed';
  const order = drop.orderId === null ? null : await findOrder(store, drop.orderId);
  // What went wrong was said to the giver alone, where all others saw a card.
  return order?.status === 'failed' && order.shownAtMs !== null ? 'unpaid' : null;
}

const LOOK_AGAIN_MS = 5_000;

/** Called whenever something may have changed; afterwards the card shows how it is, or is looked at again. */
export async function showDrop(deps: Deps & Pick<CoreDeps, 'messengers'>, id: string): Promise<void> {
  const { store } = deps;
  let isWritten = false;
  const shown = await showCurrent({
    async read() {
      const drop = await findDrop(store, id);
      if (drop === null) return null;
      const [takers, presses] = await Promise.all([takersOf(store, id), confirmationsOfDrop(store, id)]);
      return { drop, stage: await stageOf(deps, drop), takers, presses };
    },
    async show({ drop, stage }) {
      const { transport, chatId, messageId, orderId } = drop;
      // Its order shows itself there, and has been written over.
      if (stage === null && isWritten && orderId !== null) await showOvertaken(store, orderId);
      if (stage === null || messageId === null) return;
      await deps.messengers[transport]?.edit(chatId, messageId, await dropCard(deps, drop, stage));
      isWritten = true;
    },
    faceOf: ({ stage, takers, presses }) => [stage, takers, presses],
  });
  if (shown !== null) await lookAtDropAgain(store, id, await nextLookAt(deps, shown.drop, shown.stage));
}

async function nextLookAt(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  drop: Drop,
  stage: DropStage | 'open' | null,
): Promise<number | null> {
  const soonMs = clock.now() + LOOK_AGAIN_MS;
  // The card is about to stand there, and says something else.
  if (drop.messageId === null && clock.now() < drop.endsAtMs) return soonMs;
  if (stage === 'open') return Math.max(drop.closesAtMs, soonMs);
  if (stage === 'closed') return Math.max(drop.endsAtMs, soonMs);
  if (stage !== null) return null;
  const order = drop.orderId === null ? null : await findOrder(store, drop.orderId);
  const isPaid = order === null || (order.status === 'answered' && order.shownAtMs !== null);
  return isPaid ? null : soonMs;
}

export function dropProblemView({ texts }: Pick<Deps, 'texts'>, problem: DropProblem): View {
  const limits = { least: DROP_PEOPLE_MIN, most: DROP_PEOPLE_MAX };
  return privateView('error', [texts.dropProblem(problem, limits)], EXAMPLES[problem].map(tryCommand));
}

const EXAMPLES: Readonly<Record<DropProblem, readonly string[]>> = {
  unreadable: [EXAMPLE_DROP],
  people: [EXAMPLE_DROP],
  time: [EXAMPLE_DROP],
  share: [EXAMPLE_DROP],
  elsewhere: [],
  no_role: ['/settings drops @role'],
  nobody_known: [],
  busy: ['/drop', '/drop from treasury'],
  none: [EXAMPLE_DROP],
  not_listed: ['/drop'],
  empty: [],
  changed: ['/drop'],
  too_little: ['/deposit'],
  not_decider: [EXAMPLE_DROP],
  standing_unknown: [],
  small_group: [],
  own: [],
  has_share: [],
  treasury_short: ['/treasury deposit'],
};
