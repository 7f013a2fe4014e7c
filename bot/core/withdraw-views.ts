import { microUsdc } from '../../core/money.ts';
import { networkTitle, transactionUrl } from '../../core/networks.ts';
import type { View } from '../../core/view.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import { newButton } from './buttons.ts';
import type { CoreDeps } from './dependencies.ts';
import type { Withdraw } from './grammar-withdraw.ts';
import type { Origin } from './messenger.ts';
import type { WithdrawFacts } from './texts/en-withdrawals.ts';
import { privateView, privateWorkingView, tryCommand } from './views.ts';
import { heldWallet } from './wallets.ts';
import { draftWithdrawal } from './withdraw-draft.ts';
import { withdrawAction, type Asked } from './withdraw-request.ts';

export function withdrawHelpView({ texts }: CoreDeps): View {
  return privateView('ok', texts.withdrawHelp(), [tryCommand('/balance')]);
}

/** Shows everything that will happen; nothing happens before its button is pressed. */
export async function withdrawConfirmView(deps: CoreDeps, origin: Origin, command: Withdraw): Promise<View> {
  const { texts } = deps;
  const { walletId, name } = await heldWallet(deps.store, origin);
  const { network, address, amount } = command;
  const drafted = await draftWithdrawal(deps, { walletId, network, address, amount });
  if (drafted.kind === 'problem') {
    return privateView('error', [texts.withdrawProblem(drafted.problem)], [tryCommand('/balance')]);
  }
  const { draft } = drafted;
  const label = texts.confirmWithdrawButton(draft.amount);
  const button = await newButton(deps, origin.userId, withdrawAction(deps, draft), label);
  return privateView('ok', texts.confirmWithdraw(draft, name), [button]);
}

/** What the press of that button has led to. */
export function askedView(deps: CoreDeps, asked: Asked): View {
  const { texts } = deps;
  switch (asked.kind) {
    case 'asked':
      return withdrawalView(deps, asked.row);
    case 'problem':
      return privateView('error', [texts.withdrawProblem(asked.problem)], [tryCommand('/balance')]);
    case 'not_held':
      return privateView('error', [texts.withdrawNotHeld()], [tryCommand('/wallet')]);
    case 'limited':
      return privateView('error', [texts.withdrawLimited(asked.detail)]);
  }
}

/** How far it has come, and in the end how it ended. */
export function withdrawalView(deps: CoreDeps, row: WithdrawalRow): View {
  const { texts } = deps;
  const facts = factsOf(deps, row);
  if (row.status === 'failed') {
    return privateView('error', [texts.withdrawFailed(facts, row.failure ?? '')], [tryCommand('/balance')]);
  }
  if (row.status !== 'paid') return privateWorkingView(texts.withdrawing(facts));
  const { landedTransaction } = row;
  if (landedTransaction === null) return privateView('ok', [texts.withdrawn(facts)]);
  const url = explorerLink(deps, row);
  return url === null
    ? privateView('ok', [texts.withdrawn(facts), texts.transaction(landedTransaction)])
    : privateView('ok', [texts.withdrawn(facts)], [{ kind: 'link', label: texts.seeTransaction(), url }]);
}

export function factsOf({ networks }: Pick<CoreDeps, 'networks'>, row: WithdrawalRow): WithdrawFacts {
  const place = networkTitle(row.network, caip2Of(networks, row.network));
  return { amount: microUsdc(row.amountMicroUsdc), place, address: row.toAddress };
}

/** Play money is on no chain that an explorer knows. */
export function explorerLink({ networks, faucet }: Pick<CoreDeps, 'networks' | 'faucet'>, row: WithdrawalRow) {
  if (faucet !== undefined || row.landedTransaction === null) return null;
  return transactionUrl(caip2Of(networks, row.network), row.landedTransaction);
}

function caip2Of(networks: CoreDeps['networks'], network: string): string | null {
  return networks.find((one) => one.network === network)?.pinned.caip2 ?? null;
}
