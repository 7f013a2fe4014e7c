import type { CostRules } from '../costs/allowance.ts';
import { familyOf, NETWORKS, type EvmNetwork, type Family, type Network, type SvmNetwork } from '../networks.ts';
import type { Values, VariableName } from './variables.ts';

/** What each network may cost in a day by default, in gwei or lamports: some 20 dollars (docs/decisions.md). */
const GAS_DAILY = { base: 5_000_000n, solana: 100_000_000n, polygon: 40_000_000_000n } as const satisfies Record<
  Network,
  bigint
>;
const COST_LINE = 10_000n;

type Named<Key extends string> = Readonly<Record<Key, VariableName>>;
type FormerKeys = 'formerTreasuryKeys' | 'formerTaskKeys';
type NetworkVariables = {
  readonly [Name in EvmNetwork]: Named<'rpcUrl' | 'treasuryKey' | 'taskKey' | 'laneKeys' | FormerKeys>;
} & {
  readonly [Name in SvmNetwork]: Named<'rpcUrl' | 'treasuryKey' | 'taskKey' | 'feePayerKey' | FormerKeys>;
};

/** Each network's names in the configuration. Its sending key is under `laneKeys` or `feePayerKey`. */
export const NETWORK_VARIABLES = {
  base: {
    rpcUrl: 'BASE_RPC_URL',
    treasuryKey: 'TREASURY_KEY',
    taskKey: 'TASK_KEY',
    laneKeys: 'LANE_KEYS',
    formerTreasuryKeys: 'FORMER_TREASURY_KEYS',
    formerTaskKeys: 'FORMER_TASK_KEYS',
  },
  solana: {
    rpcUrl: 'SOLANA_RPC_URL',
    treasuryKey: 'SOLANA_TREASURY_KEY',
    taskKey: 'SOLANA_TASK_KEY',
    feePayerKey: 'SOLANA_FEE_PAYER_KEY',
    formerTreasuryKeys: 'SOLANA_FORMER_TREASURY_KEYS',
    formerTaskKeys: 'SOLANA_FORMER_TASK_KEYS',
  },
  polygon: {
    rpcUrl: 'POLYGON_RPC_URL',
    treasuryKey: 'POLYGON_TREASURY_KEY',
    taskKey: 'POLYGON_TASK_KEY',
    laneKeys: 'POLYGON_LANE_KEYS',
    formerTreasuryKeys: 'POLYGON_FORMER_TREASURY_KEYS',
    formerTaskKeys: 'POLYGON_FORMER_TASK_KEYS',
  },
} as const satisfies NetworkVariables;

type KeyNameOf<Names> = Names extends unknown ? Names[Exclude<keyof Names, 'rpcUrl'>] : never;
type NetworkKeyName = KeyNameOf<(typeof NETWORK_VARIABLES)[Network]>;

type NetworkKey = {
  name: NetworkKeyName;
  family: Family;
  isList: boolean;
  /** Replaced by a rotation: nobody makes a new one. */
  isFormer: boolean;
};

/** Each key of a network; lanes and former keys are lists of keys. */
export const NETWORK_KEYS: readonly NetworkKey[] = NETWORKS.flatMap((network) => {
  const { rpcUrl: _url, ...keys } = NETWORK_VARIABLES[network];
  const family = familyOf(network);
  return Object.entries(keys).map(([field, name]) => ({
    name,
    family,
    isList: field.endsWith('Keys'),
    isFormer: field.startsWith('former'),
  }));
});

export type KeptName = NetworkKeyName | 'COMPROMISED_ADDRESSES' | 'INSTALLATION_SECRET' | 'CHAT_WALLET_SEED';

/** What a keystore can hold. Every other secret can be issued again by its provider. */
export const KEPT_NAMES: readonly KeptName[] = [
  ...NETWORK_KEYS.map(({ name }) => name),
  // No secret: it is kept beside the former keys, so that it goes wherever they go.
  'COMPROMISED_ADDRESSES',
  'INSTALLATION_SECRET',
  'CHAT_WALLET_SEED',
];

/** The key without which the worker cannot send. */
export function sendingKeyOf(network: Network): VariableName {
  const names = NETWORK_VARIABLES[network];
  return 'laneKeys' in names ? names.laneKeys : names.feePayerKey;
}

const COST_VARIABLES = {
  base: { daily: 'BASE_GAS_DAILY', line: 'BASE_COST_USDC' },
  solana: { daily: 'SOLANA_GAS_DAILY', line: 'SOLANA_COST_USDC' },
  polygon: { daily: 'POLYGON_GAS_DAILY', line: 'POLYGON_COST_USDC' },
} as const satisfies Record<Network, { daily: VariableName; line: VariableName }>;

/** Who pays for gas on each network. Play money is spent without a limit, unless one is set. */
export function toCostRules(values: Values): Readonly<Record<Network, CostRules>> {
  const isPlay = (values.NETWORK_MODE ?? 'local') === 'local';
  const rules = NETWORKS.map((network) => {
    const { daily, line } = COST_VARIABLES[network];
    const dailyUnits = values[daily] ?? (isPlay ? null : GAS_DAILY[network]);
    return [network, { dailyUnits, lineMicroUsdc: values[line] ?? COST_LINE }];
  });
  return Object.fromEntries(rules) as Record<Network, CostRules>;
}
