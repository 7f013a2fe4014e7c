import { type Hex, numberToHex } from 'viem';
import { z } from 'zod';

/** Shapes of an EVM node's answers (ethereum.org, "JSON-RPC API"). All hex leaves here in lower case. */
const hexSchema = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/);
const hashSchema = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const toLowerHex = (text: string): Hex => text.toLowerCase() as Hex;

export const bytes = hexSchema.transform(toLowerHex);
const hash = hashSchema.transform(toLowerHex);
const address = addressSchema.transform(toLowerHex);

/** A number of at most 256 bits. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));

/** A number that JavaScript holds exactly: heights, indexes, times, counts. */
export const count = quantity
  .refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER))
  .transform((value) => Number(value));

/** A block height, or a name. Old state may be gone from nodes that keep no archive. */
export type BlockTag = number | 'latest' | 'pending' | 'safe' | 'finalized';

/** `safeTag`: the chain's tag for `safe`. */
export function toBlockParameter(block: BlockTag, safeTag: 'safe' | 'finalized'): string {
  if (typeof block === 'number') return numberToHex(block);
  return block === 'safe' ? safeTag : block;
}

export const blockHeader = z
  .object({ number: count, hash, parentHash: hash, timestamp: count, baseFeePerGas: quantity })
  .transform(({ timestamp, baseFeePerGas, ...header }) => ({ ...header, time: timestamp, baseFee: baseFeePerGas }));
/** `time` in Unix seconds, `baseFee` in wei per gas. */
export type BlockHeader = z.infer<typeof blockHeader>;

const log = z
  .object({
    address,
    topics: z.array(hash).max(4),
    data: bytes,
    blockNumber: count,
    blockHash: hash,
    transactionHash: hash,
    logIndex: count,
    // A log of a block that was reorganised away while we asked.
    removed: z.literal(false).optional(),
  })
  .transform(({ address, topics, data, blockHash, logIndex, ...rest }) => ({
    address,
    topics,
    data,
    block: rest.blockNumber,
    blockHash,
    transaction: rest.transactionHash,
    logIndex,
  }));
export type ChainLog = z.infer<typeof log>;
export const logs = z.array(log);

/** `hasL1Fee`: the chain charges for publishing on another one, and its receipts name that fee. */
export const transactionReceipt = (hasL1Fee: boolean) =>
  z
    .object({
      transactionHash: hash,
      blockNumber: count,
      blockHash: hash,
      status: z.enum(['0x0', '0x1']),
      gasUsed: quantity,
      effectiveGasPrice: quantity,
      // A local chain has no such fee.
      l1Fee: quantity.nullish(),
      logs,
    })
    .transform((receipt) => ({
      transaction: receipt.transactionHash,
      block: receipt.blockNumber,
      blockHash: receipt.blockHash,
      succeeded: receipt.status === '0x1',
      gasUsed: receipt.gasUsed,
      feeWei: receipt.gasUsed * receipt.effectiveGasPrice + (hasL1Fee ? (receipt.l1Fee ?? 0n) : 0n),
      logs: receipt.logs,
    }));
/** A transaction in a sealed block, and all it cost us (`feeWei`). */
export type TransactionReceipt = z.infer<ReturnType<typeof transactionReceipt>>;
