import { createHmac } from 'node:crypto';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { treasurySecret } from '../treasury-secret.ts';

/** Names challenges of the Machine Payments Protocol without keeping them: any process with the key knows its own. */
export type ChallengeSeal = {
  chainId: number;
  /** From everything that the challenge says. */
  idOf: (binding: string) => string;
  /** Of the authorization that answers it: keccak-256 of id and realm (draft-evm-charge-01). */
  nonceOf: (id: string, realm: string) => Hex;
};

/** From the first key of the treasury, so that challenges outlive a rotation. */
export function createChallengeSeal(treasuryKey: Uint8Array, chainId: number): ChallengeSeal {
  const secret = treasurySecret(treasuryKey, `payment-challenges/v1/${chainId}`);
  return {
    chainId,
    idOf: (binding) => createHmac('sha256', secret).update(binding).digest('base64url'),
    nonceOf: (id, realm) => keccak256(stringToBytes(id + realm)),
  };
}
