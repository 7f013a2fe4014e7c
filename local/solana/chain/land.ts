/** Puts transactions into the newest block. */
import type { Address } from '@solana/kit';
import type { Account } from '../accounts/account.ts';
import type { Bank } from './bank.ts';
import type { Block } from './block.ts';
import { namesUsableNonce } from './durable-nonce.ts';
import { toBase58, toBase64 } from '../wire/encoding.ts';
import type { Landed, LandedMeta } from './landed.ts';
import { type MessageAccounts, resolveAccounts } from './message-accounts.ts';
import { memoOf } from '../wire/memo.ts';
import { type TokenBalance, tokenBalances } from '../accounts/tokens.ts';
import type { Transaction } from '../wire/transaction.ts';
import type { Outcome, Vm } from '../accounts/vm.ts';

/** For programs that ask which slots were recent; the runtime remembers 512. */
const RECENT_SLOTS = 150;

/**
 * Runs the transaction and records it, also when it fails: then it has paid its fee. Null when no block can hold it,
 * because it was in one before, its blockhash is too old, or it cannot even pay; that leaves no trace.
 */
export function land(bank: Bank, transaction: Transaction): Landed | null {
  const { vm, blocks, versions, history } = bank;
  const { message, wire } = transaction;
  const block = blocks.last();
  if (history.heightOf(transaction) !== undefined) return null;
  if (!blocks.isUsable(message.recentBlockhash, block) && !namesUsableNonce(message, vm.read)) return null;
  const accounts = resolveAccounts(message, vm.read);
  if (!accounts) return null;
  const before = look(vm, accounts.all);
  setMoment(bank, block);
  const outcome = vm.run(wire);
  const after = look(vm, accounts.all);
  // Instructions only move lamports between accounts, so what is missing afterwards is the fee.
  const fee = sum(before.lamports) - sum(after.lamports);
  if (fee === 0) return null;
  accounts.all.forEach((address, index) => versions.note(address, before.accounts[index] ?? null, block.height));
  const landed = toLanded(transaction, block, accounts.all, toMeta({ outcome, accounts, before, after, fee }));
  block.signatures.push(landed.signature);
  history.add(landed);
  return landed;
}

export function setMoment({ vm, blocks }: Pick<Bank, 'vm' | 'blocks'>, { slot, height, unixSeconds }: Block): void {
  const earlier = blocks
    .all()
    .slice(-RECENT_SLOTS - 1)
    .filter((block) => block.height < height);
  vm.setMoment({ slot, unixSeconds, recentSlots: earlier.toReversed() });
}

type Look = { accounts: (Account | null)[]; lamports: number[]; tokens: TokenBalance[] };

function look(vm: Vm, addresses: Address[]): Look {
  const accounts = addresses.map(vm.read);
  const lamports = accounts.map((account) => Number(account?.lamports ?? 0n));
  return { accounts, lamports, tokens: tokenBalances(addresses, vm.read) };
}

function toLanded(transaction: Transaction, block: Block, accounts: Address[], meta: LandedMeta): Landed {
  const { signature, messageHash, wire, message } = transaction;
  const { slot, height, unixSeconds } = block;
  return { signature, messageHash, slot, height, unixSeconds, wire, accounts, memo: memoOf(message), meta };
}

type Result = { outcome: Outcome; accounts: MessageAccounts; before: Look; after: Look; fee: number };

function toMeta({ outcome, accounts, before, after, fee }: Result): LandedMeta {
  return {
    err: outcome.error,
    status: outcome.error === null ? { Ok: null } : { Err: outcome.error },
    fee,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    innerInstructions: toInnerJson(outcome),
    logMessages: outcome.logs,
    loadedAddresses: accounts.loaded,
    computeUnitsConsumed: outcome.unitsConsumed,
    rewards: [],
    ...(outcome.returnData ? { returnData: toReturnDataJson(outcome.returnData) } : {}),
  };
}

export function toInnerJson({ innerInstructions }: Outcome): LandedMeta['innerInstructions'] {
  return innerInstructions
    .map((list, index) => ({
      index,
      instructions: list.map(({ programIndex, accountIndexes, data, stackHeight }) => ({
        programIdIndex: programIndex,
        accounts: accountIndexes,
        data: toBase58(data),
        stackHeight,
      })),
    }))
    .filter(({ instructions }) => instructions.length > 0);
}

export function toReturnDataJson(
  returnData: NonNullable<Outcome['returnData']>,
): NonNullable<LandedMeta['returnData']> {
  return { programId: returnData.programId, data: [toBase64(returnData.data), 'base64'] };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
