/** Landed transactions as the RPC shows them. */
import { z } from 'zod';
import { toBase58, toBase64 } from '../wire/encoding.ts';
import type { Landed } from '../chain/landed.ts';
import type { Message } from '../wire/message.ts';
import { type Transaction, decodeTransaction } from '../wire/transaction.ts';
import { toAccountKeys, toParsedTransaction, toVersionFields } from './parsed-transaction.ts';
import { versionNotSupported } from './rpc-error.ts';

export const transactionEncodingSchema = z.enum(['json', 'jsonParsed', 'base64', 'base58']);

export const transactionViewFields = {
  encoding: transactionEncodingSchema.optional(),
  maxSupportedTransactionVersion: z.int().nonnegative().max(255).optional(),
};

export type TransactionView = {
  encoding?: z.infer<typeof transactionEncodingSchema> | undefined;
  maxSupportedTransactionVersion?: number | undefined;
};

/** Throws when the transaction is of a later version than the caller can read. */
export function toTransactionJson(landed: Landed, view: TransactionView) {
  const decoded = decodeTransaction(landed.wire);
  const version = toVersionJson(decoded.message, view);
  if (view.encoding === 'jsonParsed') return { ...toParsedTransaction(landed, decoded), ...version };
  return { transaction: toEncoded(decoded, view.encoding), meta: landed.meta, ...version };
}

/** Accounts without instructions: as blocks show transactions on `transactionDetails: "accounts"`. */
export function toAccountsJson(landed: Landed, view: TransactionView) {
  const { message, signatures } = decodeTransaction(landed.wire);
  const accountKeys = toAccountKeys(message, landed);
  return { transaction: { signatures, accountKeys }, meta: landed.meta, ...toVersionJson(message, view) };
}

function toVersionJson({ version }: Message, { maxSupportedTransactionVersion: newest }: TransactionView) {
  if (version !== 'legacy' && (newest === undefined || version > newest)) throw versionNotSupported(version);
  return newest === undefined ? {} : { version };
}

function toEncoded({ wire, signatures, message }: Transaction, encoding?: TransactionView['encoding']) {
  if (encoding === 'base64') return [toBase64(wire), 'base64'];
  if (encoding === 'base58') return [toBase58(wire), 'base58'];
  return { signatures, message: toMessageJson(message) };
}

function toMessageJson(message: Message) {
  const { header, accounts, recentBlockhash, instructions } = message;
  const { signers, readonlySigners, readonlyOthers } = header;
  return {
    header: {
      numRequiredSignatures: signers,
      numReadonlySignedAccounts: readonlySigners,
      numReadonlyUnsignedAccounts: readonlyOthers,
    },
    accountKeys: accounts,
    recentBlockhash,
    instructions: instructions.map(({ programIndex, accountIndexes, data }) => ({
      programIdIndex: programIndex,
      accounts: accountIndexes,
      data: toBase58(data),
      stackHeight: 1,
    })),
    ...toVersionFields(message),
  };
}
