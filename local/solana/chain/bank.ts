/** The parts of a chain that change together. Solana calls the state at a block a bank. */
import type { Address } from '@solana/kit';
import type { Account } from '../accounts/account.ts';
import { type AccountVersions, createAccountVersions } from '../accounts/account-versions.ts';
import { type Blocks, createBlocks } from './blocks.ts';
import type { ChainState } from './chain-state.ts';
import { type History, createHistory } from './history.ts';
import { type Vm, createVm } from '../accounts/vm.ts';

export type Bank = { vm: Vm; blocks: Blocks; versions: AccountVersions; history: History };

/** With a state, goes on from there. */
export function createBank(now: () => number, state?: ChainState): Bank {
  const vm = createVm();
  const versions = createAccountVersions(vm);
  const bank = { vm, versions, blocks: createBlocks(now, state?.blocks), history: createHistory(state?.transactions) };
  for (const { address, ...account } of state?.accounts ?? []) overwriteAccount(bank, address, account);
  return bank;
}

/** Past all rules, and without a trace in the history; null removes the account. */
export function overwriteAccount({ vm, versions, blocks }: Bank, address: Address, account: Account | null): void {
  const before = vm.read(address);
  vm.write(address, account);
  versions.note(address, before, blocks.last().height);
}

export function openBlock({ vm, versions, blocks, history }: Bank, skippedSlots: number): void {
  blocks.open(skippedSlots);
  vm.expireBlockhash();
  versions.forgetUntil(blocks.at('finalized').height);
  history.forgetMessages(blocks.last().height);
}

/** What makes this chain differ from a new one. */
export function changedAccounts({ vm, versions }: Bank): ChainState['accounts'] {
  return versions.everChanged().flatMap((address) => {
    const account = vm.read(address);
    return account ? [{ address, ...account }] : [];
  });
}
