/** A transaction in a block, with all that will ever be asked of it, in the shapes of Solana's JSON-RPC. */
import type { Address } from '@solana/kit';
import type { TokenBalance } from '../accounts/tokens.ts';
import type { TransactionError } from '../wire/transaction-error.ts';

export type LandedMeta = {
  err: TransactionError | null;
  status: { Ok: null } | { Err: TransactionError };
  fee: number;
  preBalances: number[];
  postBalances: number[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
  innerInstructions: { index: number; instructions: InnerInstructionJson[] }[];
  logMessages: string[];
  loadedAddresses: { writable: Address[]; readonly: Address[] };
  computeUnitsConsumed: number;
  rewards: [];
  returnData?: { programId: Address; data: [string, 'base64'] };
};

export type InnerInstructionJson = { programIdIndex: number; accounts: number[]; data: string; stackHeight: number };

export type Landed = {
  signature: string;
  messageHash: string;
  slot: number;
  height: number;
  unixSeconds: number;
  wire: Uint8Array;
  /** All accounts that it names, also by tables. */
  accounts: Address[];
  memo: string | null;
  meta: LandedMeta;
};
