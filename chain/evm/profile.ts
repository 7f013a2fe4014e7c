import type { Address } from 'viem';
import type { EvmNetwork } from '../../core/networks.ts';
import { findKnown, MULTICALL3, USDC_ON_BASE, USDC_ON_BASE_SEPOLIA } from './known-addresses.ts';

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
};

/**
 * Which chain each network is. Published x402 clients refuse any asset but USDC at its canonical address, so a local chain
 * imitates the real one.
 */
const PROFILES = {
  base: { local: BASE, testnet: BASE_SEPOLIA, mainnet: BASE },
} as const satisfies Record<EvmNetwork, Record<NetworkMode, EvmProfile>>;

export function evmProfile(network: EvmNetwork, mode: NetworkMode): EvmProfile {
  return PROFILES[network][mode];
}

/**
 * True for what can never be a payer, a recipient or a refund target. `ownAddresses` are the treasury, the task
 * address and the lanes. Asked when a wallet is linked, when a payment is accepted and before every signature.
 */
export function isForbiddenAddress(address: Address, ownAddresses: readonly Address[]): boolean {
  const wanted = address.toLowerCase();
  return findKnown(address) !== null || ownAddresses.some((own) => own.toLowerCase() === wanted);
}
