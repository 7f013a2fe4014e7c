import { readSolanaSeed } from '../chain/solana/messages/key.ts';
import { createTransferIds } from '../chain/transfer-ids.ts';
import type { Config } from '../core/config/config.ts';
import { inFamily, NETWORKS, type Network } from '../core/networks.ts';
import type { TransferIdOf } from '../core/transfers/source.ts';
import { localEvmKeys } from '../local/keys.ts';
import { localKeysOf } from './networks/keys.ts';

/**
 * The ids of what leaves this installation. They need the treasury's key of each network that money came in on, also of
 * one that is no longer offered: its payments may still be paid out on another.
 */
export function openTransferIds(config: Config): TransferIdOf {
  const keys = NETWORKS.flatMap((network): [Network, Uint8Array][] => {
    const key = treasuryKeyOf(config, network);
    return key === null ? [] : [[network, key]];
  });
  return createTransferIds(new Map(keys));
}

function treasuryKeyOf(config: Config, network: Network): Uint8Array | null {
  const isLocal = config.mode === 'local';
  const place = inFamily(network);
  switch (place.family) {
    case 'evm': {
      const key = isLocal
        ? localEvmKeys(localKeysOf(config), place.network).treasuryKey
        : config[place.network].treasuryKey;
      return key === undefined ? null : Buffer.from(key.slice(2), 'hex');
    }
    case 'svm': {
      const key = isLocal ? localKeysOf(config).solanaTreasuryKey : config[place.network].treasuryKey;
      return key === undefined ? null : readSolanaSeed(key);
    }
  }
}
