/** Why a transaction failed, in the words of Solana's JSON-RPC. */
import {
  InstructionErrorCustom,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
  TransactionErrorProgramExecutionTemporarilyRestricted,
  type FailedTransactionMetadata,
} from 'litesvm/dist/internal.js';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './error-names.ts';

export type InstructionError = string | { Custom: number };
export type TransactionError =
  | string
  | { InstructionError: [number, InstructionError] }
  | { DuplicateInstruction: number }
  | { InsufficientFundsForRent: { account_index: number } }
  | { ProgramExecutionTemporarilyRestricted: { account_index: number } };

export function toTransactionError(failure: FailedTransactionMetadata): TransactionError {
  const error = failure.err();
  if (typeof error === 'number') return nameIn(TRANSACTION_ERRORS, error);
  if (error instanceof TransactionErrorInstructionError) {
    return { InstructionError: [error.index, toInstructionError(error)] };
  }
  if (error instanceof TransactionErrorDuplicateInstruction) return { DuplicateInstruction: error.index };
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  }
  if (error instanceof TransactionErrorProgramExecutionTemporarilyRestricted) {
    return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
  }
  throw new Error(`the virtual machine answered an error of an unknown kind: ${String(error)}`);
}

function toInstructionError(failure: TransactionErrorInstructionError): InstructionError {
  const error = failure.err();
  if (typeof error === 'number') return nameIn(INSTRUCTION_ERRORS, error);
  return error instanceof InstructionErrorCustom ? { Custom: error.code } : 'BorshIoError';
}

function nameIn(names: readonly string[], number: number): string {
  const name = names[number];
  if (name === undefined) throw new Error(`the virtual machine answered error ${number}, which has no name`);
  return name;
}
