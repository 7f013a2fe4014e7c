import { type Hex, keccak256, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem';
import type { Fees } from './rpc/fees.ts';
import { signDigest } from './key.ts';
import { encodeBatch } from './rpc/multicall.ts';
import type { EvmProfile } from './rpc/profile.ts';

export type BatchToSign = {
  /** A lane holds gas money and nothing else. */
  laneKey: Hex;
  laneNonce: number;
  /** Calldata for USDC, one per item (`encodeTransfer`). */
  calls: readonly Hex[];
  gasLimit: bigint;
  fees: Fees;
  profile: EvmProfile;
};

/** `raw` is stored under `hash` before the first send, and only those bytes are ever sent again. */
export type SignedBatch = { hash: Hex; raw: Hex };

/**
 * One transaction to Multicall3 in which each item may fail alone; a lone item goes to the token itself, which is 8k gas
 * less and lands or fails the same. The same input always gives the same bytes.
 */
export function signBatch({ laneKey, laneNonce, calls, gasLimit, fees, profile }: BatchToSign): SignedBatch {
  const [first] = calls;
  if (first === undefined) throw new Error('a batch needs at least one call, found none');
  const { gasMax } = profile.rules;
  if (gasLimit > gasMax) throw new Error(`a transaction may use ${gasMax} gas, found a limit of ${gasLimit}`);
  const transaction: TransactionSerializableEIP1559 = {
    type: 'eip1559',
    chainId: profile.chainId,
    nonce: laneNonce,
    ...(calls.length === 1
      ? { to: profile.usdc, data: first }
      : { to: profile.multicall, data: encodeBatch(calls, profile) }),
    gas: gasLimit,
    ...fees,
  };
  const digest = keccak256(serializeTransaction(transaction));
  const raw = serializeTransaction(transaction, signDigest(laneKey, digest));
  return { hash: keccak256(raw), raw };
}
