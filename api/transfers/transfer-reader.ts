/** A plain transfer of USDC as a landed transaction made it. Addresses as the program writes them. */
export type PlainTransfer = { from: string; to: string; amountMicroUsdc: bigint };

export type TransactionTransfers =
  | {
      kind: 'found';
      /** All of the transaction on Base; on Solana those that touch our own accounts. */
      transfers: PlainTransfer[];
      /** On Solana the slot. */
      block: number;
      /** It is in a block and moved nothing. */
      failed: boolean;
      /** On Solana: the one memo that stands in the message; null where there is none or more than one. */
      memo: string | null;
    }
  /** The chain does not know it, or not yet; also what is no transaction hash at all. */
  | { kind: 'not-found' }
  /** The chain could not be asked. */
  | { kind: 'unavailable' };

/** Where tasks can be paid by a plain transfer on one network, and what is asked about such a transfer. */
export type TransferReader = {
  /** The task address: it receives nothing else. */
  address: string;
  /** The newest block (or slot): only a later one pays a task opened now. Null: it cannot be read now. */
  head: () => Promise<number | null>;
  transfersOf: (transaction: string) => Promise<TransactionTransfers>;
};
