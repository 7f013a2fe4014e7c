import { checkEvmAddress } from '../chain/evm/payout-address.ts';
import type { NetworkMode } from '../chain/evm/rpc/profile.ts';
import { createPersonalWallets } from '../chain/wallets/personal-wallets.ts';
import { checkSolanaAddress } from '../chain/solana/payout-address.ts';
import { createSolanaPersonalWallets } from '../chain/solana/personal-wallets.ts';
import type { AddressCheck } from '../core/payments/payout-address.ts';
import { readCursor } from '../db/scan/cursor.ts';
import type { Store } from '../db/store/store.ts';
import { createEvmParts, type EvmParts } from './networks/evm.ts';
import type { NetworkNode } from './networks/keys.ts';
import { createSolanaParts, type SolanaParts } from './networks/solana.ts';

/** What each role needs of one network. */
export type NetworkParts = EvmParts | SolanaParts;

/** Throws when the node is away or of another chain, before anything depends on it. */
export async function openNetwork(mode: NetworkMode, node: NetworkNode): Promise<NetworkParts> {
  switch (node.family) {
    case 'evm': {
      const parts = createEvmParts(node.network, mode, node.rpcUrl, node.keys);
      await checkChain(parts);
      return parts;
    }
    case 'svm': {
      const parts = createSolanaParts(mode, node.rpcUrl, node.keys);
      await checkCluster(parts, mode);
      return parts;
    }
  }
}

/** Whether an address that a caller gave us there may be paid. */
export function checkAddressOn(parts: NetworkParts, text: string): Promise<AddressCheck> {
  switch (parts.family) {
    case 'evm':
      return checkEvmAddress(parts.rpc, parts.profile, parts.ownAddresses, text);
    case 'svm':
      return checkSolanaAddress(parts.rpc, parts.profile, parts.ownAddresses, text);
  }
}

/** Where the personal wallets of a seed are; the bot keeps their signers. */
export function personalAddressOf(parts: NetworkParts, seed: Uint8Array): (walletId: string) => string {
  switch (parts.family) {
    case 'evm':
      return createPersonalWallets({ seed, profile: parts.profile }).addressOf;
    case 'svm':
      return createSolanaPersonalWallets({ seed, profile: parts.profile }).addressOf;
  }
}

async function checkChain({ rpc, profile }: EvmParts): Promise<void> {
  const name = `${profile.network.toUpperCase()}_RPC_URL`;
  const chainId = await rpc.chainId().catch((cause: unknown) => {
    throw new Error(`${name} does not answer. Check that the node runs and that the address is right.`, { cause });
  });
  if (chainId !== profile.chainId) {
    throw new Error(`${name} is chain ${chainId}; this mode needs chain ${profile.chainId}.`);
  }
}

/** The local chain has a genesis of its own. */
async function checkCluster({ rpc, profile }: SolanaParts, mode: NetworkMode): Promise<void> {
  const genesisHash = await rpc.genesisHash().catch((cause: unknown) => {
    throw new Error('SOLANA_RPC_URL does not answer. Check that the node runs and that the address is right.', {
      cause,
    });
  });
  if (mode !== 'local' && genesisHash !== profile.genesisHash) {
    throw new Error(
      `SOLANA_RPC_URL is another cluster: its genesis is ${genesisHash}, this mode needs ${profile.genesisHash}.`,
    );
  }
}

/** Whether a killed local chain came back older than the books, which then name blocks that do not exist. */
export function isOlderThanBooks(store: Store, parts: NetworkParts): Promise<boolean> {
  switch (parts.family) {
    case 'evm':
      return isEvmOlder(store, parts);
    case 'svm':
      return isSolanaOlder(store, parts);
  }
}

async function isEvmOlder(store: Store, { rpc, profile }: EvmParts): Promise<boolean> {
  const cursor = await readCursor(store, profile.network);
  if (cursor === null) return false;
  const [header] = await rpc.blocks(cursor.block, cursor.block);
  return header?.hash !== cursor.blockHash;
}

/** Slots are never taken back: a chain below the books' last slot, or without their last transaction, is older. */
async function isSolanaOlder(store: Store, { rpc, profile }: SolanaParts): Promise<boolean> {
  const cursor = await readCursor(store, profile.network);
  if (cursor === null) return false;
  if ((await rpc.slot('processed')) < cursor.finalizedBlock) return true;
  if (cursor.blockHash === '') return false;
  const { statuses } = await rpc.statuses([cursor.blockHash]);
  return statuses[0] === null;
}
