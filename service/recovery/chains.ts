import { baseProfile, type BaseProfile, type NetworkMode } from '../../chain/evm/profile.ts';
import { createBaseRpc, type BaseRpc } from '../../chain/evm/rpc.ts';
import { tokenAccountOf } from '../../chain/solana/addresses.ts';
import { solanaProfile, type SolanaProfile } from '../../chain/solana/profile.ts';
import { createSolanaRpc, type SolanaRpc } from '../../chain/solana/rpc.ts';
import type { Network } from '../../core/networks.ts';
import type { ListedWallet } from './wallet-list.ts';

const TIMEOUT_MS = 10_000;
const ASKED_AT_ONCE = 100;

/** Null for a network without an RPC endpoint. */
export type Chains = {
  base: { rpc: BaseRpc; profile: BaseProfile } | null;
  solana: { rpc: SolanaRpc; profile: SolanaProfile } | null;
};

export type Holding = { wallet: ListedWallet; network: Network; amountMicroUsdc: bigint };

/** Throws where an endpoint is of another chain than the mode says: there every wallet would look empty. */
export async function openChains(mode: NetworkMode, urls: Record<Network, string | undefined>): Promise<Chains> {
  const [base, solana] = await Promise.all([
    urls.base === undefined ? null : openBase(mode, urls.base),
    urls.solana === undefined ? null : openSolana(mode, urls.solana),
  ]);
  return { base, solana };
}

async function openBase(mode: NetworkMode, url: string): Promise<Chains['base']> {
  const profile = baseProfile(mode);
  const rpc = createBaseRpc({ url, timeoutMs: TIMEOUT_MS, profile });
  const chainId = await rpc.chainId();
  if (chainId === profile.chainId) return { rpc, profile };
  throw new Error(`BASE_RPC_URL is chain ${chainId}; this mode needs chain ${profile.chainId}.`);
}

async function openSolana(mode: NetworkMode, url: string): Promise<Chains['solana']> {
  const profile = solanaProfile(mode);
  const rpc = createSolanaRpc({ url, timeoutMs: TIMEOUT_MS, profile, ownAccounts: [] });
  const genesisHash = await rpc.genesisHash();
  // The local chain has a genesis of its own.
  if (mode === 'local' || genesisHash === profile.genesisHash) return { rpc, profile };
  throw new Error(`SOLANA_RPC_URL is another cluster: its genesis is ${genesisHash}.`);
}

/** Everything above zero, in the order of the list, Base first. */
export async function readHoldings(chains: Chains, wallets: readonly ListedWallet[]): Promise<Holding[]> {
  const found: Holding[] = [];
  for (let start = 0; start < wallets.length; start += ASKED_AT_ONCE) {
    const group = wallets.slice(start, start + ASKED_AT_ONCE);
    const [onBase, onSolana] = await Promise.all([baseBalances(chains, group), solanaBalances(chains, group)]);
    for (const [index, wallet] of group.entries()) {
      found.push({ wallet, network: 'base', amountMicroUsdc: onBase[index] ?? 0n });
      found.push({ wallet, network: 'solana', amountMicroUsdc: onSolana[index] ?? 0n });
    }
  }
  return found.filter(({ amountMicroUsdc }) => amountMicroUsdc > 0n);
}

async function baseBalances({ base }: Chains, wallets: readonly ListedWallet[]): Promise<bigint[]> {
  if (base === null) return [];
  // Addresses that were derived here.
  return Promise.all(wallets.map((wallet) => base.rpc.balanceOf(wallet.base as `0x${string}`)));
}

async function solanaBalances({ solana }: Chains, wallets: readonly ListedWallet[]): Promise<bigint[]> {
  if (solana === null) return [];
  const accounts = wallets.map((wallet) => tokenAccountOf(wallet.solana, solana.profile));
  const views = await solana.rpc.tokenAccounts(accounts);
  return views.map((view, index) => (view.kind === 'usdc' && view.owner === wallets[index]?.solana ? view.amount : 0n));
}
