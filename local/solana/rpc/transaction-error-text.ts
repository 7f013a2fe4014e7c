import type { TransactionError } from '../wire/transaction-error.ts';

/** As the runtime words them; the rest keep their names. */
const TEXTS: Record<string, string> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
};

export function describeTransactionError(error: TransactionError): string {
  if (typeof error === 'string') return TEXTS[error] ?? error;
  if ('InstructionError' in error) {
    const [index, reason] = error.InstructionError;
    const text = typeof reason === 'string' ? reason : `custom program error: 0x${reason.Custom.toString(16)}`;
    return `Error processing Instruction ${index}: ${text}`;
  }
  if ('InsufficientFundsForRent' in error) {
    const { account_index: index } = error.InsufficientFundsForRent;
    return `Transaction results in an account (${index}) with insufficient funds for rent`;
  }
  return JSON.stringify(error);
}
