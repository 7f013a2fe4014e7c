import { evmProfile, type EvmProfile, type NetworkMode } from '../../chain/evm/rpc/profile.ts';
import { createEvmRpc, type EvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { solanaProfile, type SolanaProfile } from '../../chain/solana/messages/profile.ts';
import { createSolanaRpc, type SolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import { NETWORK_VARIABLES } from '../../core/config/networks.ts';
import { inFamily, NETWORKS, type Network } from '../../core/networks.ts';
import type { ListedWallet } from './wallet-list.ts';

const TIMEOUT_MS = 10_000;
const ASKED_AT_ONCE = 100;

export type EvmChain = { family: 'evm'; rpc: EvmRpc; profile: EvmProfile };
export type SvmChain = { family: 'svm'; rpc: SolanaRpc; profile: SolanaProfile };
/** The networks that have an RPC endpoint, in the order of `NETWORKS`. */
export type Chains = ReadonlyMap<Network, EvmChain | SvmChain>;

export type Holding = { wallet: ListedWallet; network: Network; amountMicroUsdc: bigint };

/** Throws where an endpoint is of another chain than the mode's: there every wallet would look empty. */
export async function openChains(mode: NetworkMode, urls: Record<Network, string | undefined>): Promise<Chains> {
  const opened = await Promise.all(
    NETWORKS.map(async (network): Promise<[Network, EvmChain | SvmChain][]> => {
      const url = urls[network];
      return url === undefined ? [] : [[network, await openChain(mode, network, url)]];
    }),
  );
  return new Map(opened.flat());
}

function openChain(mode: NetworkMode, network: Network, url: string): Promise<EvmChain | SvmChain> {
  const place = inFamily(network);
  switch (place.family) {
    case 'evm':
      return openEvm(evmProfile(place.network, mode), url);
    case 'svm':
      return openSolana(mode, url);
  }
}

async function openEvm(profile: EvmProfile, url: string): Promise<EvmChain> {
  const rpc = createEvmRpc({ url, timeoutMs: TIMEOUT_MS, profile });
  const chainId = await rpc.chainId();
  if (chainId === profile.chainId) return { family: 'evm', rpc, profile };
  const name = NETWORK_VARIABLES[profile.network].rpcUrl;
  throw new Error(`${name} is chain ${chainId}; this mode needs chain ${profile.chainId}.`);
}

async function openSolana(mode: NetworkMode, url: string): Promise<SvmChain> {
  const profile = solanaProfile(mode);
  const rpc = createSolanaRpc({ url, timeoutMs: TIMEOUT_MS, profile, ownAccounts: [] });
  const genesisHash = await rpc.genesisHash();
  // The local chain has a genesis of its own.
  if (mode === 'local' || genesisHash === profile.genesisHash) return { family: 'svm', rpc, profile };
  throw new Error(`SOLANA_RPC_URL is another cluster: its genesis is ${genesisHash}.`);
}

/** Everything above zero, in the order of the list, and of each wallet in the order of the networks. */
export async function readHoldings(chains: Chains, wallets: readonly ListedWallet[]): Promise<Holding[]> {
  const found: Holding[] = [];
  for (let start = 0; start < wallets.length; start += ASKED_AT_ONCE) {
    const group = wallets.slice(start, start + ASKED_AT_ONCE);
    const asked = await Promise.all(
      [...chains].map(async ([network, chain]) => ({ network, held: await balancesOn(chain, group) })),
    );
    for (const [index, wallet] of group.entries()) {
      found.push(...asked.map(({ network, held }) => ({ wallet, network, amountMicroUsdc: held[index] ?? 0n })));
    }
  }
  return found.filter(({ amountMicroUsdc }) => amountMicroUsdc > 0n);
}

async function balancesOn(chain: EvmChain | SvmChain, wallets: readonly ListedWallet[]): Promise<bigint[]> {
  const addresses = wallets.map((wallet) => wallet[chain.profile.network]);
  switch (chain.family) {
    case 'evm':
      // Addresses that were derived here.
      return Promise.all(addresses.map((address) => chain.rpc.balanceOf(address as `0x${string}`)));
    case 'svm': {
      const views = await chain.rpc.tokenAccounts(addresses.map((owner) => tokenAccountOf(owner, chain.profile)));
      return views.map((view, index) => (view.kind === 'usdc' && view.owner === addresses[index] ? view.amount : 0n));
    }
  }
}
