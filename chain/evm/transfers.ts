import type { Address, Hex } from 'viem';
import type { ObservedTransfer } from '../../core/observed.ts';
import type { EvmProfile } from './rpc/profile.ts';
import type { ChainLog, TransactionReceipt } from './rpc/rpc-shapes.ts';
import { readAuthorizationUsed, readTransfer } from './rpc/usdc-logs.ts';

/** A `Transfer` of USDC in a sealed block. Addresses and hashes in lower case; `value` in micro-USDC. */
export type Transfer = ObservedTransfer & {
  transaction: Hex;
  blockHash: Hex;
  from: Address;
  to: Address;
  authorizer?: Address;
  nonce?: Hex;
};

/**
 * All transfers of USDC in one transaction, each with the authorization that it proves. USDC emits
 * `AuthorizationUsed(authorizer, nonce)` directly before the `Transfer` from that authorizer, so only the log right
 * before counts. One transfer never proves two authorizations, and an authorization followed by another log, or by a
 * transfer of another owner's money, proves none.
 */
export function transfersOf(receipt: TransactionReceipt, profile: EvmProfile): Transfer[] {
  const usdc = profile.usdc.toLowerCase();
  const logs = receipt.logs.filter((log) => log.address === usdc).sort((a, b) => a.logIndex - b.logIndex);
  return logs.flatMap((log, position) => toTransfer(log, position, logs[position - 1]) ?? []);
}

function toTransfer(log: ChainLog, position: number, before: ChainLog | undefined): Transfer | null {
  const event = readTransfer(log);
  if (!event) return null;
  const { transaction, logIndex, block, blockHash } = log;
  const authorization = before ? readAuthorizationUsed(before) : null;
  const proven = authorization?.authorizer === event.from ? authorization : null;
  return { transaction, logIndex, position, block, blockHash, ...event, ...proven };
}
