import type { Address } from 'viem';
import type { EvmNetwork } from '../../../core/networks.ts';
import type { PinnedPayer } from '../../../core/payments/signer.ts';
import {
  findKnown,
  MULTICALL3,
  USDC_ON_BASE,
  USDC_ON_BASE_SEPOLIA,
  USDC_ON_POLYGON,
  USDC_ON_POLYGON_AMOY,
} from './known-addresses.ts';

/** What differs between the chains of this family. Addresses are written with their checksum, as x402 clients compare them. */
export type EvmProfile = {
  network: EvmNetwork;
  chainId: number;
  /** Network name in x402 v2. */
  caip2: string;
  /** Network name in x402 v1. */
  v1Name: string;
  usdc: Address;
  /** EIP-712 domain of the token (`name()` and `version()` of the contract). They differ between chains. */
  eip712Name: string;
  eip712Version: '2';
  multicall: Address;
  /** The chain's rules besides the token's; the same on its test chain. */
  rules: ChainRules;
};

export type ChainRules = {
  /** The tag for blocks that every node has: some chains have no `safe`. */
  safeTag: 'safe' | 'finalized';
  /** How many blocks must follow one that is not safe yet before it counts as landed. */
  creditedDepth: number;
  /** When the safe block is older than this, the network takes no more payments. */
  lagMaxSeconds: number;
  /** In wei per gas. `tip`: the least that nodes accept, or what is enough outside of congestion. */
  tip: bigint;
  /** In wei per gas, base fee and tip together; a transaction that costs more waits. */
  feeMax: bigint;
  /** The gas that one transaction may use. */
  gasMax: bigint;
  /** Whether receipts name the fee for publishing on another chain, which comes on top of gas. */
  hasL1Fee: boolean;
  /** How many blocks of logs providers answer at once. */
  logBlocksMax: number;
  secondsPerBlock: number;
  /** How much may be paid out against money that is not safe yet, in micro-USDC; the configuration may set less. */
  exposureCapMicroUsdc: bigint;
};

const GWEI = 1_000_000_000n;

/** EIP-7825, which all chains here keep. */
const TRANSACTION_GAS_MAX = 16_777_216n;

const BASE_RULES: ChainRules = {
  safeTag: 'safe',
  creditedDepth: 0,
  lagMaxSeconds: 30 * 60,
  // 0.001 gwei: such transactions are in the next block outside of congestion.
  tip: 1_000_000n,
  feeMax: 100n * GWEI,
  gasMax: TRANSACTION_GAS_MAX,
  hasL1Fee: true,
  logBlocksMax: 50,
  secondsPerBlock: 2,
  exposureCapMicroUsdc: 1_000_000_000_000_000n,
};

/** docs.polygon.technology, "Finality", "Gas": milestones are `finalized`, nodes have no `safe`, and want 30 gwei. */
const POLYGON_RULES: ChainRules = {
  safeTag: 'finalized',
  creditedDepth: 1,
  lagMaxSeconds: 5 * 60,
  tip: 30n * GWEI,
  feeMax: 5_000n * GWEI,
  gasMax: TRANSACTION_GAS_MAX,
  hasL1Fee: false,
  logBlocksMax: 50,
  secondsPerBlock: 2,
  exposureCapMicroUsdc: 500_000_000n,
};

export type NetworkMode = 'local' | 'testnet' | 'mainnet';

const BASE: EvmProfile = {
  network: 'base',
  chainId: 8453,
  caip2: 'eip155:8453',
  v1Name: 'base',
  usdc: USDC_ON_BASE,
  eip712Name: 'USD Coin',
  eip712Version: '2',
  multicall: MULTICALL3,
  rules: BASE_RULES,
};

const BASE_SEPOLIA: EvmProfile = {
  network: 'base',
  chainId: 84532,
  caip2: 'eip155:84532',
  v1Name: 'base-sepolia',
  usdc: USDC_ON_BASE_SEPOLIA,
  eip712Name: 'USDC',
  eip712Version: '2',
  multicall: MULTICALL3,
  rules: BASE_RULES,
};

const POLYGON: EvmProfile = {
  network: 'polygon',
  chainId: 137,
  caip2: 'eip155:137',
  v1Name: 'polygon',
  usdc: USDC_ON_POLYGON,
  eip712Name: 'USD Coin',
  eip712Version: '2',
  multicall: MULTICALL3,
  rules: POLYGON_RULES,
};

const POLYGON_AMOY: EvmProfile = {
  network: 'polygon',
  chainId: 80002,
  caip2: 'eip155:80002',
  v1Name: 'polygon-amoy',
  usdc: USDC_ON_POLYGON_AMOY,
  eip712Name: 'USDC',
  eip712Version: '2',
  multicall: MULTICALL3,
  rules: POLYGON_RULES,
};

/**
 * Which chain each network is. Published x402 clients refuse any asset but USDC at its canonical address, so a local chain
 * imitates the real one.
 */
const PROFILES = {
  base: { local: BASE, testnet: BASE_SEPOLIA, mainnet: BASE },
  polygon: { local: POLYGON, testnet: POLYGON_AMOY, mainnet: POLYGON },
} as const satisfies Record<EvmNetwork, Record<NetworkMode, EvmProfile>>;

export function evmProfile(network: EvmNetwork, mode: NetworkMode): EvmProfile {
  return PROFILES[network][mode];
}

/**
 * True for an address that can never be a payer, a recipient or a refund target. `ownAddresses`: treasury, task address
 * and lanes. Checked when a wallet is linked, when a payment is accepted and before every signature.
 */
export function isForbiddenAddress(address: Address, ownAddresses: readonly Address[]): boolean {
  const wanted = address.toLowerCase();
  return findKnown(address) !== null || ownAddresses.some((own) => own.toLowerCase() === wanted);
}

/** What a payer there knows without asking the service. */
export function pinEvm({
  network,
  caip2,
  usdc: asset,
  eip712Name: name,
  eip712Version: version,
}: EvmProfile): PinnedPayer {
  const isPayable = (text: string) => isAddress(text) && !isForbiddenAddress(text, []);
  return { network, caip2, asset, extra: { name, version }, isPayable };
}

function isAddress(text: string): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}
