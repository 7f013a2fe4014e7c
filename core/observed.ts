/** What a scan of the chain found, as the chain readers report it and the database applies it. */

export type ObservedTransfer = {
  transaction: string;
  logIndex: number;
  /** Place among the token's logs of its transaction: unlike the log index it survives a reorganisation. */
  position: number;
  block: number;
  blockHash: string;
  from: string;
  to: string;
  value: bigint;
  /** Who signed it and under which nonce, when it was made by a signed authorization. */
  authorizer?: string;
  nonce?: string;
  /** On Solana: what its transaction says beside it, where that could name what it is for. */
  memo?: string;
};

export type ObservedBlock = { number: number; hash: string; time: number };

/** One of our lane nonces, spent in a sealed block; without a transaction when it was not one of ours that spent it. */
export type SealedCarrier = {
  carrierId: string;
  transaction: string | null;
  block: number;
  blockHash: string | null;
  feeWei: bigint | null;
};

/** Names a transfer for good (ARCHITECTURE.md, "Money"): by its authorization where it has one. */
export function factOf(network: string, transfer: ObservedTransfer): string {
  if (transfer.authorizer !== undefined && transfer.nonce !== undefined) {
    return `${network}:auth:${transfer.authorizer}:${transfer.nonce}`;
  }
  return `${network}:log:${transfer.transaction}:${transfer.position}`;
}
