import type { Address } from 'viem';
import type { EvmRpc } from './rpc/rpc.ts';
import { withdrawalNonce } from './nonces.ts';

/** Generations of a withdrawal, both ends included. `fromAddress`: the personal wallet. */
export type Generations = { id: string; first: number; last: number; fromAddress: string };

/** `transaction`: null, because the token does not say which one used the nonce. */
export type Landing = { transaction: null; isFinal: boolean };

/**
 * Whether the token has used one of these nonces; final once that is safe. Only the wallet's own key could use a nonce
 * otherwise, and our code signs no cancellations.
 */
export async function findLanding(
  rpc: Pick<EvmRpc, 'authorizationStates'>,
  { id, first, last, fromAddress }: Generations,
): Promise<Landing | null> {
  const authorizer = fromAddress.toLowerCase() as Address;
  const keys = Array.from({ length: last - first + 1 }, (_, index) => ({
    authorizer,
    nonce: withdrawalNonce({ id, generation: first + index }),
  }));
  const [latest, safe] = await Promise.all([
    rpc.authorizationStates(keys, 'latest'),
    rpc.authorizationStates(keys, 'safe'),
  ]);
  const isFinal = safe.some(Boolean);
  return isFinal || latest.some(Boolean) ? { transaction: null, isFinal } : null;
}
