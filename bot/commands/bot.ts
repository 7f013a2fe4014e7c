import { createJob } from '../../queue/job.ts';
import type { Runner } from '../../queue/runner.ts';
import { LOOK_PACE } from '../shared/clock.ts';
import { forgetAnswers } from '../../db/chats/kept-answers.ts';
import { forgetPeople } from '../../db/communities/community-people.ts';
import { noteRates } from '../../db/tips/day-rates.ts';
import { findOrderByEvent, type OrderRow } from '../../db/tips/orders.ts';
import { releaseRefused } from '../paying/caps-release.ts';
import { answerCommand } from './commands.ts';
import { createClosing } from '../wallets/closing.ts';
import { lookForDeposits } from '../wallets/deposits.ts';
import { createWithdrawals } from '../wallets/withdrawals.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PressEvent, TextEvent } from '../shared/messenger.ts';
import { placeOrder } from '../tips/order-placing.ts';
import { showOvertaken } from '../orders/order-paying.ts';
import { createOrders } from '../orders/orders.ts';
import { createPayLinks } from '../pay-links/pay-links.ts';
import { endStaleProposals, showProposal } from '../tips/proposals.ts';
import { createRewardWork } from '../rewards/reward-work.ts';
import { lookAfterDrops } from '../drops/drop-work.ts';
import { lookAfterRequests } from '../money-requests/request-work.ts';
import { pressable } from '../conversation/said.ts';
import { firstView, languageOf, speaking, speakingIn } from '../conversation/speech.ts';
import { lookAfterTreasuries } from '../treasury/treasury-work.ts';
import { forgetButtons } from '../../db/chats/buttons.ts';
import { COMMAND_FRESH_MS } from '../shared/card-time.ts';
import { createWithdrawProgress } from './withdraw-progress.ts';
import { messengerOf, orSomethingWrong } from './answering.ts';
import { handlePress } from './presses.ts';

export type Bot = {
  /**
   * Takes one message. Resolves when nothing can be lost any more: a payment has its order row and goes on by
   * itself, everything else is answered. The same event again is the same order and the same answer.
   */
  handle: (event: TextEvent) => Promise<void>;
  press: (event: PressEvent) => Promise<void>;
  /** From now on it looks for work by itself, beginning with what an earlier process left behind. */
  start: () => void;
  /** Takes up what is due. */
  resume: () => Promise<void>;
  idle: () => Promise<void>;
} & PageWorks;

/** For the pages beside the chats: those of a purse, of a pay link, and of a reward. */
type PageWorks = Record<'orders' | 'withdrawals' | 'links' | 'rewards', Pick<Runner, 'run' | 'look'>>;

/** The neutral core: commands in, views out. Adapters translate events into it and views out of it. */
export function createBot(deps: CoreDeps): Bot {
  const orders = createOrders(deps);
  const withdrawals = createWithdrawals(deps);
  const progress = createWithdrawProgress(deps);
  const links = createPayLinks(deps, orders.run);
  const rewards = createRewardWork(deps);
  const job = (name: string, step: () => Promise<void>) =>
    createJob({ ...deps, name, everyMs: LOOK_PACE.mostMs, step });
  const proposals = job('stale proposals', () => endStaleProposals(deps, orders));
  const caps = job('refused orders', () => releaseRefused(deps));
  const treasuries = job('treasuries', () => lookAfterTreasuries(deps));
  const requests = job('requests', () => lookAfterRequests(deps));
  const drops = job('drops', () => lookAfterDrops(deps));
  const closing = createClosing(deps);
  const lapsed = job('what lapses', () => forgetLapsed(deps));
  const rates = job('rates of the day', async () => {
    if (deps.otherMoney !== undefined) await noteRates(deps.store, deps.otherMoney.rates, deps.clock.now());
  });
  const deposits = job('deposits', () => lookForDeposits(deps));
  const works = [
    proposals,
    caps,
    treasuries,
    requests,
    drops,
    lapsed,
    rates,
    deposits,
    closing,
    orders,
    withdrawals,
    progress,
    links,
    rewards,
  ];
  const handle = async (event: TextEvent) => {
    const known = await findOrderByEvent(deps.store, event.transport, event.eventId);
    const order = known ?? (await takeCommand(deps, event));
    if (order?.status === 'proposed') return showProposal(speaking(deps, order.language), order);
    // Not awaited: an adapter acknowledges its event now, and the row is what remembers.
    if (order) void orders.run(order.id);
  };
  return {
    orders,
    withdrawals,
    links,
    rewards,
    handle,
    press: async (event) =>
      handlePress(
        speaking(deps, await languageOf(deps, event)),
        { orders, withdrawals, progress, rewards, handle },
        event,
      ),
    start: () => works.forEach((work) => work.start()),
    async resume() {
      await Promise.all([proposals.run(), caps.run()]);
      // Not awaited: they take a minute where a card is followed, and networks take their time to answer.
      for (const looks of [treasuries.run(), requests.run(), drops.run(), progress.look(), rewards.look()]) void looks;
      await Promise.all([orders, withdrawals, links].map((runner) => runner.look()));
    },
    idle: async () => void (await Promise.all(works.map((work) => work.idle()))),
  };
}

/** The order to carry out or to agree to; null when the command is answered already. */
async function takeCommand(known: CoreDeps, event: TextEvent): Promise<OrderRow | null> {
  const language = await languageOf(known, event);
  const messenger = messengerOf(known, event);
  const messageId = await messenger.open(event, await firstView(speaking(known, language), event));
  const deps = await speakingIn(known, { ...event, messageId }, language);
  const answer = await orSomethingWrong(deps, () => answerCommand(deps, event));
  if (answer.kind === 'view') {
    await messenger.edit(event.chatId, messageId, await pressable(deps, event, answer.view));
    await answer.shown?.(messageId);
    return orderMeanwhile(deps, event);
  }
  const status = answer.kind === 'proposal' ? 'proposed' : 'drafted';
  deps.failpoint?.('order.before-store');
  const placed = await placeOrder(deps, { ...answer.draft, messageId, language }, status, answer.words);
  deps.failpoint?.('order.after-store');
  if (placed.kind === 'order') return placed.order;
  await messenger.edit(event.chatId, messageId, placed.view);
  return orderMeanwhile(deps, event);
}

/** This process may have been stopped, and another one have taken the event over: then its order was shown, and overwritten now. */
async function orderMeanwhile({ store }: CoreDeps, event: TextEvent): Promise<OrderRow | null> {
  const order = await findOrderByEvent(store, event.transport, event.eventId);
  if (order !== null) await showOvertaken(store, order.id);
  return order;
}

const FORGOTTEN_AT_ONCE = 1_000;

/** Buttons are kept as long as a tip can wait that one of them takes back, and at least so long. */
const BUTTON_DAYS_MIN = 30;
const DAY_MS = 24 * 3_600_000;

async function forgetLapsed({
  store,
  clock,
  claimDays,
}: Pick<CoreDeps, 'store' | 'clock' | 'claimDays'>): Promise<void> {
  const nowMs = clock.now();
  const madeUntilMs = nowMs - Math.max(BUTTON_DAYS_MIN, claimDays) * DAY_MS;
  await forgetButtons(store, { saidUntilMs: nowMs - COMMAND_FRESH_MS, madeUntilMs }, FORGOTTEN_AT_ONCE);
  await forgetPeople(store, clock.now(), FORGOTTEN_AT_ONCE);
  await forgetAnswers(store, clock.now());
}
