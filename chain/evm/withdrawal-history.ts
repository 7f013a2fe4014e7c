import type { Address } from 'viem';
import type { EvmRpc } from './rpc/rpc.ts';
import { withdrawalNonce } from './treasury.ts';

/** Generations of a withdrawal, both ends included. `fromAddress`: the personal wallet. */
export type Generations = { id: string; first: number; last: number; fromAddress: string };

/** `transaction`: the token does not say which one has used a nonce up. */
export type Landing = { transaction: null; isFinal: boolean };

/**
 * Whether the token has seen one of these already; final once that is safe. Only the wallet's own key could have used a
 * nonce up in another way, and no code of ours signs cancellations.
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
