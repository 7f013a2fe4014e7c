import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ComparisonNews } from '../chain/comparison.ts';
import { ChainUnavailable } from '../chain/errors.ts';
import { checkEvmAddress } from '../chain/evm/payout-address.ts';
import type { NetworkMode } from '../chain/evm/rpc/profile.ts';
import type { Tell } from '../chain/signing/kms/standing.ts';
import { createPersonalWallets } from '../chain/wallets/personal-wallets.ts';
import { checkSolanaAddress } from '../chain/solana/payout-address.ts';
import { createSolanaPersonalWallets } from '../chain/solana/personal-wallets.ts';
import { Misconfigured } from '../core/config/misconfigured.ts';
import { NETWORK_VARIABLES } from '../core/config/networks.ts';
import { secondRpcName, type VariableName } from '../core/config/variables.ts';
import { networkTitle, type Network } from '../core/networks.ts';
import type { AddressCheck } from '../core/payments/payout-address.ts';
import { UNREAD } from '../db/rotations/signatures.ts';
import { readCursor } from '../db/scan/cursor.ts';
import type { Store } from '../db/store/store.ts';
import { createEvmParts, type EvmParts } from './networks/evm.ts';
import type { NetworkNode } from './networks/keys.ts';
import { usualKeyService } from './networks/own-keys.ts';
import { createSolanaParts, type SolanaParts } from './networks/solana.ts';
import type { Waits } from './readiness/waits.ts';

/** What each role needs of one network. */
export type NetworkParts = EvmParts | SolanaParts;

/** Asks the chain nothing. */
export function createNetwork(mode: NetworkMode, node: NetworkNode, log: Logger): NetworkParts {
  const { network, rpcUrl, secondRpcUrl } = node;
  const second = secondRpcUrl === undefined ? null : { url: secondRpcUrl, tell: tellOf(network, log) };
  const service = { ...usualKeyService(), tell: (address: string) => tellOfKey(network, address, log) };
  switch (node.family) {
    case 'evm':
      return createEvmParts(node.network, mode, rpcUrl, node.keys, second, service);
    case 'svm':
      return createSolanaParts(mode, rpcUrl, node.keys, second, service);
  }
}

function tellOfKey(network: Network, address: string, log: Logger): Tell {
  return (fault, code) => {
    if (fault === null) log.info({ network, address }, 'the service that keeps this key signs again');
    else
      log.error({ network, address, fault, code }, 'the service that keeps this key does not sign; it is asked again');
  };
}

const LEFT_OUT = {
  silent: 'the second node does not answer: the first is believed alone until it does',
  behind: 'the newest block of the second node is old: the first is believed alone until it has a new one',
  stuck: 'the second node stands still: the first is believed alone until it moves and has a new block',
} as const;

function tellOf(network: Network, log: Logger): (news: ComparisonNews) => void {
  return (news) => {
    switch (news.kind) {
      case 'aside':
        return log.warn({ network }, LEFT_OUT[news.why]);
      case 'refuses':
        return log.warn(
          { network, method: news.method, at: news.at },
          'the second node refuses this: the first is believed alone',
        );
      case 'back':
        return log.info({ network }, 'the second node is compared again');
      case 'disagree':
        return log.error(
          { network, about: news.about },
          'the two nodes contradict each other; nothing is signed there',
        );
      case 'agree':
        return log.info({ network }, 'the two nodes agree again');
    }
  };
}

/** A network from the first question to its chain on. Nothing is settled before it is known to be the right chain. */
export type Opening = { isOpen: () => boolean; whenOpen: () => Promise<void> };

/**
 * Resolves after the first try. Then a wrong chain ends the start; later it keeps the network closed, because the others
 * serve by that time.
 */
export async function openNetwork(network: Network, check: () => Promise<void>, waits: Waits): Promise<Opening> {
  const what = `the node of ${networkTitle(network, null)} (${NETWORK_VARIABLES[network].rpcUrl})`;
  let isOpen = false;
  const first = check().then(
    () => true,
    (error: unknown) => {
      if (error instanceof Misconfigured) throw error;
      waits.missing(what, 'no answer yet');
      return false;
    },
  );
  const again = async (): Promise<void> => {
    await check().catch((error: unknown) => {
      throw error instanceof Misconfigured ? new Error(error.message, { cause: error }) : error;
    });
  };
  const passes = await first;
  const opened = (passes ? Promise.resolve() : waits.until(what, again)).then(() => void (isOpen = true));
  // Ends without an answer only when the process is stopped.
  opened.catch(() => undefined);
  if (passes) await opened;
  return { isOpen: () => isOpen, whenOpen: () => opened };
}

/** Throws Misconfigured for a node of another chain. */
export function checkNode(mode: NetworkMode, parts: NetworkParts): Promise<void> {
  switch (parts.family) {
    case 'evm':
      return checkChain(parts);
    case 'svm':
      return checkCluster(parts, mode);
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

async function checkChain({ rpc, second, profile }: EvmParts): Promise<void> {
  const assertIs = (name: VariableName, chainId: number): void => {
    if (chainId === profile.chainId) return;
    throw new Misconfigured(`${name} is chain ${chainId}; this mode needs chain ${profile.chainId}.`);
  };
  assertIs(NETWORK_VARIABLES[profile.network].rpcUrl, await rpc.chainId());
  const ofSecond = second && (await orNull(second.rpc.chainId()));
  if (ofSecond !== null) assertIs(secondRpcName(profile.network), ofSecond);
}

/** A second node that is away keeps nothing from starting. */
function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  });
}

/** The local chain has a genesis of its own. */
async function checkCluster({ rpc, second, profile }: SolanaParts, mode: NetworkMode): Promise<void> {
  const assertIs = (name: VariableName, genesisHash: string, wanted: string): void => {
    if (genesisHash === wanted) return;
    throw new Misconfigured(`${name} is another cluster: its genesis is ${genesisHash}, this mode needs ${wanted}.`);
  };
  const genesisHash = await rpc.genesisHash();
  if (mode !== 'local') assertIs(NETWORK_VARIABLES[profile.network].rpcUrl, genesisHash, profile.genesisHash);
  const ofSecond = second && (await orNull(second.rpc.genesisHash()));
  if (ofSecond !== null) assertIs(secondRpcName(profile.network), ofSecond, genesisHash);
}

const LOOKS = 5;
const LOOK_AGAIN_MS = 1_000;

/**
 * Whether a killed local chain came back older than the books, which then name blocks that do not exist. It ends a process, so
 * one answer of a node that lies or lags does not decide it: a chain that is older says so each time.
 */
export async function isOlderThanBooks(
  store: Store,
  parts: NetworkParts,
  pause: () => Promise<unknown> = () => sleep(LOOK_AGAIN_MS),
): Promise<boolean> {
  for (let look = 1; await looksOlder(store, parts); look += 1) {
    if (look === LOOKS) return true;
    await pause();
  }
  return false;
}

function looksOlder(store: Store, parts: NetworkParts): Promise<boolean> {
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
  if (cursor.blockHash === '' || cursor.blockHash === UNREAD) return false;
  const { statuses } = await rpc.statuses([cursor.blockHash]);
  return statuses[0] === null;
}
