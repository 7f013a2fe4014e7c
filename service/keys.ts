import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { ensureLocalKeys, type LocalKeys } from '../local/keys.ts';
import type { BaseKeys } from './base.ts';
import { seedBytes } from './keystore/content.ts';

type Hex = `0x${string}`;

/** Each is the base58 text of 64 bytes. */
export type SolanaKeys = { treasuryKey: string; taskKey?: string; feePayerKey: string };

/** Where local mode keeps its keys to play money. */
export function localKeysOf(config: Config): LocalKeys {
  return ensureLocalKeys(join(config.dataDir, 'local', 'keys.json'));
}

/** The keys of the Base network: made by local mode, or configured. */
export function readBaseKeys(config: Config): BaseKeys {
  if (config.mode === 'local') return localKeysOf(config);
  const { treasuryKey, taskKey, laneKeys } = config.base;
  if (treasuryKey === undefined || laneKeys === undefined) {
    throw new Error('TREASURY_KEY and LANE_KEYS are needed outside local mode.');
  }
  return { treasuryKey: treasuryKey as Hex, taskKey: taskKey as Hex | undefined, laneKeys: laneKeys as readonly Hex[] };
}

/** The keys of the Solana network: made by local mode, or configured. */
export function readSolanaKeys(config: Config): SolanaKeys {
  if (config.mode === 'local') {
    const { solanaTreasuryKey, solanaTaskKey, solanaFeePayerKey } = localKeysOf(config);
    return { treasuryKey: solanaTreasuryKey, taskKey: solanaTaskKey, feePayerKey: solanaFeePayerKey };
  }
  const { treasuryKey, taskKey, feePayerKey } = config.solana;
  if (treasuryKey === undefined || feePayerKey === undefined) {
    throw new Error('SOLANA_TREASURY_KEY and SOLANA_FEE_PAYER_KEY are needed outside local mode.');
  }
  return { treasuryKey, taskKey, feePayerKey };
}

/** The seed of all personal wallets: made by local mode, or configured. */
export function readWalletSeed(config: Config): Uint8Array {
  const seed = config.mode === 'local' ? localKeysOf(config).chatWalletSeed : config.chatWalletSeed;
  if (seed === undefined) throw new Error('CHAT_WALLET_SEED is needed outside local mode.');
  return seedBytes(seed);
}
