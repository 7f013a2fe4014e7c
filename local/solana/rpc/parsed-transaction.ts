/** Landed transactions as `jsonParsed` shows them: accounts with their roles, instructions in words. */
import type { Address } from '@solana/kit';
import { fromBase58 } from '../wire/encoding.ts';
import type { InnerInstructionJson, Landed, LandedMeta } from '../chain/landed.ts';
import type { Message } from '../wire/message.ts';
import type { Transaction } from '../wire/transaction.ts';
import { type ResolvedInstruction, toParsedInstruction } from './parsed-instruction.ts';

export function toParsedTransaction(landed: Landed, { signatures, message }: Transaction) {
  const { loadedAddresses: _inAccountKeys, ...meta } = landed.meta;
  return {
    transaction: {
      signatures,
      message: {
        accountKeys: toAccountKeys(message, landed),
        recentBlockhash: message.recentBlockhash,
        instructions: toParsedInstructions(message, landed.accounts),
        ...toVersionFields(message),
      },
    },
    meta: { ...meta, innerInstructions: toParsedInner(meta.innerInstructions, landed.accounts) },
  };
}

/** The instructions that programs called, under the place of the one that made them. */
export function toParsedInner(inner: LandedMeta['innerInstructions'], accounts: readonly Address[]) {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((instruction) => toParsedInstruction(resolveInner(instruction, accounts))),
  }));
}

export function toAccountKeys(message: Message, { accounts, meta }: Landed) {
  const { signers, readonlySigners, readonlyOthers } = message.header;
  const named = message.accounts.length;
  return accounts.map((pubkey, index) => {
    const isNamed = index < named;
    const isWritable = isNamed
      ? index < signers - readonlySigners || (index >= signers && index < named - readonlyOthers)
      : index < named + meta.loadedAddresses.writable.length;
    return {
      pubkey,
      signer: index < signers,
      writable: isWritable,
      source: isNamed ? 'transaction' : 'lookupTable',
    };
  });
}

/** What messages of one version have and others do not. */
export function toVersionFields({ version, lookups, limits }: Message) {
  if (version === 0) {
    const addressTableLookups = lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
      accountKey: table,
      writableIndexes,
      readonlyIndexes,
    }));
    return { addressTableLookups };
  }
  if (!limits) return {};
  const { priorityFeeLamports, computeUnits, loadedBytes, heapBytes } = limits;
  const transactionConfig = {
    priorityFee: priorityFeeLamports === null ? null : Number(priorityFeeLamports),
    computeUnitLimit: computeUnits,
    loadedAccountsDataSizeLimit: loadedBytes,
    heapSize: heapBytes,
  };
  return { transactionConfig };
}

function toParsedInstructions({ instructions }: Message, accounts: readonly Address[]) {
  return instructions.map(({ programIndex, accountIndexes, data }) =>
    toParsedInstruction({
      programId: accountAt(accounts, programIndex),
      accounts: accountIndexes.map((index) => accountAt(accounts, index)),
      data,
      stackHeight: 1,
    }),
  );
}

function resolveInner(instruction: InnerInstructionJson, accounts: readonly Address[]): ResolvedInstruction {
  return {
    programId: accountAt(accounts, instruction.programIdIndex),
    accounts: instruction.accounts.map((index) => accountAt(accounts, index)),
    data: fromBase58(instruction.data),
    stackHeight: instruction.stackHeight,
  };
}

function accountAt(accounts: readonly Address[], index: number): Address {
  const account = accounts[index];
  if (account === undefined) throw new Error(`an instruction names account ${index} of ${accounts.length}`);
  return account;
}
