import { shownAddress } from '../../chain/shown-address.ts';
import type { MicroUsdc } from '../../core/money.ts';
import type { TypedAddress } from '../../core/grammar/withdraw.ts';
import {
  canonicalAddress,
  familyOf,
  networkTitle,
  NETWORKS,
  type EvmNetwork,
  type Network,
  type SvmNetwork,
} from '../../core/networks.ts';
import type { AddressCheck } from '../../core/payments/payout-address.ts';
import type { DepositReads } from '../../core/wallets/deposits.ts';
import type { PinnedEvm, PinnedSolana } from './terms.ts';
import type { WithdrawProblem } from '../../texts/withdrawals/problem.ts';

type Paying<Name extends Network, Pinned> = {
  network: Name;
  pinned: Pinned;
  /** Where plain transfers pay for tasks, now or before a rotation; empty where none does, or where this process does not know it. */
  taskAddresses?: readonly string[];
  addressOf: (walletId: string) => Promise<string> | string;
  balanceOf: (address: string) => Promise<MicroUsdc>;
  /** What people put into their wallets from elsewhere; absent where that is not looked for. */
  deposits?: DepositReads;
  /** Whether money may go to a typed address. */
  checkAddress: (text: string) => Promise<AddressCheck>;
};

/** A network that tips can be paid from. */
export type PayingNetwork =
  | (Paying<EvmNetwork, PinnedEvm> & { family: 'evm' })
  /** `finalHeight`: that of the newest block that nothing can undo. */
  | (Paying<SvmNetwork, PinnedSolana> & { family: 'svm'; finalHeight: () => Promise<number> });

/** The one to pay from, if it has enough, comes first. */
export type PayingNetworks = readonly [PayingNetwork, ...PayingNetwork[]];

/** Null for a network that was switched off since. */
export function findNetwork(networks: PayingNetworks, network: Network): PayingNetwork | null {
  return networks.find((one) => one.network === network) ?? null;
}

/** The one network that an address is meant on: the named one, or the only one here that its form fits. */
export function findMeant(
  networks: PayingNetworks,
  { family, network }: Pick<TypedAddress, 'family' | 'network'>,
): PayingNetwork | WithdrawProblem {
  const fits = (one: Network) => familyOf(one) === family && (network === null || one === network);
  const [meant, ...others] = networks.filter((one) => fits(one.network));
  if (others.length > 0) return { code: 'which_network' };
  const titles = NETWORKS.filter(fits).map((one) => networkTitle(one, null));
  return meant ?? { code: 'network_off', place: titles.join(' / ') };
}

export type ShownAddress = { place: string; address: string };

/** Where a wallet receives, on each network, as people read it. */
export async function shownAddressesOf(
  { networks }: { networks: PayingNetworks },
  walletId: string,
): Promise<ShownAddress[]> {
  return Promise.all(
    networks.map(async ({ network, pinned, addressOf }) => ({
      place: networkTitle(network, pinned.caip2),
      address: shownAddress(await addressOf(walletId)),
    })),
  );
}

/** The addresses that these wallets pay from, as the books write them. */
export async function payersOf(
  { networks }: { networks: PayingNetworks },
  walletIds: readonly string[],
): Promise<string[]> {
  const addresses = networks.flatMap(({ network, addressOf }) =>
    walletIds.map(async (walletId) => canonicalAddress(network, await addressOf(walletId))),
  );
  return Promise.all(addresses);
}
