/** Tries a transaction on the state of some block, without any effect. */
import type { Address } from '@solana/kit';
import type { Account } from '../accounts/account.ts';
import type { Bank } from './bank.ts';
import type { Block } from './block.ts';
import { namesUsableNonce } from './durable-nonce.ts';
import { setMoment } from './land.ts';
import { resolveAccounts } from './message-accounts.ts';
import type { Transaction } from '../wire/transaction.ts';
import type { Outcome } from '../accounts/vm.ts';

export type SimulationOptions = {
  /** The bank that is asked: at `finalized`, what landed a moment ago has not happened. */
  at: Block;
  verifiesSignatures: boolean;
  /** As if it named the newest blockhash; it is then another message, which has never landed. */
  replacesBlockhash: boolean;
};

export type Simulation = Outcome & {
  /** As they would be afterwards; none after a failure. */
  accounts: Map<Address, Account>;
  /** All that the message names, in the order of its indexes. */
  named: Address[];
};

export function simulate(bank: Bank, transaction: Transaction, options: SimulationOptions): Simulation {
  const { vm, versions } = bank;
  const { at } = options;
  const read = (address: Address) => versions.read(address, at.height);
  const { message, wire } = transaction;
  const refusal = options.replacesBlockhash ? null : refusalOf(bank, transaction, at, read);
  const named = resolveAccounts(message, read)?.all ?? message.accounts;
  if (refusal !== null) return toRefused(refusal, named);
  const tables = message.lookups.map(({ table }) => table);
  return versions.withVersions([...named, ...tables], at.height, () => {
    setMoment(bank, at);
    return { ...vm.simulate(wire, options.verifiesSignatures), named };
  });
}

type ReadAccount = (address: Address) => Account | null;

function refusalOf({ blocks, history }: Bank, transaction: Transaction, at: Block, read: ReadAccount): string | null {
  const { message } = transaction;
  if (!blocks.isUsable(message.recentBlockhash, at) && !namesUsableNonce(message, read)) return 'BlockhashNotFound';
  const landedAt = history.heightOf(transaction);
  return landedAt !== undefined && landedAt <= at.height ? 'AlreadyProcessed' : null;
}

function toRefused(error: string, named: Address[]): Simulation {
  return { error, logs: [], unitsConsumed: 0, innerInstructions: [], returnData: null, accounts: new Map(), named };
}
