import type { View } from '../../core/view.ts';
import { createJob } from '../../queue/job.ts';
import type { Runner } from '../../queue/runner.ts';
import { LOOK_PACE } from '../shared/clock.ts';
import { isForeignButton, pressButton, type ButtonAction } from '../../db/chats/buttons.ts';
import { findOrderByEvent, type OrderRow } from '../../db/tips/orders.ts';
import { takePlayMoney } from '../paying/balance.ts';
import { newButton } from '../conversation/buttons.ts';
import { releaseRefused } from '../paying/caps-release.ts';
import { answerCommand } from './commands.ts';
import { createWithdrawals } from '../wallets/withdrawals.ts';
import { keepClaimView } from './claim.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { chooseLanguageView } from './language.ts';
import { cancelRaisesView } from '../wallets/limits.ts';
import type { Messenger, Origin, PressEvent, TextEvent } from '../shared/messenger.ts';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { placeOrder } from '../tips/order-placing.ts';
import { createOrders } from '../orders/orders.ts';
import { createPayLinks } from '../pay-links/pay-links.ts';
import { eraseView, optOutView } from './privacy.ts';
import { answerProposal, endStaleProposals, showProposal } from '../tips/proposals.ts';
import { pressConfirmReward, pressRejectReward } from '../rewards/reward-press.ts';
import { createRewardWork } from '../rewards/reward-work.ts';
import { languageOf, speaking } from '../conversation/speech.ts';
import { pressCancelAddress } from '../treasury/treasury-address.ts';
import { pressConfirm, pressReject } from '../treasury/treasury-press.ts';
import { lookAfterTreasuries } from '../treasury/treasury-work.ts';
import { undoOrder } from '../tips/undo.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';
import { endedHoldersView } from '../wallets/newcomers.ts';
import { chooseWalletView } from '../wallets/wallet-views.ts';
import { createWithdrawProgress, type WithdrawProgress } from './withdraw-progress.ts';
import { cancelWithdrawalView } from '../wallets/withdraw-cancel.ts';
import { askedView } from '../wallets/withdraw-views.ts';
import { askWithdrawal, type PressedWithdraw } from '../wallets/withdraw-request.ts';

export type Bot = {
  /**
   * Takes one message. Resolves when nothing can be lost any more: a payment is in its order row and goes on by
   * itself, everything else is answered. The same event again is the same order and the same answer.
   */
  handle: (event: TextEvent) => Promise<void>;
  press: (event: PressEvent) => Promise<void>;
  /** From now on it looks by itself for what there is to do, first for what an earlier process left behind. */
  start: () => void;
  /** Takes up what is due. */
  resume: () => Promise<void>;
  idle: () => Promise<void>;
} & PageWorks;

/** For the pages beside the chats: those of a purse, of a pay link, and of a reward. */
type PageWorks = Record<'orders' | 'withdrawals' | 'links' | 'rewards', Pick<Runner, 'run'>>;

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
  const works = [proposals, caps, treasuries, orders, withdrawals, progress, links, rewards];
  return {
    orders,
    withdrawals,
    links,
    rewards,
    async handle(event) {
      const known = await findOrderByEvent(deps.store, event.transport, event.eventId);
      const order = known ?? (await takeCommand(deps, event));
      if (order?.status === 'proposed') return showProposal(speaking(deps, order.language), order);
      // Not awaited: an adapter acknowledges its event now, and the row is what remembers.
      if (order) void orders.run(order.id);
    },
    press: async (event) =>
      handlePress(speaking(deps, await languageOf(deps, event)), { orders, withdrawals, progress, rewards }, event),
    start: () => works.forEach((work) => work.start()),
    async resume() {
      await Promise.all([proposals.run(), caps.run()]);
      // Not awaited: they take a minute where a card is followed, and networks take their time to answer.
      for (const looks of [treasuries.run(), progress.look(), rewards.look()]) void looks;
      await Promise.all([orders, withdrawals, links].map((runner) => runner.look()));
    },
    idle: async () => void (await Promise.all(works.map((work) => work.idle()))),
  };
}

