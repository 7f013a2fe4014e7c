import type { MicroUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import type { AddressCheck } from '../../core/payout-address.ts';
import type { PinnedBase, PinnedSolana } from './terms.ts';

type Paying<Name extends Network, Pinned> = {
  network: Name;
  pinned: Pinned;
  /** Where a plain transfer pays for a task; left out where none does, or where this process does not know it. */
  taskAddress?: string | undefined;
  addressOf: (walletId: string) => Promise<string> | string;
  balanceOf: (address: string) => Promise<MicroUsdc>;
  /** Whether money may go to what somebody typed as an address. */
  checkAddress: (text: string) => Promise<AddressCheck>;
};

/** A network that tips can be paid from. */
export type PayingNetwork =
  | Paying<'base', PinnedBase>
  /** `finalHeight`: that of the newest block that nothing can undo. */
  | (Paying<'solana', PinnedSolana> & { finalHeight: () => Promise<number> });

/** The one to pay from, if it has enough, comes first. */
export type PayingNetworks = readonly [PayingNetwork, ...PayingNetwork[]];

/** Null for a network that was switched off since. */
export function findNetwork(networks: PayingNetworks, network: Network): PayingNetwork | null {
  return networks.find((one) => one.network === network) ?? null;
}
