import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { readHolding } from '../paying/balance.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import type { RewardProblem } from '../../texts/rewards/problem.ts';
import { costLineFor, totalFor, type PinnedTerms } from '../shared/terms.ts';

/**
 * Where a treasury has enough for a reward and its fee now: the first network that does, since it is paid from one; ahead
 * of it one that has enough for the cost line as well.
 */
export async function findFunded(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  walletId: string,
  { budget, recipients }: { budget: MicroUsdc; recipients: number },
): Promise<PayingNetwork | RewardProblem> {
  const holdings = await Promise.all(deps.networks.map((paying) => readHolding(deps, paying, walletId)));
  const find = (extraFor: (pinned: PinnedTerms) => bigint) =>
    holdings.find(
      ({ paying: { pinned }, amount }) => amount !== null && amount >= totalFor(budget, pinned) + extraFor(pinned),
    );
  const funded = find((pinned) => costLineFor(pinned, recipients)) ?? find(() => 0n);
  if (funded !== undefined) return funded.paying;
  if (holdings.some(({ amount }) => amount === null)) return { code: 'balance_unknown' };
  const most = holdings.reduce((highest, { amount }) => (amount !== null && amount > highest ? amount : highest), ZERO);
  return { code: 'missing', needed: totalFor(budget, deps.networks[0].pinned), most };
}

const ZERO = microUsdc(0n);
