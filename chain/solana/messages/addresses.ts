import { PublicKey } from '@solana/web3.js';
import type { KnownAddress } from '../../../core/payments/payout-address.ts';
import type { PinnedPayer } from '../../../core/payments/signer.ts';
import { fromBase58 } from './base58.ts';
import { USDC_MINTS, type SolanaProfile } from './profile.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './programs.ts';

const ADDRESS_BYTES = 32;

export function isAddress(text: string): boolean {
  return fromBase58(text, ADDRESS_BYTES) !== null;
}

/** The owner's USDC account by convention, whether it exists yet or not. */
export function tokenAccountOf(owner: string, profile: SolanaProfile): string {
  return deriveTokenAccount(owner, profile).address;
}

/** The program on the chain counts down from 255 to `bump` and pays for each step. */
export function deriveTokenAccount(owner: string, { usdc }: SolanaProfile): { address: string; bump: number } {
  const seeds = [owner, TOKEN_PROGRAM, usdc].map((part) => new PublicKey(part).toBuffer());
  const [address, bump] = PublicKey.findProgramAddressSync(seeds, new PublicKey(ASSOCIATED_TOKEN_PROGRAM));
  return { address: address.toBase58(), bump };
}

/** Programs and system accounts: money sent there is lost, or free to take. */
const SYSTEM_ADDRESSES: ReadonlySet<string> = new Set([
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  COMPUTE_BUDGET_PROGRAM,
  'AddressLookupTab1e1111111111111111111111111',
  // x402 lets wallets add instructions of this one.
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
  // Loaders, and what is built into the runtime.
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  STAKE_PROGRAM,
  'StakeConfig11111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'Feature111111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  // System variables.
  'Sysvar1111111111111111111111111111111111111',
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarFees111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarLastRestartS1ot1111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarRewards111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
]);

/** Of wrapped SOL, and of USDC. */
const MINTS: ReadonlySet<string> = new Set(['So11111111111111111111111111111111111111112', ...USDC_MINTS]);
const INCINERATOR = '1nc1nerator11111111111111111111111111111111';

/** What this address is on every Solana network; null for one that may be a person's. */
export function findKnown(address: string): KnownAddress | null {
  if (address === INCINERATOR) return 'nobody';
  if (MINTS.has(address)) return 'token';
  return SYSTEM_ADDRESSES.has(address) ? 'system' : null;
}

/**
 * Keys lie on the curve. An address off the curve has no key: only the program that it was derived for can act for it.
 */
export function isOnCurve(address: string): boolean {
  const bytes = fromBase58(address, ADDRESS_BYTES);
  return bytes !== null && PublicKey.isOnCurve(bytes);
}

/** What a payer there knows without asking the service. */
export function pinSolana({ network, caip2, usdc: asset }: SolanaProfile): PinnedPayer {
  return { network, caip2, asset, extra: {}, isPayable: (address) => !isForbiddenAddress(address, []) };
}

/**
 * True for an address that can never be a payer, a recipient or a refund target, and for text that is no address.
 * `own`: treasury, task address, fee payer. All token accounts by convention are forbidden too, ours among them: like
 * everything that programs own, they lie off the curve. Checked when a wallet is linked, when a payment is accepted and
 * before every signature.
 */
export function isForbiddenAddress(address: string, own: readonly string[]): boolean {
  return !isOnCurve(address) || findKnown(address) !== null || own.includes(address);
}
