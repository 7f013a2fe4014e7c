import { join } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import { NETWORK_VARIABLES } from '../../core/config/networks.ts';
import { inFamily, NETWORKS, type EvmNetwork, type Network, type SvmNetwork } from '../../core/networks.ts';
import { ensureLocalKeys, localEvmKeys, type LocalKeys } from '../../local/keys.ts';
import type { EvmKeys } from './evm.ts';
import { seedBytes } from '../keystore/content.ts';
import type { IdMarks } from '../../db/rotations/marks.ts';
import { derivingKeyOf, idsMarkOf } from './deriving-key.ts';

/** Each is the base58 text of 64 bytes. */
export type SolanaKeys = {
  treasuryKey: string;
  taskKey?: string | undefined;
  feePayerKey: string;
  /** What a rotation has replaced, the first one first. */
  formerTreasuryKeys?: readonly string[] | undefined;
  formerTaskKeys?: readonly string[] | undefined;
  /** Addresses of those whose key others may know. */
  compromised?: readonly string[] | undefined;
};

/** Where a network is reached. `secondRpcUrl`: another node, whose answers are compared. */
export type NodeUrls = { rpcUrl: string; secondRpcUrl?: string | undefined };

/** The same, with our keys there. */
export type NetworkNode = NodeUrls &
  ({ family: 'evm'; network: EvmNetwork; keys: EvmKeys } | { family: 'svm'; network: SvmNetwork; keys: SolanaKeys });

/** Where local mode keeps its keys to play money. */
export function localKeysOf(config: Config): LocalKeys {
  return ensureLocalKeys(join(config.dataDir, 'local', 'keys.json'));
}

/** The keys of an EVM network: made by local mode, or configured. */
export function readEvmKeys(config: Config, network: EvmNetwork): EvmKeys {
  if (config.mode === 'local') return localEvmKeys(localKeysOf(config), network);
  const { treasuryKey, taskKey, laneKeys, formerTreasuryKeys, formerTaskKeys } = config[network];
  if (treasuryKey === undefined || laneKeys === undefined) {
    const names = NETWORK_VARIABLES[network];
    throw new Error(`${names.treasuryKey} and ${names.laneKeys} are needed outside local mode.`);
  }
  const { installationSecret, compromised } = config;
  return { treasuryKey, taskKey, laneKeys, formerTreasuryKeys, formerTaskKeys, installationSecret, compromised };
}

/** The keys of the Solana network: made by local mode, or configured. */
export function readSolanaKeys(config: Config): SolanaKeys {
  if (config.mode === 'local') {
    const { solanaTreasuryKey, solanaTaskKey, solanaFeePayerKey } = localKeysOf(config);
    return { treasuryKey: solanaTreasuryKey, taskKey: solanaTaskKey, feePayerKey: solanaFeePayerKey };
  }
  const { treasuryKey, taskKey, feePayerKey, formerTreasuryKeys, formerTaskKeys } = config.solana;
  if (treasuryKey === undefined || feePayerKey === undefined) {
    throw new Error('SOLANA_TREASURY_KEY and SOLANA_FEE_PAYER_KEY are needed outside local mode.');
  }
  const { compromised } = config;
  return { treasuryKey, taskKey, feePayerKey, formerTreasuryKeys, formerTaskKeys, compromised };
}

/** Where a network is reached: as configured, or at the address of the local chain. */
export function readNode(config: Config, network: Network, localUrl?: string): NetworkNode {
  const rpcUrl = config[network].rpcUrl ?? localUrl;
  if (rpcUrl === undefined) throw new Error(`${NETWORK_VARIABLES[network].rpcUrl} is needed outside local mode.`);
  const place = inFamily(network);
  const { secondRpcUrl } = config[network];
  const urls: NodeUrls = secondRpcUrl === undefined ? { rpcUrl } : { rpcUrl, secondRpcUrl };
  switch (place.family) {
    case 'evm':
      return { ...place, ...urls, keys: readEvmKeys(config, place.network) };
    case 'svm':
      return { ...place, ...urls, keys: readSolanaKeys(config) };
  }
}

/** The seed of all personal wallets: made by local mode, or configured. */
export function readWalletSeed(config: Config): Uint8Array {
  const seed = config.mode === 'local' ? localKeysOf(config).chatWalletSeed : config.chatWalletSeed;
  if (seed === undefined) throw new Error('CHAT_WALLET_SEED is needed outside local mode.');
  return seedBytes(seed);
}

/** Shows whether ids are derived from the same keys as before, also where a network is not offered any more. */
export function idMarksOf(config: Config): IdMarks {
  return new Map([...treasuryKeysOf(config)].map(([network, key]) => [network, idsMarkOf(key)]));
}

/** What ids are derived from on each network that has a treasury, also where it is not offered any more. */
export function treasuryKeysOf(config: Config): ReadonlyMap<Network, Uint8Array> {
  const keys = NETWORKS.flatMap((network): [Network, Uint8Array][] => {
    const key = treasuryKeyOf(config, network);
    return key === null ? [] : [[network, key]];
  });
  return new Map(keys);
}

function treasuryKeyOf(config: Config, network: Network): Uint8Array | null {
  const isLocal = config.mode === 'local';
  const place = inFamily(network);
  switch (place.family) {
    case 'evm': {
      const keys = isLocal ? localEvmKeys(localKeysOf(config), place.network) : config[place.network];
      const { treasuryKey } = keys;
      return treasuryKey === undefined ? null : derivingKeyOf({ ...keys, treasuryKey }, config.installationSecret);
    }
    case 'svm': {
      const keys = isLocal ? { treasuryKey: localKeysOf(config).solanaTreasuryKey } : config[place.network];
      const { treasuryKey } = keys;
      return treasuryKey === undefined ? null : derivingKeyOf({ ...keys, treasuryKey }, config.installationSecret);
    }
  }
}
