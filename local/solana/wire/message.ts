/** What the signers of a transaction sign: legacy, version 0 and version 1. */
import type { Address } from '@solana/kit';

export type TransactionVersion = 'legacy' | 0 | 1;

/** The first `signers` accounts sign; of those that sign, and of those that do not, the last ones are not written. */
export type MessageHeader = { signers: number; readonlySigners: number; readonlyOthers: number };

export type Instruction = { programIndex: number; accountIndexes: number[]; data: Uint8Array };

export type TableLookup = { table: Address; writableIndexes: number[]; readonlyIndexes: number[] };

export type Message = {
  version: TransactionVersion;
  header: MessageHeader;
  /** Named in the message itself; those looked up in tables come after them in every index. */
  accounts: Address[];
  recentBlockhash: string;
  instructions: Instruction[];
  lookups: TableLookup[];
  /** Fee and compute limits, which version 1 has in place of instructions to the compute budget program. */
  limits: MessageLimits | null;
};

/** The limits in version 1; null where one is absent. */
export type MessageLimits = {
  priorityFeeLamports: bigint | null;
  computeUnits: number | null;
  loadedBytes: number | null;
  heapBytes: number | null;
};
