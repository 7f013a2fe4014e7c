import type { View } from '../../core/view.ts';
import type { Runner } from '../../queue/runner.ts';
import { foreignAction, pressButton, type ButtonAction } from '../../db/chats/buttons.ts';
import type { SaidCommand } from '../../db/tables/button-actions.ts';
import { takePlayMoney } from '../paying/balance.ts';
import { newButton } from '../conversation/buttons.ts';
import { keepClaimView } from './claim.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { chooseLanguageView } from './language.ts';
import { cancelRaisesView } from '../wallets/limits.ts';
import type { Origin, PressEvent, TextEvent } from '../shared/messenger.ts';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { eraseView, optOutView } from './privacy.ts';
import { answerProposal } from '../tips/proposals.ts';
import { pressConfirmReward, pressRejectReward } from '../rewards/reward-press.ts';
import { inPublic, languageOf, speakingIn } from '../conversation/speech.ts';
import { pressCancelAddress } from '../treasury/treasury-address.ts';
import { pressConfirm, pressReject } from '../treasury/treasury-press.ts';
import { sendOrderNow } from '../tips/send-now.ts';
import { undoOrder } from '../tips/undo.ts';
import { eventSaid } from '../conversation/said.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';
import { endedHoldersView } from '../wallets/newcomers.ts';
import { chooseWalletView } from '../wallets/wallet-views.ts';
import { type WithdrawProgress } from './withdraw-progress.ts';
import { cancelWithdrawalView } from '../wallets/withdraw-cancel.ts';
import { askedView } from '../wallets/withdraw-views.ts';
import { askWithdrawal, type PressedWithdraw } from '../wallets/withdraw-request.ts';
import { findOrder } from '../../db/tips/orders.ts';
import { pressBlock } from '../tips/blocking.ts';
import { messengerOf, orSomethingWrong } from './answering.ts';
import { pressQuiet, pressReceived } from './received.ts';
import { pressDrop, type PressedDrop } from '../drops/drop-press.ts';
import { isRequestAction, pressRequest, type PressedRequest } from './request-press.ts';

export type Works = Record<'orders' | 'withdrawals' | 'rewards', Pick<Runner, 'run'>> & {
  progress: WithdrawProgress;
  handle: (event: TextEvent) => Promise<void>;
};

export async function handlePress(deps: CoreDeps, works: Works, event: PressEvent): Promise<void> {
  const { texts } = deps;
  const { progress } = works;
  const action = await pressButton(deps.store, event);
  const messenger = messengerOf(deps, event);
  if (action === null) return refusePress(deps, event);
  if (action.action === 'say') return pressSaid(deps, works, event, action.said);
  if ('orderId' in action) return pressAnyOrder(deps, works, event, action);
  if ('treasuryId' in action) return pressTreasury(deps, works, event, action);
  if ('rewardId' in action) return pressReward(deps, works, event, action);
  if ('requestId' in action) return pressRequest(deps, works, event, action);
  if ('dropId' in action) return pressADrop(deps, works, event, action);
  const working = action.action === 'take_play_money' ? texts.gettingPlayMoney() : texts.thinking();
  const messageId = await messenger.open(event, workingView(working));
  if (action.action === 'withdraw') return pressWithdraw(deps, works, event, { pressed: action, messageId });
  const heard = await speakingIn(deps, { ...event, messageId }, null);
  const view = await orSomethingWrong(deps, async () => ({ kind: 'view', view: await act(heard, event, action) }));
  await messenger.edit(event.chatId, messageId, view.view);
  // The messages that said when the money would leave.
  if (action.action === 'cancel_withdrawal') void progress.look();
}

async function pressSaid(deps: CoreDeps, { handle }: Works, event: PressEvent, said: SaidCommand): Promise<void> {
  const typed = eventSaid(deps, event, said);
  if (typed !== null) return handle(typed);
  const { texts } = deps;
  await messengerOf(deps, event).open(
    event,
    privateView('error', [said.isRate ? texts.rateIsOver() : texts.buttonIsOver()]),
  );
}

type PressedSaid = Extract<ButtonAction, { action: 'say' }>;
type PressedAnyOrder = Extract<ButtonAction, { orderId: string }>;

