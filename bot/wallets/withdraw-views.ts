import { shownAddress } from '../../chain/shown-address.ts';
import type { View } from '../../core/view.ts';
import { isPutOff } from '../../core/wallets/withdrawal-wait.ts';
import { waitsForAccountUntil, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import { isGuarded } from '../passkeys/signed.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Withdraw } from '../../core/grammar/withdraw.ts';
import type { Origin, TextEvent } from '../shared/messenger.ts';
import { findMeant } from '../shared/networks.ts';
import { privateView, privateWorkingView, tryCommand } from '../conversation/views.ts';
import { heldWallet } from '../shared/wallets.ts';
import { cancelButton } from './withdraw-cancel.ts';
import { draftWithdrawal } from './withdraw-draft.ts';
import { explorerLink, factsOf } from './withdraw-facts.ts';
import type { WithdrawProblem } from '../../texts/withdrawals/problem.ts';
import { withdrawAction, type Asked } from './withdraw-request.ts';

export async function withdrawHelpView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'clock'>,
  { text, walletId }: Pick<TextEvent, 'text' | 'walletId'>,
): Promise<View> {
  const { texts } = deps;
  const isNamed = NAME.test(text);
  const why = isNamed ? [texts.withdrawProblem({ code: 'address', reason: 'not_an_address' })] : [];
  return privateView(
    isNamed ? 'error' : 'ok',
    [...why, ...texts.withdrawHelp(await isGuarded(deps, walletId))],
    [tryCommand('/balance')],
  );
}

/** `vitalik.eth`: an address to some, and nothing that money can be sent to here. */
const NAME = /\s[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\s|$)/i;

/** Shows everything that will happen; nothing happens before its button is pressed. */
export async function withdrawConfirmView(deps: CoreDeps, origin: Origin, command: Withdraw): Promise<View> {
  const { texts } = deps;
  const { walletId, name } = await heldWallet(deps, origin);
  const refused = (problem: WithdrawProblem) =>
    privateView('error', [texts.withdrawProblem(problem)], [tryCommand('/balance')]);
  const { to, amount } = command;
  const meant = findMeant(deps.networks, to);
  if ('code' in meant) return refused(meant);
  const { network } = meant;
  const drafted = await draftWithdrawal(deps, { walletId, network, address: to.address, amount });
  if (drafted.kind === 'problem') return refused(drafted.problem);
  const { draft } = drafted;
  const label = texts.confirmWithdrawButton(draft.amount);
  const button = await newButton(deps, origin.userId, withdrawAction(deps, draft), label);
  const later =
    draft.notBeforeMs === null
      ? []
      : [texts.withdrawLeaves(new Date(draft.notBeforeMs), await isGuarded(deps, walletId))];
  const facts = { ...draft, address: shownAddress(draft.address) };
  return privateView('ok', [...texts.confirmWithdraw(facts, name), ...later], [button]);
}

/** What the press of that button has led to. */
export async function askedView(deps: CoreDeps, asked: Asked): Promise<View> {
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

/** What its owner sees of it: when it leaves, how far it has come, and in the end how it ended. */
export async function withdrawalView(deps: CoreDeps, row: WithdrawalRow): Promise<View> {
  return row.status === 'requested' && isPutOff(row) ? waitingView(deps, row) : progressView(deps, row);
}

/** The same of one that leaves at once. */
export function progressView(deps: Pick<CoreDeps, 'texts' | 'networks' | 'faucet'>, row: WithdrawalRow): View {
  const { texts } = deps;
  const facts = factsOf(deps, row);
  if (row.status === 'failed') {
    return privateView('error', [texts.withdrawFailed(facts, row.failure ?? '')], [tryCommand('/balance')]);
  }
  const untilMs = waitsForAccountUntil(row);
  if (untilMs !== null) return privateView('ok', [texts.withdrawWaitsForAccount(facts, new Date(untilMs))]);
  if (row.status !== 'paid') return privateWorkingView(texts.withdrawing(facts));
  const { landedTransaction } = row;
  if (landedTransaction === null) return privateView('ok', [texts.withdrawn(facts)]);
  const url = explorerLink(deps, row);
  return url === null
    ? privateView('ok', [texts.withdrawn(facts), texts.transaction(landedTransaction)])
    : privateView('ok', [texts.withdrawn(facts)], [{ kind: 'link', label: texts.seeTransaction(), url }]);
}

/** The only message in which the owner sees what leaves tomorrow, so it says what to do if they did not ask for it. */
async function waitingView(
  deps: Pick<CoreDeps, 'texts' | 'networks' | 'store' | 'random' | 'clock'>,
  row: WithdrawalRow,
): Promise<View> {
  const { texts } = deps;
  const leaves = texts.withdrawWaits(factsOf(deps, row), new Date(row.notBeforeMs));
  return privateView('ok', [leaves, texts.withdrawNotYou()], [await cancelButton(deps, row), tryCommand('/lock')]);
}
