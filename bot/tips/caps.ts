import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Action, View } from '../../core/view.ts';
import type { OrderDraft, OrderRow } from '../../db/tips/orders.ts';
import { findLock } from '../../db/wallets/spending-locks.ts';
import { isSigned } from '../../db/wallets/passkeys.ts';
import { readSpending } from '../../db/wallets/spending.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { findNetwork } from '../shared/networks.ts';
import { amountsOf } from './order-placing.ts';
import { totalFor } from '../shared/terms.ts';
import type { SpendingProblem } from '../../texts/limits/en.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

type Deps = Pick<CoreDeps, 'store' | 'clock' | 'networks'>;
type Payment = Pick<OrderDraft, 'userId' | 'walletId' | 'network' | 'amountMicroUsdc' | 'lines'>;

/**
 * What the wallet's limits have against this payment now. Said early for the person's sake: what counts is the
 * transaction that prices the order, and the signer. `signsLater`: its page asks the passkey before it goes on.
 */
export async function findSpendingProblem(
  deps: Deps,
  payment: Payment,
  { passkeyId = null, signsLater = false }: { passkeyId?: string | null; signsLater?: boolean } = {},
): Promise<SpendingProblem | null> {
  const { store, clock } = deps;
  const nowMs = clock.now();
  const lock = await findLock(store.read, store.tables, payment, nowMs);
  if (lock !== null) return { code: 'wallet_locked', until: lock.untilMs === null ? null : new Date(lock.untilMs) };
  const isAgreedTo = signsLater || (await isSigned(store.read, store.tables, { ...payment, passkeyId }, nowMs));
  if (!isAgreedTo) return { code: 'passkey_needed' };
  const { limits, spentToday } = await readSpending(store, payment.walletId, nowMs);
  if (amountsOf(payment).some((part) => part > limits.tip)) return { code: 'over_tip_limit', limit: limits.tip };
  const left = microUsdc(limits.day > spentToday ? limits.day - spentToday : 0n);
  return totalOf(deps, payment) > left ? { code: 'over_day_limit', limit: limits.day, left } : null;
}

export function spendingProblemView(
  { texts, publicUrl }: Pick<CoreDeps, 'texts' | 'publicUrl'>,
  problem: SpendingProblem,
): View {
  const purse = { kind: 'link', label: texts.purse.title, url: `${publicUrl}/purse` } as const;
  const next = {
    wallet_locked: tryCommand('/balance'),
    passkey_needed: purse,
    over_tip_limit: tryCommand('/limits'),
    over_day_limit: tryCommand('/limits'),
  } as const satisfies Record<SpendingProblem['code'], Action>;
  return privateView('error', [texts.spendingProblem(problem)], [next[problem.code]]);
}

/** For an order that ended like this. By now it may be otherwise: then the person can simply try again. */
export async function spendingFailedView(
  deps: Pick<CoreDeps, 'texts' | 'publicUrl' | 'store' | 'clock' | 'networks'>,
  order: OrderRow,
): Promise<View> {
  const problem = await findSpendingProblem(deps, order, order);
  if (problem !== null) return spendingProblemView(deps, problem);
  return privateView('error', [deps.texts.spendingWasOver()], [tryCommand('/limits')]);
}

export function isSpendingFailure(failure: string | null): boolean {
  return SPENDING_FAILURES.some((known) => known === failure);
}

const SPENDING_FAILURES = [
  'wallet_locked',
  'passkey_needed',
  'over_tip_limit',
  'over_day_limit',
] satisfies SpendingProblem['code'][];

function totalOf({ networks }: Deps, { network, amountMicroUsdc }: Payment): MicroUsdc {
  const { pinned } = findNetwork(networks, network) ?? networks[0];
  return totalFor(microUsdc(amountMicroUsdc), pinned);
}
