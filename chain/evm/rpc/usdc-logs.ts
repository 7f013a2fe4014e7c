import type { Address, Hex } from 'viem';
import type { ChainLog } from './rpc-shapes.ts';
import { AUTHORIZATION_USED_TOPIC, TRANSFER_TOPIC } from './usdc.ts';

export type TransferEvent = { from: Address; to: Address; value: bigint };
export type AuthorizationUsedEvent = { authorizer: Address; nonce: Hex };

/** Reads a log of USDC as `Transfer`, or answers null when it is another event. Addresses in lower case. */
export function readTransfer(log: ChainLog): TransferEvent | null {
  const [topic, from, to] = log.topics;
  if (topic !== TRANSFER_TOPIC || !from || !to || log.data.length !== 66) return null;
  return { from: toAddress(from), to: toAddress(to), value: BigInt(log.data) };
}

/** Reads a log of USDC as `AuthorizationUsed`, or answers null when it is another event. */
export function readAuthorizationUsed(log: ChainLog): AuthorizationUsedEvent | null {
  const [topic, authorizer, nonce] = log.topics;
  if (topic !== AUTHORIZATION_USED_TOPIC || !authorizer || !nonce) return null;
  return { authorizer: toAddress(authorizer), nonce };
}

/** An indexed address is its 20 bytes behind 12 zero bytes. */
export function toTopic(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

function toAddress(topic: Hex): Address {
  return `0x${topic.slice(-40)}`;
}
