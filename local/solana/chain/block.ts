/** One block. The newest is still open: transactions land in it until the next one begins. */
export type Block = {
  slot: number;
  /** Counts blocks. It trails the slot, because not every slot has a block. */
  height: number;
  parentSlot: number;
  /** From this block on, transactions may name it as their recent blockhash. */
  blockhash: string;
  previousBlockhash: string;
  unixSeconds: number;
  /** In the order in which they landed. */
  signatures: string[];
};
