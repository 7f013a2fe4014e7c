/** What a scan of the chain found: chain readers report it, the database applies it. */

export type ObservedTransfer = {
  transaction: string;
  logIndex: number;
  /** Place among the token's logs of its transaction. Unlike the log index it survives a reorganisation. */
  position: number;
  block: number;
  blockHash: string;
  from: string;
  to: string;
  value: bigint;
  /** The signer and the nonce, when it was made by a signed authorization. */
  authorizer?: string;
  nonce?: string;
  /** On Solana: the memo of its transaction, where it could name the purpose; of a transfer of ours its tag. */
  memo?: string;
};

export type ObservedBlock = { number: number; hash: string; time: number };

/** A lane nonce of ours that a sealed block spent; without a transaction when none of ours spent it. */
export type SealedCarrier = {
  carrierId: string;
  transaction: string | null;
  block: number;
  blockHash: string | null;
  feeWei: bigint | null;
};

/** The lasting name of a transfer (ARCHITECTURE.md, "Money"): its authorization where it has one. */
export function factOf(network: string, transfer: ObservedTransfer): string {
  if (transfer.authorizer !== undefined && transfer.nonce !== undefined) {
    return signedFact(network, transfer.authorizer, transfer.nonce);
  }
  return `${network}:log:${transfer.transaction}:${transfer.position}`;
}

/** The same for a transfer that was signed for and may not have landed yet. */
export function signedFact(network: string, authorizer: string, nonce: string): string {
  return `${network}:auth:${authorizer}:${nonce}`;
}
