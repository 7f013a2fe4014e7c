/** The chain, as its RPC and its tests see it. */
import { randomBytes } from 'node:crypto';
import type { Address, Instruction } from '@solana/kit';
import { getMintSize } from '@solana-program/token';
import { SYSTEM_PROGRAM, USDC_MINT } from '../ground/addresses.ts';
import type { Account } from '../accounts/account.ts';
import { type Bank, changedAccounts, createBank, openBlock, overwriteAccount } from './bank.ts';
import type { ChainState } from './chain-state.ts';
import { LAG_BLOCKS } from './commitment.ts';
import { FAUCET_LAMPORTS, type Faucet, createFaucet, usdcMintAccount } from './faucet.ts';
import { createFaucetKey } from './faucet-key.ts';
import { land } from './land.ts';
import type { Landed } from './landed.ts';
import { type Simulation, type SimulationOptions, simulate } from './simulate.ts';
import { type Transaction, decodeTransaction } from '../wire/transaction.ts';

export type ChainOptions = {
  now?: () => number;
  /** Goes on from there. */
  state?: ChainState;
  /** Slots that passed without a block while the chain was not running. */
  missedSlots?: number;
};

export type Chain = Omit<Bank, 'vm'> & {
  /** 32 random bytes in hex: another value means another chain, wherever it is found. */
  instanceId: string;
  rentFor: (bytes: number) => bigint;
  land: (transaction: Transaction) => Landed | null;
  simulate: (transaction: Transaction, options: SimulationOptions) => Simulation;
  /** Begins so many blocks, one after the other; before the first, slots may pass without one. */
  openBlocks: (count: number, skippedSlots?: number) => void;
  setAccount: (address: Address, account: Account | null) => void;
  faucet: Faucet;
  /** Lands instructions of the faucet, and begins the next block, so that they are confirmed at once. */
  act: (instructions: Instruction[]) => Landed;
  /** Calls after each new block and each change of an account; what it answers ends that. */
  onChange: (listener: () => void) => () => void;
  toState: (isClean: boolean) => ChainState;
};

export function createChain({ now = () => Date.now(), state, missedSlots = 0 }: ChainOptions = {}): Chain {
  const bank = createBank(now, state);
  const faucetSeed = state?.faucetSeed ?? new Uint8Array(randomBytes(32));
  const faucet = createFaucet(createFaucetKey(faucetSeed));
  const instanceId = state?.instanceId ?? randomBytes(32).toString('hex');
  const { onChange, notify } = createWakeUp();

  function openBlocks(count: number, skippedSlots = 0): void {
    for (let index = 0; index < count; index += 1) {
      openBlock(bank, index === 0 ? skippedSlots : 0);
      notify();
    }
  }

  function landAndTell(transaction: Transaction): Landed | null {
    const landed = land(bank, transaction);
    if (landed) notify();
    return landed;
  }

  function act(instructions: Instruction[]): Landed {
    overwriteAccount(bank, faucet.address, { ...EMPTY_ACCOUNT, lamports: FAUCET_LAMPORTS });
    const landed = landAndTell(decodeTransaction(faucet.toWire(instructions, bank.blocks.last().blockhash)));
    openBlocks(1);
    const error = landed ? landed.meta.err : 'it cannot run';
    if (!landed || error) throw new Error(`the faucet of the local Solana network failed: ${JSON.stringify(error)}`);
    return landed;
  }

  if (!state) overwriteAccount(bank, USDC_MINT, usdcMintAccount(faucet.address, bank.vm.rentFor(getMintSize())));
  // Earlier accounts are unknown: after so many blocks, no level of commitment asks for them.
  openBlocks(LAG_BLOCKS.finalized + 1, missedSlots);

  return {
    ...bank,
    instanceId,
    rentFor: bank.vm.rentFor,
    land: landAndTell,
    simulate: (transaction, options) => simulate(bank, transaction, options),
    openBlocks,
    setAccount(address, account) {
      overwriteAccount(bank, address, account);
      notify();
    },
    faucet,
    act,
    onChange,
    toState(isClean) {
      const identity = { instanceId, faucetSeed, savedAtMs: now(), isClean };
      const contents = { blocks: bank.blocks.all(), transactions: bank.history.all(), accounts: changedAccounts(bank) };
      return { ...identity, ...contents };
    },
  };
}

const EMPTY_ACCOUNT: Account = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };

function createWakeUp() {
  const listeners = new Set<() => void>();
  return {
    notify: () => listeners.forEach((listener) => listener()),
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
