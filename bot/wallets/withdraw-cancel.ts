import { networkNamed } from '../../core/networks.ts';
import type { Action, Paragraph, View } from '../../core/view.ts';
import type { ButtonAction } from '../../db/chats/buttons.ts';
import { callOff, freshAddresses, waitingWithdrawals, type Cancelled } from '../../db/withdrawals/cancel.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { watchedWallets } from '../shared/wallets.ts';
import { factsOf } from './withdraw-facts.ts';

const SHOWN_MAX = 6;

export type PressedCancel = Extract<ButtonAction, { action: 'cancel_withdrawal' }>;

/** For the holder who asked; other holders of the wallet type the command. */
export async function cancelButton(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'random' | 'clock'>,
  row: WithdrawalRow,
): Promise<Action> {
  const { id, holderId, walletId, network, toAddress, amountMicroUsdc } = row;
  const withdrawal = {
    id,
    network: networkNamed(network),
    toAddress,
    amountMicroUsdc: amountMicroUsdc.toString(),
  };
  return newButton(deps, holderId, { action: 'cancel_withdrawal', walletId, withdrawal }, deps.texts.cancelWithdraw());
}

/**
 * Calls off everything that waits for this withdrawal's address: a holder who says it is not theirs means every sum to
 * it. Allowed anywhere and at any time, because it only ever keeps money where it is.
 */
export async function cancelWithdrawalView(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'networks'>,
  { userId }: Origin,
  pressed: PressedCancel,
): Promise<View> {
  const { store, texts, clock } = deps;
  const { walletId, withdrawal } = pressed;
  if (!(await watchedWallets(store, userId, clock.now())).some((wallet) => wallet.walletId === walletId)) {
    return privateView('error', [texts.withdrawNotHeld()], [tryCommand('/wallet')]);
  }
  const to = { network: withdrawal.network, address: withdrawal.toAddress };
  return cancelledView(deps, await callOff(store, { walletId, to }, clock.now()));
}

/** The same for all that waits in all the wallets of a person. */
export async function cancelAllView(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'texts' | 'networks'>,
  { userId }: Origin,
): Promise<View> {
  const { store, clock } = deps;
  const ended: WithdrawalRow[] = [];
  const left: WithdrawalRow[] = [];
  for (const { walletId } of await watchedWallets(store, userId, clock.now())) {
    const cancelled = await callOff(store, { walletId }, clock.now());
    ended.push(...cancelled.ended);
    left.push(...cancelled.left);
  }
  return cancelledView(deps, { ended, left });
}

function cancelledView(deps: Pick<CoreDeps, 'texts' | 'networks'>, { ended, left }: Cancelled): View {
  const { texts } = deps;
  const newAgain = new Map(left.map((row) => [`${row.network} ${row.toAddress}`, factsOf(deps, row)]));
  const shown = [
    ...ended.slice(0, SHOWN_MAX).map((row) => texts.withdrawCancelled(factsOf(deps, row))),
    ...[...newAgain.values()].slice(0, SHOWN_MAX).map((facts) => texts.withdrawNewAgain(facts)),
  ];
  if (shown.length === 0) return privateView('error', [texts.noWithdrawWaits()], [tryCommand('/balance')]);
  return privateView('ok', shown, [tryCommand('/balance')]);
}

/**
 * For answers about money: what is about to leave, no matter who asked for it. The owner finds here what another person
 * asked for from another of the owner's chats.
 */
export async function waitingLines(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'networks'>,
  { userId }: Origin,
): Promise<Paragraph[]> {
  const { store, texts, clock } = deps;
  const walletIds = (await watchedWallets(store, userId, clock.now())).map(({ walletId }) => walletId);
  const waiting = await waitingWithdrawals(store, walletIds);
  const fresh = await freshAddresses(store, walletIds, clock.now());
  const shown = [
    ...waiting.map((row) => texts.withdrawWaits(factsOf(deps, row), new Date(row.notBeforeMs))),
    ...fresh.map(({ row, knownFromMs }) => texts.withdrawBecomesKnown(factsOf(deps, row), new Date(knownFromMs))),
  ];
  return shown.length === 0 ? [] : [...shown.slice(0, SHOWN_MAX), texts.withdrawNotYou()];
}
