/** Well-known contracts without an owner: money sent there is lost. */
import type { Address } from 'viem';
import type { KnownAddress } from '../../../core/payments/payout-address.ts';

/** Circle, "USDC contract addresses". */
export const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const USDC_ON_BASE_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const USDC_ON_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
export const USDC_ON_POLYGON_AMOY = '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582';
/** Multicall3, the same address on every chain (github.com/mds1/multicall3). */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** The tokens that people most often mistake for their wallets; others are found by asking the chain. */
const TOKENS: readonly Address[] = [
  USDC_ON_BASE,
  USDC_ON_BASE_SEPOLIA,
  USDC_ON_POLYGON,
  USDC_ON_POLYGON_AMOY,
  // USDC.e and USDT on Polygon.
  '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
  '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  // WPOL.
  '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  // USDbC, the bridged USDC of Base's first year.
  '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
  // EURC.
  '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42',
  // USDT.
  '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
  // DAI.
  '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
  // cbBTC.
  '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
  // WETH, among the predeploys.
  '0x4200000000000000000000000000000000000006',
];

/** Preinstalls of Base (docs.base.org, "Preinstalls"), and the entry points that came later. */
const SYSTEM: readonly Address[] = [
  MULTICALL3,
  // Permit2.
  '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  // ERC-4337: the entry points 0.6 to 0.9 and the first's helper.
  '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
  '0x7fc98430eAEdbb6070B35B39D798725049088348',
  // Deployers of contracts: the deterministic proxy, Create2Deployer, CreateX, the factory of Safe.
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  '0x13b0D85CcB8bf860b6b79AF3029fCA081AE9beF2',
  '0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed',
  '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7',
  // The code that all Safes share, which is no person's Safe, and MultiSend in both forms.
  '0x69f4D1788e39c87893C980c06EdF4b7f686e2938',
  '0xfb1bffC9d739B8D520DaF37dF666da4C687191EA',
  '0x998739BFdAAdde7C933B942a68053933098f9EDa',
  '0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B',
  // System contracts of Polygon: validators, state, and the coin itself.
  '0x0000000000000000000000000000000000001000',
  '0x0000000000000000000000000000000000001001',
  '0x0000000000000000000000000000000000001010',
  // The roots of the beacon chain (EIP-4788).
  '0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02',
];

const BURN = '0x000000000000000000000000000000000000dead';

const toRows = (addresses: readonly Address[], kind: KnownAddress) =>
  addresses.map((address): [string, KnownAddress] => [address.toLowerCase(), kind]);
const KINDS: ReadonlyMap<string, KnownAddress> = new Map([
  ...toRows([BURN], 'nobody'),
  ...toRows(TOKENS, 'token'),
  ...toRows(SYSTEM, 'system'),
]);

/** The range that chains reserve for precompiles: 0x1 to 0x1ff (0x100 is P-256, RIP-7212). */
const PRECOMPILES_END = 0x1ffn;
/** Predeploys of the OP stack (specs.optimism.io, "Predeploys"): 2,048 addresses from here. */
const PREDEPLOYS_START = 0x4200000000000000000000000000000000000000n;
const PREDEPLOYS_END = PREDEPLOYS_START + 0x7ffn;

/** What this address is, in any letter case; null for one that may be a person's. */
export function findKnown(address: Address): KnownAddress | null {
  const number = BigInt(address.toLowerCase());
  if (number === 0n) return 'nobody';
  const found = KINDS.get(address.toLowerCase());
  if (found !== undefined) return found;
  const isSystem = number <= PRECOMPILES_END || (number >= PREDEPLOYS_START && number <= PREDEPLOYS_END);
  return isSystem ? 'system' : null;
}
