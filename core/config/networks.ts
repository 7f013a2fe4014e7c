import type { EvmNetwork, Network, SvmNetwork } from '../networks.ts';
import type { VariableName } from './variables.ts';

type Named<Key extends string> = Readonly<Record<Key, VariableName>>;
type NetworkVariables = { readonly [Name in EvmNetwork]: Named<'rpcUrl' | 'treasuryKey' | 'taskKey' | 'laneKeys'> } & {
  readonly [Name in SvmNetwork]: Named<'rpcUrl' | 'treasuryKey' | 'taskKey' | 'feePayerKey'>;
};

/** Each network's names in the configuration. Its sending key is under `laneKeys` or `feePayerKey`. */
export const NETWORK_VARIABLES = {
  base: { rpcUrl: 'BASE_RPC_URL', treasuryKey: 'TREASURY_KEY', taskKey: 'TASK_KEY', laneKeys: 'LANE_KEYS' },
  solana: {
    rpcUrl: 'SOLANA_RPC_URL',
    treasuryKey: 'SOLANA_TREASURY_KEY',
    taskKey: 'SOLANA_TASK_KEY',
    feePayerKey: 'SOLANA_FEE_PAYER_KEY',
  },
  polygon: {
    rpcUrl: 'POLYGON_RPC_URL',
    treasuryKey: 'POLYGON_TREASURY_KEY',
    taskKey: 'POLYGON_TASK_KEY',
    laneKeys: 'POLYGON_LANE_KEYS',
  },
} as const satisfies NetworkVariables;

/** The key without which the worker cannot send. */
export function sendingKeyOf(network: Network): VariableName {
  const names = NETWORK_VARIABLES[network];
  return 'laneKeys' in names ? names.laneKeys : names.feePayerKey;
}
