import { markTreasurySeen, treasuriesNotSeenSince } from '../../db/treasury/treasury.ts';
import { noteReceived, sentOutOf } from '../../db/treasury/treasury-deposits.ts';
import { readHolding } from '../paying/balance.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PayingNetwork } from '../shared/networks.ts';

/** How often each balance is read when nobody asks, which is how finely a statement can say when money came. */
const LOOK_EVERY_MS = 60 * 60_000;
const LOOKED_AT_ONCE = 20;
/**
 * How long a node may show a balance from before a withdrawal: until then the sum would count too much, and for ever.
 */
const NODE_BEHIND_MS = 2 * 60_000;

type Deps = Pick<CoreDeps, 'store' | 'networks' | 'clock' | 'log'>;

/**
 * Notes how much has come in altogether by now. The books have no account for treasuries and no scan reads their
 * addresses, so nothing else knows what comes in: the sum is exact, and the time is that of the reading.
 */
export async function noteBalance(deps: Deps, paying: PayingNetwork, walletId: string): Promise<void> {
  const { store, clock } = deps;
  const place = { walletId, network: paying.network };
  const sentBefore = () => sentOutOf(store, place, clock.now() - NODE_BEHIND_MS);
  const sent = await sentBefore();
  if (sent === null) return;
  const { amount } = await readHolding(deps, paying, walletId);
  // Money may have left between the two readings; then the sum would mix two moments.
  if (amount === null || (await sentBefore()) !== sent) return;
  await noteReceived(store, place, amount + sent, clock.now());
}

/** Called now and then. */
export async function noteBalances(deps: Deps): Promise<void> {
  const { store, clock, networks } = deps;
  const due = await treasuriesNotSeenSince(store, clock.now() - LOOK_EVERY_MS, LOOKED_AT_ONCE);
  for (const { walletId } of due) {
    await Promise.all(networks.map((paying) => noteBalance(deps, paying, walletId)));
    await markTreasurySeen(store, walletId, clock.now());
  }
}
