import { sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { readHolding } from '../paying/balance.ts';
import { decideFunding, type Funding } from '../paying/funding.ts';
import type { Origin } from '../shared/messenger.ts';
import { totalFor } from '../shared/terms.ts';
import { heldWallet, type PersonWallet } from '../shared/wallets.ts';
import { findSpendingProblem, spendingProblemView } from '../tips/caps.ts';
import { dropProblemView } from './drop-views.ts';

export type DropMoney = { wallet: PersonWallet; funding: Funding };

/**
 * What the giver pays from: with enough in it now, and within its limits. Asked when the drop is made, because others are
 * promised it, and again before it is paid, because nothing is held until then. `treasuryId`: the community pays.
 */
export async function findDropMoney(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'networks' | 'log' | 'texts' | 'publicUrl'>,
  { userId, walletId }: Pick<Origin, 'userId' | 'walletId'>,
  parts: readonly MicroUsdc[],
  treasuryId: string | null = null,
): Promise<DropMoney | { refusal: View }> {
  const wallet =
    treasuryId === null ? await heldWallet(deps, { userId, walletId }) : { walletId: treasuryId, name: null };
  const funding = await decideFunding(deps, wallet.walletId, { kind: 'exact', amount: sumUsdc(parts) });
  const { paying, amount } = funding;
  const { amount: held } = await readHolding(deps, paying, wallet.walletId);
  // Where the network does not say, the API refuses what is not there.
  if (held !== null && held < totalFor(amount, paying.pinned)) {
    return { refusal: dropProblemView(deps, treasuryId === null ? 'too_little' : 'treasury_short') };
  }
  // A person's limits are not a community's, which decides about each drop.
  if (treasuryId !== null) return { wallet, funding };
  const lines = parts.map((part) => ({ recipient: '', amountMicroUsdc: part.toString() }));
  const payment = { userId, walletId: wallet.walletId, network: paying.network, amountMicroUsdc: amount, lines };
  const problem = await findSpendingProblem(deps, payment);
  return problem === null ? { wallet, funding } : { refusal: spendingProblemView(deps, problem) };
}
