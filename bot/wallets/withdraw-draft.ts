import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { sameAddress, networkTitle, type Network } from '../../core/networks.ts';
import type { AddressCheck } from '../../core/payments/payout-address.ts';
import { previewLeaving } from '../../db/withdrawals/leaving.ts';
import { WITHDRAWAL_AMOUNT_MIN } from '../../db/withdrawals/request.ts';
import { within } from '../../queue/deadline.ts';
import { readHolding } from '../paying/balance.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { AmountForm } from '../../core/grammar/amount.ts';
import { findNetwork, type PayingNetwork } from '../shared/networks.ts';

import type { WithdrawProblem } from '../../texts/withdrawals/problem.ts';

const CHECK_LIMIT_MS = 15_000;

export type WithdrawWish = {
  walletId: string;
  network: Network;
  address: string;
  amount: AmountForm;
  /** The community's treasury whose address that is. */
  toTreasury?: string | null | undefined;
  /** The passkey that has agreed to it, or is about to be asked. */
  passkeyId?: string | null;
};

/** A wish with nothing left open: exactly this is shown to the person, and then done. */
export type WithdrawDraft = {
  walletId: string;
  network: Network;
  /** The network as people call it. */
  place: string;
  /** As the books write it. */
  address: string;
  toTreasury: string | null;
  amount: MicroUsdc;
  /** When it leaves, as things stand; null: at once. */
  notBeforeMs: number | null;
};

export type Drafted = { kind: 'draft'; draft: WithdrawDraft } | { kind: 'problem'; problem: WithdrawProblem };

/** Finds what is wrong with a wish before anything is written down. That the wallet is the person's is for the caller. */
export async function draftWithdrawal(
  deps: Pick<CoreDeps, 'networks' | 'clock' | 'store' | 'log'>,
  wish: WithdrawWish,
): Promise<Drafted> {
  const { walletId, network, toTreasury = null, passkeyId = null } = wish;
  const paying = findNetwork(deps.networks, network);
  if (paying === null) return problem({ code: 'network_off', place: networkTitle(network, null) });
  const place = networkTitle(network, paying.pinned.caip2);
  const [address, { amount: held }] = await Promise.all([
    checkAddress(deps, paying, wish),
    readHolding(deps, paying, walletId),
  ]);
  if (address.kind === 'problem') return address;
  if (held === null) return problem({ code: 'unreachable', place });
  const amount = toAmount(wish.amount, held);
  if (amount > held || held === 0n) return problem({ code: 'not_enough', held, place });
  if (amount < WITHDRAWAL_AMOUNT_MIN) return problem({ code: 'too_little', least: WITHDRAWAL_AMOUNT_MIN });
  const nowMs = deps.clock.now();
  const toAddress = address.address;
  const leaving = await previewLeaving(
    deps.store,
    { walletId, network, toAddress, toTreasury, amountMicroUsdc: amount, passkeyId },
    nowMs,
  );
  const notBeforeMs = leaving.notBeforeMs > nowMs ? leaving.notBeforeMs : null;
  return { kind: 'draft', draft: { walletId, network, place, address: toAddress, toTreasury, amount, notBeforeMs } };
}

type Checked = { kind: 'fine'; address: string } | { kind: 'problem'; problem: WithdrawProblem };

/** Whether money may go there. The address that it answers is as the books write it. */
export async function checkAddress(
  { log }: Pick<CoreDeps, 'log'>,
  paying: PayingNetwork,
  wish: Pick<WithdrawWish, 'walletId' | 'address'>,
): Promise<Checked> {
  const { network, pinned } = paying;
  const unreachable = problem({ code: 'unreachable', place: networkTitle(network, pinned.caip2) });
  let check: AddressCheck;
  try {
    check = await within(paying.checkAddress(wish.address), CHECK_LIMIT_MS, 'checking an address');
  } catch (error) {
    log.warn({ network, error: String(error) }, 'address not checked');
    return unreachable;
  }
  if (check.kind === 'unavailable') return unreachable;
  if (check.kind === 'refused') return problem({ code: 'address', reason: check.reason });
  const isOwn = sameAddress(network, check.address, await paying.addressOf(wish.walletId));
  return isOwn ? problem({ code: 'own_address' }) : check;
}

/** Nothing is kept back: what a withdrawal costs is paid by us. */
function toAmount(form: AmountForm, held: MicroUsdc): MicroUsdc {
  if (form.kind === 'exact') return form.amount;
  return form.kind === 'all' ? held : microUsdc(held / 2n);
}

function problem(found: WithdrawProblem): { kind: 'problem'; problem: WithdrawProblem } {
  return { kind: 'problem', problem: found };
}
