import type { Address } from 'viem';

/** What differs between the chains we call Base. Addresses are written with their checksum, as x402 clients compare them. */
export type BaseProfile = {
  network: 'base';
  chainId: number;
  /** Network name in x402 v2. */
  caip2: string;
  /** Network name in x402 v1. */
  v1Name: 'base' | 'base-sepolia';
  usdc: Address;
  /** EIP-712 domain of the token (`name()` and `version()` of the contract). They differ between the two chains. */
  eip712Name: string;
  eip712Version: '2';
  multicall: Address;
};

export type NetworkMode = 'local' | 'testnet' | 'mainnet';

/** Multicall3, the same address on every chain (github.com/mds1/multicall3). */
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

const BASE: BaseProfile = {
  network: 'base',
  chainId: 8453,
  caip2: 'eip155:8453',
  v1Name: 'base',
  // Circle, "USDC contract addresses".
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  eip712Name: 'USD Coin',
  eip712Version: '2',
  multicall: MULTICALL3,
};

const BASE_SEPOLIA: BaseProfile = {
  network: 'base',
  chainId: 84532,
  caip2: 'eip155:84532',
  v1Name: 'base-sepolia',
  usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  eip712Name: 'USDC',
  eip712Version: '2',
  multicall: MULTICALL3,
};

// Published x402 clients refuse any asset but USDC at its canonical address, so the local chain imitates Base itself.
const PROFILES = { local: BASE, testnet: BASE_SEPOLIA, mainnet: BASE } as const satisfies Record<
  NetworkMode,
  BaseProfile
>;

export function baseProfile(mode: NetworkMode): BaseProfile {
  return PROFILES[mode];
}

/** Contracts and burn addresses nobody owns: money sent there is lost. In lower case. */
export const SYSTEM_ADDRESSES: ReadonlySet<string> = new Set(
  ['0x000000000000000000000000000000000000dEaD', BASE.usdc, BASE_SEPOLIA.usdc, MULTICALL3].map((address) =>
    address.toLowerCase(),
  ),
);

/** Zero, and the range that chains reserve for precompiles: 0x1 to 0x1ff (0x100 is P-256, RIP-7212). */
const PRECOMPILES_END = 0x1ffn;
/** Predeploys of the OP stack (specs.optimism.io, "Predeploys"): 2,048 addresses from here. */
const PREDEPLOYS_START = 0x4200000000000000000000000000000000000000n;
const PREDEPLOYS_END = PREDEPLOYS_START + 0x7ffn;

/**
 * True for what can never be a payer, a recipient or a refund target. `ownAddresses` are the treasury, the task
 * address and the lanes. Asked when a wallet is linked, when a payment is accepted and before every signature.
 */
export function isForbiddenAddress(address: Address, ownAddresses: readonly Address[]): boolean {
  const wanted = address.toLowerCase();
  const number = BigInt(wanted);
  if (number <= PRECOMPILES_END) return true;
  if (number >= PREDEPLOYS_START && number <= PREDEPLOYS_END) return true;
  return SYSTEM_ADDRESSES.has(wanted) || ownAddresses.some((own) => own.toLowerCase() === wanted);
}