function pressAnyOrder(deps: CoreDeps, works: Works, event: PressEvent, action: PressedAnyOrder): Promise<void> {
  switch (action.action) {
    case 'undo_order':
      return pressUndo(deps, works, event, action);
    case 'send_order':
    case 'add_and_send_order':
      return pressSendNow(deps, works, event, action);
    case 'confirm_order':
    case 'cancel_order':
      return pressOrder(deps, works, event, action);
  }
}

async function refusePress(deps: Pick<CoreDeps, 'texts' | 'store' | 'messengers'>, event: PressEvent): Promise<void> {
  const { texts, store } = deps;
  const action = await foreignAction(store, event.buttonId, event.userId);
  const view =
    action === null
      ? privateView('error', [texts.buttonIsOver()])
      : isRequestAction(action)
        ? privateView('error', [texts.notYourRequest()])
        : privateView('error', [texts.notYourButton()], [tryCommand(EXAMPLE_TIP)]);
  await messengerOf(deps, event).open(event, view);
}

type PressedOrder = Extract<ButtonAction, { action: 'confirm_order' | 'cancel_order' }>;
type PressedUndo = Extract<ButtonAction, { action: 'undo_order' }>;

/** The card itself shows progress, so a new message is opened only for what stops it. */
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

type PressedSendNow = Extract<ButtonAction, { action: 'send_order' | 'add_and_send_order' }>;

async function pressSendNow(
  deps: CoreDeps,
  { orders }: Works,
  event: PressEvent,
  { action, orderId }: PressedSendNow,
): Promise<void> {
  const order = { orderId, userId: event.userId };
  const pressed = await orSomethingWrong(deps, async () => ({
    view: await sendOrderNow(deps, order, action === 'add_and_send_order'),
  }));
  const messenger = messengerOf(deps, event);
  if (pressed.view !== null) return void (await messenger.open(event, pressed.view));
  void orders.run(orderId);
  // The card came here from a group, where the order's own message goes on.
  const isElsewhere = (await findOrder(deps.store, orderId))?.chatId !== event.chatId;
  if (isElsewhere) return void (await messenger.open(event, privateView('ok', [deps.texts.goesOnThere()])));
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
  // Its message is stored already, and a crash leads back to it.
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
  // The card says what has to be done, and a crash leads back to it.
  if (pressed.run) {
    deps.failpoint?.('reward.after-confirm');
    void rewards.run(rewardId);
  }
  if (pressed.refusal !== null) await messenger.open(event, pressed.refusal);
  else await messenger.accept?.(event);
}

/** The card, or the order that goes on in it, shows what came of it. */
async function pressADrop(deps: CoreDeps, { orders }: Works, event: PressEvent, action: PressedDrop): Promise<void> {
  const messenger = messengerOf(deps, event);
  const pressed = await orSomethingWrong(deps, () => pressDrop(deps, event, action));
  if ('orderId' in pressed && pressed.orderId !== undefined) void orders.run(pressed.orderId);
  if (pressed.view !== null) return void (await messenger.open(event, pressed.view));
  await messenger.accept?.(event);
}

/** The message is stored before anyone could end the withdrawal, so the end is reported whatever happens here. */
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

type PressedMoney =
  | PressedWithdraw
  | PressedOrder
  | PressedUndo
  | PressedSendNow
  | PressedTreasury
  | PressedCard
  | PressedRequest
  | PressedDrop;
type PressedChat = Exclude<ButtonAction, PressedSaid | PressedMoney>;

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
    case 'block_giver':
    case 'allow_giver':
      return pressBlock(deps, event, { txnId: pressed.txnId, isBlocked: pressed.action === 'block_giver' });
    case 'read_note':
    case 'keep_tip':
    case 'decline_tip':
      return pressReceived(deps, event, { action: pressed.action, txnId: pressed.txnId });
    case 'quiet_small':
    case 'ring_small':
      return pressQuiet(deps, event, pressed.action === 'quiet_small');
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
    return publicView('ok', [inPublic(deps).texts.gotPlayMoney(balance)]);
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'no play money');
    const button = await newButton(deps, userId, { action: 'take_play_money' }, texts.tryAgain());
    return privateView('error', [texts.noPlayMoney()], [button]);
  }
}