/** The order to carry out or to agree to; null when the command is answered already. */
async function takeCommand(known: CoreDeps, event: TextEvent): Promise<OrderRow | null> {
  const language = await languageOf(known, event);
  const deps = speaking(known, language);
  const messenger = messengerOf(deps, event);
  const messageId = await messenger.open(event, workingView(deps.texts.thinking()));
  const answer = await orSomethingWrong(deps, () => answerCommand(deps, event));
  if (answer.kind === 'view') {
    await messenger.edit(event.chatId, messageId, answer.view);
    await answer.shown?.(messageId);
    return null;
  }
  const status = answer.kind === 'proposal' ? 'proposed' : 'drafted';
  deps.failpoint?.('order.before-store');
  const placed = await placeOrder(deps, { ...answer.draft, messageId, language }, status, answer.words);
  deps.failpoint?.('order.after-store');
  if (placed.kind === 'order') return placed.order;
  await messenger.edit(event.chatId, messageId, placed.view);
  return null;
}

type ViewOnly = { kind: 'view'; view: View; shown?: never };

/** Until an order exists nothing can be charged, so a failure here can be told as such. */
async function orSomethingWrong<T>(
  deps: Pick<CoreDeps, 'log' | 'texts'>,
  work: () => Promise<T>,
): Promise<T | ViewOnly> {
  try {
    return await work();
  } catch (error) {
    deps.log.error({ error: String(error) }, 'command failed');
    return { kind: 'view', view: privateView('error', [deps.texts.somethingWrong()]) };
  }
}

type Works = Omit<PageWorks, 'links'> & { progress: WithdrawProgress };

async function handlePress(deps: CoreDeps, works: Works, event: PressEvent): Promise<void> {
  const { texts } = deps;
  const { progress } = works;
  const action = await pressButton(deps.store, event);
  const messenger = messengerOf(deps, event);
  if (action === null) return refusePress(deps, event);
  if (action.action === 'undo_order') return pressUndo(deps, works, event, action);
  if ('orderId' in action) return pressOrder(deps, works, event, action);
  if ('treasuryId' in action) return pressTreasury(deps, works, event, action);
  if ('rewardId' in action) return pressReward(deps, works, event, action);
  const working = action.action === 'take_play_money' ? texts.gettingPlayMoney() : texts.thinking();
  const messageId = await messenger.open(event, workingView(working));
  if (action.action === 'withdraw') return pressWithdraw(deps, works, event, { pressed: action, messageId });
  const view = await orSomethingWrong(deps, async () => ({ kind: 'view', view: await act(deps, event, action) }));
  await messenger.edit(event.chatId, messageId, view.view);
  // The messages that said when it leaves.
  if (action.action === 'cancel_withdrawal') void progress.look();
}

async function refusePress(deps: Pick<CoreDeps, 'texts' | 'store' | 'messengers'>, event: PressEvent): Promise<void> {
  const { texts, store } = deps;
  const isForeign = await isForeignButton(store, event.buttonId, event.userId);
  const view = isForeign
    ? privateView('error', [texts.notYourButton()], [tryCommand(EXAMPLE_TIP)])
    : privateView('error', [texts.buttonIsOver()]);
  await messengerOf(deps, event).open(event, view);
}

type PressedOrder = Extract<ButtonAction, { action: 'confirm_order' | 'cancel_order' }>;
type PressedUndo = Extract<ButtonAction, { action: 'undo_order' }>;

/** The card itself shows how it goes on, so a new message is opened only for what keeps it from going on. */
async function pressOrder(
  deps: Pick<CoreDeps, 'messengers' | 'store' | 'clock' | 'texts'>,
  { orders }: Works,
  event: PressEvent,
  { action, orderId }: PressedOrder,
): Promise<void> {
  const messenger = messengerOf(deps, event);
  const refusal = await answerProposal(deps, { orderId, userId: event.userId, isYes: action === 'confirm_order' });
  if (refusal !== null) return void (await messenger.open(event, refusal));
  void orders.run(orderId);
  await messenger.accept?.(event);
}

/** The same for the message that says how the order ended. */
async function pressUndo(
  deps: CoreDeps,
  { orders }: Works,
  event: PressEvent,
  { orderId }: PressedUndo,
): Promise<void> {
  const undone = await orSomethingWrong(deps, () => undoOrder(deps, orderId, event.userId));
  const messenger = messengerOf(deps, event);
  if ('isChanged' in undone && undone.isChanged) void orders.run(orderId);
  if (undone.view !== null) return void (await messenger.open(event, undone.view));
  await messenger.accept?.(event);
}

type PressedTreasury = Extract<ButtonAction, { treasuryId: string }>;

