import { shownAddress } from '../../chain/shown-address.ts';
import { microUsdc } from '../../core/money.ts';
import { networkTitle } from '../../core/networks.ts';
import { TREASURY_ADDRESS_WAIT_MS } from '../../core/treasury/treasury.ts';
import type { Action, View } from '../../core/view.ts';
import { ANYBODY } from '../../db/chats/buttons.ts';
import type { TreasuryAddress } from '../../db/treasury/treasury-addresses.ts';
import { confirmationsOf, type TreasuryWithdrawal } from '../../db/treasury/treasury-withdrawals.ts';
import { findWithdrawal, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { TreasuryCardFacts } from '../../texts/treasury/en.ts';
import type { TreasuryProblem } from '../../texts/treasury/problem.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';
import { progressView } from '../wallets/withdraw-views.ts';

export function treasuryProblemView({ texts }: Pick<CoreDeps, 'texts'>, problem: TreasuryProblem): View {
  if (problem.code === 'withdraw') return privateView('error', [texts.withdrawProblem(problem.problem)]);
  const actions = EXAMPLES[problem.code].map(tryCommand);
  return privateView('error', [texts.treasuryProblem(problem)], actions);
}

/** What can be typed instead, or next. */
const EXAMPLES: Record<Exclude<TreasuryProblem['code'], 'withdraw'>, readonly string[]> = {
  elsewhere: [],
  small_group: [],
  unreadable: [
    '/treasury',
    '/treasury give 5',
    '/treasury deposit',
    '/treasury withdraw 5 base',
    '/treasury address 0x…',
  ],
  not_owner: ['/treasury'],
  not_moderator: ['/treasury'],
  no_owner: ['/treasury'],
  standing_unknown: ['/treasury'],
  which_network: ['/treasury withdraw 5 base', '/treasury withdraw 5 solana'],
  no_address: ['/treasury address 0x…'],
  address_waits: ['/treasury'],
  busy: ['/treasury'],
  address_over: ['/treasury'],
  card_over: ['/treasury'],
  limited: ['/treasury'],
};

/** For everyone there. It says `working` because it is not final: such a message is never tidied away. */
export async function announcedView(
  deps: Pick<CoreDeps, 'texts' | 'networks' | 'store' | 'random' | 'clock'>,
  row: TreasuryAddress,
  nowMs: number,
): Promise<View> {
  const { texts } = deps;
  const at = new Date((row.announcedAtMs ?? nowMs) + TREASURY_ADDRESS_WAIT_MS);
  const facts = { place: placeOf(deps, row.network), address: shownAddress(row.address), by: row.setBy, at };
  const view = workingView(...texts.treasuryAddressSet(facts));
  return { ...view, actions: [await cancelAddressButton(deps, row)] };
}

export function cancelAddressButton(
  deps: Pick<CoreDeps, 'texts' | 'networks' | 'store' | 'random' | 'clock'>,
  { id, network }: TreasuryAddress,
): Promise<Action> {
  const label = deps.texts.cancelTreasuryAddress(placeOf(deps, network));
  return newButton(deps, ANYBODY, { action: 'cancel_treasury_address', treasuryId: id }, label);
}

export function cancelledAddressView(deps: Pick<CoreDeps, 'texts' | 'networks'>, row: TreasuryAddress): View {
  const by = row.cancelledBy ?? row.setBy;
  const facts = { place: placeOf(deps, row.network), address: shownAddress(row.address), by };
  return publicView('ok', [deps.texts.treasuryAddressCancelled(facts)]);
}

/** The card of a withdrawal, as far as it has come by now. */
export async function treasuryCard(deps: CoreDeps, row: TreasuryWithdrawal): Promise<View> {
  const { texts, store } = deps;
  const facts = cardFacts(deps, row);
  switch (row.status) {
    case 'proposed': {
      const confirmations = await confirmationsOf(store.read, store.tables, row.id);
      const confirm = { action: 'confirm_treasury', treasuryId: row.id } as const;
      const reject = { action: 'reject_treasury', treasuryId: row.id } as const;
      const actions = [
        await newButton(deps, ANYBODY, confirm, texts.treasuryConfirm(facts.amount)),
        await newButton(deps, ANYBODY, reject, texts.treasuryReject()),
      ];
      const names = confirmations.map(({ userId }) => userId);
      return { ...workingView(...texts.treasuryAsk(facts, names)), actions };
    }
    case 'confirmed': {
      const withdrawal = await findWithdrawal(store, row.id);
      if (!withdrawal) throw new Error(`a treasury's withdrawal ${row.id} is confirmed, and there is none`);
      return communityWithdrawalView(deps, withdrawal);
    }
    case 'rejected':
      return publicView('ok', [texts.treasuryRejected(facts, row.endedBy ?? row.proposedBy)]);
    case 'expired':
      return publicView('ok', [texts.treasuryExpired(facts)]);
  }
}

/** Shows money on its way where everyone sees it. */
export function communityWithdrawalView(
  deps: Pick<CoreDeps, 'texts' | 'networks' | 'faucet'>,
  row: WithdrawalRow,
): View {
  const view = progressView(deps, row);
  return { ...view, audience: 'everyone', actions: view.actions.filter(({ kind }) => kind === 'link') };
}

function cardFacts(deps: Pick<CoreDeps, 'networks'>, row: TreasuryWithdrawal): TreasuryCardFacts {
  const { proposedBy: by, network } = row;
  const address = shownAddress(row.toAddress);
  return { amount: microUsdc(row.amountMicroUsdc), place: placeOf(deps, network), address, by };
}

function placeOf({ networks }: Pick<CoreDeps, 'networks'>, network: string): string {
  return networkTitle(network, networks.find((one) => one.network === network)?.pinned.caip2 ?? null);
}
