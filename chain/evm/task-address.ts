import type { Address, Hex } from 'viem';
import { addressOfKey } from './key.ts';
import type { EvmProfile } from './rpc/profile.ts';
import { createTransferSigner, type SignedTransfer } from './transfer-signer.ts';
import { sweepNonce } from './treasury.ts';

export type SweepOrder = {
  sweepId: string;
  /** Micro-USDC. */
  value: bigint;
  /** Unix seconds, exclusive. */
  validBefore: number;
};

export type TaskSigner = {
  /** In lower case. */
  address: Address;
  /** Signs and sends nothing. Asynchronous because the key may live in a key management service. */
  signSweep: (order: SweepOrder) => Promise<SignedTransfer>;
};

/**
 * The key of the address that receives plain transfers for tasks. It can only move USDC from there to the treasury, so
 * an attacker who makes it sign gains nothing.
 */
export function createTaskSigner(key: Hex, profile: EvmProfile, treasury: Address): TaskSigner {
  const address = addressOfKey(key);
  if (address === treasury.toLowerCase()) throw new Error('TASK_KEY must be another key than TREASURY_KEY.');
  const sign = createTransferSigner(profile);
  return {
    address,
    signSweep: async ({ sweepId, ...transfer }) =>
      sign(key, { from: address, to: treasury, validAfter: 0, ...transfer, nonce: sweepNonce(sweepId) }),
  };
}
