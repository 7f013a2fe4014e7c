import type { EvmKeyText } from '../../core/config/keys.ts';
import { ConfigError } from '../../core/config/config.ts';
import { isLoopback } from '../../core/config/readers.ts';
import { readValues, type Environment, type VariableName } from '../../core/config/variables.ts';
import type { NetworkMode } from '../../chain/evm/rpc/profile.ts';
import { NETWORK_VARIABLES, sendingKeyOf } from '../../core/config/networks.ts';
import { eachNetwork, NETWORKS, type EvmNetwork, type Network } from '../../core/networks.ts';
import { openKeystore } from '../keystore/file.ts';
import { seedBytes } from '../keystore/content.ts';

/** All that a recovery needs from the environment: much less than the service, since nothing else may be left. */
export type RecoverySettings = {
  mode: NetworkMode;
  dataDir: string;
  rpcUrls: Record<Network, string | undefined>;
  gasKeys: Record<EvmNetwork, EvmKeyText | undefined>;
  feePayerKey: string | undefined;
  /** From KEYSTORE or the environment; undefined where neither has it. */
  seed: Uint8Array | undefined;
};

const NAMES: readonly VariableName[] = [
  'NETWORK_MODE',
  'DATA_DIR',
  ...NETWORKS.flatMap((network) => [NETWORK_VARIABLES[network].rpcUrl, sendingKeyOf(network)]),
  'CHAT_WALLET_SEED',
  'KEYSTORE',
  'KEYSTORE_PASSWORD_FILE',
];

/**
 * A key in the environment wins over the keystore's: after a loss the old lanes may be empty, and another key has the
 * gas. Throws ConfigError.
 */
export function readRecoverySettings(environment: Environment): RecoverySettings {
  const kept = readKept(environment);
  const named = Object.fromEntries(NAMES.map((name) => [name, environment[name]?.trim() || kept[name]]));
  const { values, problems } = readValues(named);
  if (problems.length > 0) throw new ConfigError(problems);
  const mode = values.NETWORK_MODE ?? 'local';
  for (const { rpcUrl: name } of Object.values(NETWORK_VARIABLES)) {
    const url = values[name];
    // The local chain has the real one's chain id, so a real node would move real money here.
    if (mode !== 'local' || url === undefined || isLoopback(new URL(url).hostname)) continue;
    throw new ConfigError([
      { name, found: 'the address of another machine', wanted: 'allowed in local mode: a loopback URL' },
    ]);
  }
  return {
    mode,
    dataDir: values.DATA_DIR ?? `./data/${mode}`,
    rpcUrls: eachNetwork((network) => values[NETWORK_VARIABLES[network].rpcUrl]),
    gasKeys: { base: values.LANE_KEYS?.[0], polygon: values.POLYGON_LANE_KEYS?.[0] },
    feePayerKey: values.SOLANA_FEE_PAYER_KEY,
    seed: values.CHAT_WALLET_SEED === undefined ? undefined : seedBytes(values.CHAT_WALLET_SEED),
  };
}

function readKept(environment: Environment): Environment {
  const { values } = readValues({
    KEYSTORE: environment['KEYSTORE'],
    KEYSTORE_PASSWORD_FILE: environment['KEYSTORE_PASSWORD_FILE'],
  });
  const { KEYSTORE: path, KEYSTORE_PASSWORD_FILE: passwordFile } = values;
  return path === undefined || passwordFile === undefined ? {} : openKeystore({ path, passwordFile }).secrets;
}
