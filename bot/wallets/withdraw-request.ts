import { AppError } from '../../core/errors.ts';
import { createIds } from '../../core/ids.ts';
import { microUsdc } from '../../core/money.ts';
import type { ButtonAction } from '../../db/chats/buttons.ts';
import { findWithdrawal, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import { requestWithdrawal } from '../../db/withdrawals/request.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { findNetwork } from '../shared/networks.ts';
import { draftWithdrawal, type WithdrawDraft } from './withdraw-draft.ts';
import type { WithdrawProblem } from '../../texts/withdrawals/problem.ts';
import { findWallet } from '../shared/wallets.ts';

/** The action of the button under a draft. Everything is in its row: who presses it can change nothing of it. */
export function withdrawAction(deps: Pick<CoreDeps, 'random'>, draft: WithdrawDraft): ButtonAction {
  const { walletId, network, address, toTreasury, amount } = draft;
  const id = createIds(deps.random).withdrawalId();
  const withdrawal = { id, network, toAddress: address, toTreasury, amountMicroUsdc: amount.toString() };
  return { action: 'withdraw', walletId, withdrawal };
}

export type PressedWithdraw = Extract<ButtonAction, { action: 'withdraw' }>;

export type Asked =
  | { kind: 'asked'; row: WithdrawalRow }
  | { kind: 'problem'; problem: WithdrawProblem }
  /** The wallet is not this person's any more. */
  | { kind: 'not_held' }
  /** Too many at once; `detail` is a sentence for people. */
  | { kind: 'limited'; detail: string };

/**
 * Requests the withdrawal of a button. The same button again returns the same withdrawal, whatever has become of it.
 * The button may be old, so everything is checked again. `passkeyId`: the passkey that has agreed to exactly this.
 */
export async function askWithdrawal(
  deps: Pick<CoreDeps, 'store' | 'networks' | 'clock' | 'log'>,
  holderId: string,
  pressed: PressedWithdraw,
  passkeyId: string | null = null,
): Promise<Asked> {
  const { store, networks, clock } = deps;
  const { walletId, withdrawal } = pressed;
  const known = await findWithdrawal(store, withdrawal.id);
  if (known) return { kind: 'asked', row: known };
  if (!(await findWallet(store, { userId: holderId, walletId }, clock.now()))) return { kind: 'not_held' };
  const { network, toAddress: address, toTreasury = null, id } = withdrawal;
  const amount = microUsdc(BigInt(withdrawal.amountMicroUsdc));
  const wish = { walletId, network, address, toTreasury, amount: { kind: 'exact', amount }, passkeyId } as const;
  const drafted = await draftWithdrawal(deps, wish);
  if (drafted.kind === 'problem') return drafted;
  const paying = findNetwork(networks, network);
  if (paying === null) throw new Error(`a draft is for ${network}, which is not offered`);
  const fromAddress = await paying.addressOf(walletId);
  try {
    const row = await requestWithdrawal(store, {
      id,
      holderId,
      requestKey: id,
      walletId,
      network,
      fromAddress,
      toAddress: drafted.draft.address,
      toTreasury,
      amountMicroUsdc: amount,
      passkeyId,
      nowMs: clock.now(),
    });
    return { kind: 'asked', row };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
    return { kind: 'limited', detail: error.context.detail ?? error.message };
  }
}
