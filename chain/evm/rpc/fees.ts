import type { ChainRules } from './profile.ts';

/** What a lane's transaction may cost per gas, in wei (EIP-1559). */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** No chain of ours takes a transaction with more gas (EIP-7825). A profile with a lower limit is refused. */
const BATCH_GAS_MAX = 16_777_216n;

// Measured against USDC: 85.7k for a transfer alone, 43k for each of a batch to one recipient, 75k where every recipient
// is new to USDC. Unused gas is not charged but a batch that runs out is, so there is a quarter of room in every case.
const GAS_PER_BATCH = 60_000n;
const GAS_PER_ITEM = 100_000n;
/** For items to one recipient. Enough only where a simulation with an eighth less has shown it. */
const GAS_PER_TIGHT_ITEM = 59_000n;
const TIGHT_MARGIN = 8n;

/** Items that fit one transaction: 167. */
export const BATCH_ITEMS_MAX = Number((BATCH_GAS_MAX - GAS_PER_BATCH) / GAS_PER_ITEM);
/** Items that fit one under a tight limit: 283. */
export const TIGHT_ITEMS_MAX = Number((BATCH_GAS_MAX - GAS_PER_BATCH) / GAS_PER_TIGHT_ITEM);

/** For a single contract payer: USDC gives its `isValidSignature` all available gas, so this bounds our cost. */
export const CONTRACT_PAYER_GAS = 400_000n;

/** Gas limit of a batch of plain payers. */
export function gasLimitFor(count: number): bigint {
  if (!Number.isInteger(count) || count < 1 || count > BATCH_ITEMS_MAX) {
    throw new Error(`a batch holds 1 to ${BATCH_ITEMS_MAX} items, found ${count}`);
  }
  return GAS_PER_BATCH + GAS_PER_ITEM * BigInt(count);
}

/** A lower gas limit for plain payers, and the gas with which a simulation must succeed before it may be used. */
export function tightGasFor(count: number): { limit: bigint; proof: bigint } {
  if (!Number.isInteger(count) || count < 1 || count > TIGHT_ITEMS_MAX) {
    throw new Error(`a batch with a tight limit holds 1 to ${TIGHT_ITEMS_MAX} items, found ${count}`);
  }
  const limit = GAS_PER_BATCH + GAS_PER_TIGHT_ITEM * BigInt(count);
  return { limit, proof: limit - limit / TIGHT_MARGIN };
}

type FeeRules = Pick<ChainRules, 'tip' | 'feeMax'>;

/**
 * Lets the base fee double (six full blocks in a row) before the transaction gets stuck, up to the chain's fee limit.
 * Null while a place in a block costs more than that limit. All in wei per gas.
 */
export function feesFor(baseFee: bigint, { tip, feeMax }: FeeRules): Fees | null {
  if (baseFee + tip > feeMax) return null;
  const wanted = 2n * baseFee + tip;
  return { maxFeePerGas: wanted < feeMax ? wanted : feeMax, maxPriorityFeePerGas: tip };
}

/**
 * Fees of a replacement at the same lane nonce. Nodes want 10 % more on both numbers, some 12.5 %, and refuse a
 * replacement that raises only one. Null where that is above the chain's fee limit.
 */
export function bumpFees(previous: Fees, baseFee: bigint, { feeMax }: Pick<FeeRules, 'feeMax'>): Fees | null {
  const maxPriorityFeePerGas = raise(previous.maxPriorityFeePerGas);
  const raised = raise(previous.maxFeePerGas);
  if (raised > feeMax) return null;
  const wanted = 2n * baseFee + maxPriorityFeePerGas;
  const within = wanted < feeMax ? wanted : feeMax;
  return { maxFeePerGas: raised > within ? raised : within, maxPriorityFeePerGas };
}

/** An eighth more, rounded up, and at least one wei. */
function raise(fee: bigint): bigint {
  return fee + (fee === 0n ? 1n : (fee + 7n) / 8n);
}
