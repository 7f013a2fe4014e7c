import { checkEvmAddress } from '../../chain/evm/payout-address.ts';
import { checkSolanaAddress } from '../../chain/solana/payout-address.ts';
import { canonicalAddress, networkTitle, NETWORKS } from '../../core/networks.ts';
import { ADDRESS_REFUSALS, type AddressCheck } from '../../core/payments/payout-address.ts';
import type { Chains } from './chains.ts';
import type { Target, Targets } from './targets.ts';
import type { ListedWallet } from './wallet-list.ts';

const ASKED_AT_ONCE = 20;

/**
 * Checks every target address on its chain, by the rules of the claim page. Throws with all that are refused, and with
 * those for an unknown wallet. `gasAddresses`: those of the keys that pay for it.
 */
export async function checkTargets(
  chains: Chains,
  { all, named }: Targets,
  wallets: readonly ListedWallet[],
  gasAddresses: readonly string[],
): Promise<void> {
  const own = new Set(wallets.flatMap((wallet) => NETWORKS.map((network) => wallet[network])));
  const known = new Set(wallets.map(({ walletId }) => walletId));
  // Its money would go where all other money goes.
  const unknown = named.filter((id) => !known.has(id));
  const problems = unknown.map((id) => `${id} has an address, and is not in the list of wallets.`);
  for (let start = 0; start < all.length; start += ASKED_AT_ONCE) {
    const group = all.slice(start, start + ASKED_AT_ONCE);
    const checks = await Promise.all(group.map((target) => check(chains, target, gasAddresses)));
    for (const [index, { network, address }] of group.entries()) {
      const problem = own.has(canonicalAddress(network, address))
        ? 'it is one of the wallets that are to be emptied.'
        : problemOf(checks[index]);
      if (problem !== null) problems.push(`${address} on ${networkTitle(network, null)}: ${problem}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Null for a network that cannot be asked: nothing is sent there. */
async function check(
  chains: Chains,
  { network, address }: Target,
  own: readonly string[],
): Promise<AddressCheck | null> {
  const chain = chains.get(network);
  switch (chain?.family) {
    case 'evm':
      return checkEvmAddress(chain.rpc, chain.profile, own, address);
    case 'svm':
      return checkSolanaAddress(chain.rpc, chain.profile, own, address);
    case undefined:
      return null;
  }
}

function problemOf(result: AddressCheck | null | undefined): string | null {
  if (result?.kind === 'unavailable') return 'the chain does not answer; try again.';
  return result?.kind === 'refused' ? ADDRESS_REFUSALS[result.reason] : null;
}