/** The same for what belongs to a community: the card shows how it goes on. */
async function pressTreasury(
  deps: CoreDeps,
  { withdrawals, progress }: Works,
  event: PressEvent,
  { action, treasuryId }: PressedTreasury,
): Promise<void> {
  const messenger = messengerOf(deps, event);
  const pressed = await orSomethingWrong(deps, async () => {
    if (action === 'cancel_treasury_address') {
      const view = await pressCancelAddress(deps, event, treasuryId);
      return { refusal: view, confirmed: false };
    }
    return (action === 'confirm_treasury' ? pressConfirm : pressReject)(deps, event, treasuryId);
  });
  if ('view' in pressed) return void (await messenger.open(event, pressed.view));
  if (pressed.refusal !== null) await messenger.open(event, pressed.refusal);
  else await messenger.accept?.(event);
  if (!pressed.confirmed) return;
  // Its message is written down already, and is what a crash leads back to.
  void withdrawals.run(treasuryId);
  void progress.run(treasuryId);
}

type PressedCard = Extract<ButtonAction, { rewardId: string }>;

async function pressReward(
  deps: CoreDeps,
  { rewards }: Works,
  event: PressEvent,
  { action, rewardId }: PressedCard,
): Promise<void> {
  const messenger = messengerOf(deps, event);
  const pressed = await orSomethingWrong(deps, () =>
    (action === 'confirm_reward' ? pressConfirmReward : pressRejectReward)(deps, event, rewardId),
  );
  if ('view' in pressed) return void (await messenger.open(event, pressed.view));
  // The card says what has to be done about it, and is what a crash leads back to.
  if (pressed.run) {
    deps.failpoint?.('reward.after-confirm');
    void rewards.run(rewardId);
  }
  if (pressed.refusal !== null) await messenger.open(event, pressed.refusal);
  else await messenger.accept?.(event);
}

/** The message is stored before anyone could end the withdrawal, so its end is told whatever happens here. */
async function pressWithdraw(
  deps: CoreDeps,
  { withdrawals, progress }: Works,
  event: PressEvent,
  { pressed, messageId }: { pressed: PressedWithdraw; messageId: string },
): Promise<void> {
  const asked = await askWithdrawal(deps, event.userId, pressed);
  await messengerOf(deps, event).edit(event.chatId, messageId, await askedView(deps, asked));
  if (asked.kind !== 'asked') return;
  const { transport, chatId } = event;
  const language = await languageOf(deps, event);
  await progress.follow({ withdrawalId: asked.row.id, transport, chatId, messageId, language });
  void withdrawals.run(asked.row.id);
}

type PressedChat = Exclude<ButtonAction, PressedWithdraw | PressedOrder | PressedUndo | PressedTreasury | PressedCard>;

function act(deps: CoreDeps, event: Origin, pressed: PressedChat): Promise<View> {
  switch (pressed.action) {
    case 'take_play_money':
      return playMoneyView(deps, event);
    case 'choose_wallet':
      return chooseWalletView(deps, event.userId, pressed.walletId);
    case 'choose_language':
      return chooseLanguageView(deps, event, pressed.language);
    case 'keep_claim':
      return keepClaimView(deps, event, pressed.claimId);
    case 'erase':
      return eraseView(deps, event);
    case 'opt_out':
      return optOutView(deps, event);
    case 'cancel_withdrawal':
      return cancelWithdrawalView(deps, event, pressed);
    case 'cancel_raises':
      return cancelRaisesView(deps, { ...event, walletId: pressed.walletId });
    case 'end_new_holders':
      return endedHoldersView(deps, event.userId, pressed.walletId);
  }
}

/** Also the first thing a visitor of the web chat gets. */
export async function playMoneyView(deps: CoreDeps, { walletId, userId }: Origin): Promise<View> {
  const { texts } = deps;
  try {
    const balance = await takePlayMoney(deps, walletId);
    return publicView('ok', [texts.gotPlayMoney(balance)]);
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'no play money');
    const button = await newButton(deps, userId, { action: 'take_play_money' }, texts.tryAgain());
    return privateView('error', [texts.noPlayMoney()], [button]);
  }
}

function messengerOf(deps: Pick<CoreDeps, 'messengers'>, { transport }: Origin): Messenger {
  const messenger = deps.messengers[transport];
  if (!messenger) throw new Error(`no messenger for the transport ${transport}`);
  return messenger;
}
