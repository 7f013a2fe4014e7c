import type { AmountForm } from '../../core/grammar/amount.ts';
import type { Network } from '../../core/networks.ts';
import type { View } from '../../core/view.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView } from '../conversation/views.ts';
import { isGuarded } from '../passkeys/signed.ts';
import { readHolding } from '../paying/balance.ts';
import type { TextEvent } from '../shared/messenger.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import { heldWallet } from '../shared/wallets.ts';
import { draftWithdrawal } from '../wallets/withdraw-draft.ts';
import { withdrawAction } from '../wallets/withdraw-request.ts';
import type { TreasuryPlace } from './treasury-place.ts';
import { treasuryProblemView } from './treasury-views.ts';

type Gift = { place: TreasuryPlace; amount: AmountForm; network: Network | null };

/**
 * Money of a member's own for the community. It leaves their wallet like a withdrawal, within the same sum of a day, but
 * the treasury's address is ours: it never counts as an address that the member withdraws to.
 */
export async function giveView(deps: CoreDeps, event: TextEvent, { place, amount, network }: Gift): Promise<View> {
  const { texts } = deps;
  const { walletId } = await heldWallet(deps, event);
  const paying = await payingFor(deps, walletId, { amount, network });
  const address = await paying.addressOf(place.walletId);
  const wish = { walletId, network: paying.network, address, amount, toTreasury: place.walletId };
  const drafted = await draftWithdrawal(deps, wish);
  if (drafted.kind === 'problem') return treasuryProblemView(deps, { code: 'withdraw', problem: drafted.problem });
  const { draft } = drafted;
  const button = await newButton(deps, event.userId, withdrawAction(deps, draft), texts.treasuryGiveNow(draft.amount));
  const later =
    draft.notBeforeMs === null
      ? []
      : [texts.withdrawLeaves(new Date(draft.notBeforeMs), await isGuarded(deps, walletId))];
  return privateView('ok', [texts.treasuryGive(draft.amount, draft.place), ...later], [button]);
}

/** The network that was named, else the first on which there is enough. */
async function payingFor(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  walletId: string,
  { amount, network }: Omit<Gift, 'place'>,
): Promise<PayingNetwork> {
  const [first] = deps.networks;
  for (const paying of deps.networks) {
    if (network !== null && paying.network === network) return paying;
    if (network !== null) continue;
    const { amount: held } = await readHolding(deps, paying, walletId);
    if (held !== null && held > 0n && (amount.kind !== 'exact' || held >= amount.amount)) return paying;
  }
  return first;
}
