/**
 * LiteSVM: Solana's own virtual machine and programs, in this process. Its native half is used directly: the package's
 * main file takes decoded transactions, where we have the bytes, and is written for a kit that needs a newer Node.
 * It has neither blocks nor a memory of transactions here: both are ours.
 */
import type { Address } from '@solana/kit';
import {
  Account as NativeAccount,
  Clock,
  FailedTransactionMetadata,
  LiteSvm,
  Rent,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { SYSTEM_PROGRAM } from '../ground/addresses.ts';
import type { Account } from './account.ts';
import { fromAddress, toAddress } from '../wire/encoding.ts';
import { type TransactionError, toTransactionError } from '../wire/transaction-error.ts';

/** Mainnet's today: a token account costs 1,488,440 lamports. LiteSVM still has the older, higher rate. */
const RENT_LAMPORTS_PER_BYTE = 5_080n;
const SLOTS_PER_EPOCH = 432_000;

export type InnerInstruction = {
  programIndex: number;
  accountIndexes: number[];
  data: Uint8Array;
  stackHeight: number;
};

/** What came of running a transaction. */
export type Outcome = {
  error: TransactionError | null;
  logs: string[];
  unitsConsumed: number;
  /** One list for each instruction of the message. */
  innerInstructions: InnerInstruction[][];
  returnData: { programId: Address; data: Uint8Array } | null;
};

export type Moment = { slot: number; unixSeconds: number; recentSlots: readonly { slot: number; blockhash: string }[] };

export type Vm = ReturnType<typeof createVm>;

export function createVm() {
  const svm = new LiteSvm();
  // Both are checked outside: here the window of blockhashes would be one block, and the memory would never forget.
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  svm.setRent(new Rent(RENT_LAMPORTS_PER_BYTE, 1, 50));

  function read(address: Address): Account | null {
    const account = svm.getAccount(fromAddress(address));
    return account === null || account.lamports() === 0n ? null : toAccount(account);
  }

  return {
    read,
    write(address: Address, account: Account | null): void {
      const { lamports, data, owner, executable } = account ?? NO_ACCOUNT;
      svm.setAccount(fromAddress(address), new NativeAccount(lamports, data, fromAddress(owner), executable, 0n));
    },
    ownedBy(program: Address): { address: Address; account: Account }[] {
      return svm
        .getProgramAccounts(fromAddress(program))
        .map((found) => ({ address: toAddress(found.address), account: toAccount(found.account()) }));
    },
    rentFor: (bytes: number): bigint => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    /** The clock that programs see, and the slots for which a lookup table may be created. */
    setMoment({ slot, unixSeconds, recentSlots }: Moment): void {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
      svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(unixSeconds)));
      svm.setSlotHashes(recentSlots.map((recent) => ({ slot: BigInt(recent.slot), hash: recent.blockhash })));
    },
    /** A nonce account can be advanced once for each blockhash that LiteSVM has had. */
    expireBlockhash: (): void => svm.expireBlockhash(),
    /** Runs bytes that `decodeTransaction` has read. What fails before it could pay its fee leaves no trace. */
    run: (wire: Uint8Array): Outcome => toOutcome(svm.sendVersionedTransaction(wire)),
    /** The same without any effect. Also answers the accounts as they would be. */
    simulate(wire: Uint8Array, verifiesSignatures: boolean): Outcome & { accounts: Map<Address, Account> } {
      svm.setSigverify(verifiesSignatures);
      const result = svm.simulateVersionedTransaction(wire);
      // What runs next may be for good.
      svm.setSigverify(true);
      if (result instanceof FailedTransactionMetadata) return { ...toOutcome(result), accounts: new Map() };
      const accounts = result.postAccounts().map((found): [Address, Account] => {
        return [toAddress(found.address), toAccount(found.account())];
      });
      return { ...toOutcome(result.meta()), accounts: new Map(accounts) };
    },
  };
}

const NO_ACCOUNT: Account = { lamports: 0n, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false };

function toAccount(account: NativeAccount): Account {
  return {
    lamports: account.lamports(),
    owner: toAddress(account.owner()),
    data: account.data(),
    executable: account.executable(),
  };
}

function toOutcome(result: TransactionMetadata | FailedTransactionMetadata): Outcome {
  const failed = result instanceof FailedTransactionMetadata;
  const metadata = failed ? result.meta() : result;
  return {
    error: failed ? toTransactionError(result) : null,
    logs: metadata.logs(),
    unitsConsumed: Number(metadata.computeUnitsConsumed()),
    innerInstructions: toInnerInstructions(metadata),
    returnData: toReturnData(metadata),
  };
}

function toInnerInstructions(metadata: TransactionMetadata): InnerInstruction[][] {
  return metadata.innerInstructions().map((list) =>
    list.map((inner) => {
      const instruction = inner.instruction();
      return {
        programIndex: instruction.programIdIndex(),
        accountIndexes: [...instruction.accounts()],
        data: instruction.data(),
        stackHeight: inner.stackHeight(),
      };
    }),
  );
}

function toReturnData(metadata: TransactionMetadata): Outcome['returnData'] {
  const data = metadata.returnData().data();
  return data.length === 0 ? null : { programId: toAddress(metadata.returnData().programId()), data };
}
