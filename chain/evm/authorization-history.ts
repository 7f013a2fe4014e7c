import { type Address, type Hex } from 'viem';
import type { EvmProfile } from './rpc/profile.ts';
import type { EvmRpc } from './rpc/rpc.ts';
import { type Transfer, transfersOf } from './transfers.ts';
import { AUTHORIZATION_CANCELED_TOPIC } from './rpc/usdc.ts';

export type AuthorizationHistory =
  /** It moved money, by this transfer. */
  | { kind: 'transfer'; transfer: Transfer }
  /** It was canceled, or used up without a transfer of its own. */
  | { kind: 'spent' }
  /** The node shows no trace of it in these blocks: it may have been used in others, or the node hides it. */
  | { kind: 'untraced' }
  /** There is a trace of it, and the node does not show the whole. */
  | { kind: 'unknown' };

/**
 * What became of one authorization, asked for by its nonce. It serves authorizations that the token calls used although
 * the scan saw no transfer: a node that once left out a log must not turn a payment into a refusal.
 */
export async function authorizationHistory(
  rpc: Pick<EvmRpc, 'authorizationLogs' | 'receipts' | 'blocks'>,
  profile: EvmProfile,
  key: { authorizer: Address; nonce: Hex },
  range: { fromBlock: number; toBlock: number },
): Promise<AuthorizationHistory> {
  const logs = await rpc.authorizationLogs(key, range);
  const [log] = logs;
  if (log === undefined) return { kind: 'untraced' };
  if (log.topics[0] === AUTHORIZATION_CANCELED_TOPIC) return { kind: 'spent' };
  const [receipt] = await rpc.receipts([log.transaction]);
  if (!receipt) return { kind: 'unknown' };
  const transfer = transfersOf(receipt, profile).find(
    ({ authorizer, nonce }) => authorizer === key.authorizer && nonce === key.nonce,
  );
  if (transfer === undefined) return { kind: 'spent' };
  const [block] = await rpc.blocks(transfer.block, transfer.block);
  if (block?.hash !== transfer.blockHash) return { kind: 'unknown' };
  return { kind: 'transfer', transfer };
}
