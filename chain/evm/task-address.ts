import type { Address, Hex } from 'viem';
import { type Authorization, authorizationDigest } from './authorization.ts';
import { addressOfKey, signDigest, toRecoverable } from './key.ts';
import type { EvmProfile } from './rpc/profile.ts';
import { sweepNonce } from './treasury.ts';

export type SweepOrder = {
  /** 128 random bits as text, the same for all generations. */
  sweepId: string;
  /** Raised only after the generation before is provably dead. */
  generation: number;
  /** Micro-USDC. */
  value: bigint;
  /** Unix seconds, exclusive. */
  validBefore: number;
};

export type SignedSweep = { authorization: Authorization; signature: Hex };

export type TaskSigner = {
  /** In lower case. */
  address: Address;
  /** Signs and sends nothing. Asynchronous because the key may live in a key management service. */
  signSweep: (order: SweepOrder) => Promise<SignedSweep>;
};

/**
 * The key of the address that receives plain transfers for tasks. It can only move USDC from there to the treasury, so
 * an attacker who makes it sign gains nothing.
 */
export function createTaskSigner(key: Hex, profile: EvmProfile, treasury: Address): TaskSigner {
  const address = addressOfKey(key);
  if (address === treasury.toLowerCase()) throw new Error('TASK_KEY must be another key than TREASURY_KEY.');
  const digestOf = authorizationDigest(profile);

  async function signSweep({ sweepId, generation, value, validBefore }: SweepOrder): Promise<SignedSweep> {
    if (value <= 0n) throw new Error(`a sweep must be of more than zero micro-USDC, found ${value}`);
    const nonce = sweepNonce(sweepId, generation);
    const authorization: Authorization = { from: address, to: treasury, value, validAfter: 0, validBefore, nonce };
    return { authorization, signature: toRecoverable(signDigest(key, digestOf(authorization))) };
  }

  return { address, signSweep };
}
