import type { Hex, TransactionSerializableEIP1559 } from 'viem';
import type { Fees } from './rpc/fees.ts';
import { encodeBatch } from './rpc/multicall.ts';
import type { EvmProfile } from './rpc/profile.ts';

/** A lane holds gas money and nothing else. */
export type Batch = {
  laneNonce: number;
  /** Calldata for USDC, one per item (`encodeTransfer`). */
  calls: readonly Hex[];
  gasLimit: bigint;
  fees: Fees;
};

/** `raw` is stored under `hash` before the first send, and only those bytes are ever sent again. */
export type SignedBatch = { hash: Hex; raw: Hex };

/**
 * One transaction to Multicall3 in which each item may fail alone; a lone item goes to the token itself, which is 8k gas
 * less and lands or fails the same.
 */
export function buildBatch(
  { laneNonce, calls, gasLimit, fees }: Batch,
  profile: EvmProfile,
): TransactionSerializableEIP1559 {
  const [first] = calls;
  if (first === undefined) throw new Error('a batch needs at least one call, found none');
  return {
    type: 'eip1559',
    chainId: profile.chainId,
    nonce: laneNonce,
    ...(calls.length === 1
      ? { to: profile.usdc, data: first }
      : { to: profile.multicall, data: encodeBatch(calls, profile) }),
    gas: gasLimit,
    ...fees,
  };
}
