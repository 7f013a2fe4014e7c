/**
 * What the conformance suite asks of a network. Whatever else differs between networks (keys, blocks, token accounts)
 * stays behind these types: a case that needs to know where it runs is no case of the suite.
 */
import type { TransferIdOf } from '../../core/transfers/source.ts';
import type { x402Client } from '@x402/core/client';
import type { Failpoint } from '../../core/failpoints.ts';
import type { Network } from '../../core/networks.ts';
import type { Store } from '../../db/store/store.ts';
import type { RunningWorker } from '../../worker/start.ts';
import type { TestRolesOptions } from '../support/test-roles.ts';

/** What can be wrong with a proof, seen by the payer who made it. */
export const FLAWS = [
  'signed for another amount',
  'signed for another payee',
  'signed for another token',
  'signed by another key',
  'of an accepted amount that is not the price',
  'of an accepted payee that is not ours',
  'of an accepted token that is not USDC',
  'for a network that is not offered',
  'whose time was over before it came',
  'of our own treasury',
  'that is no payment at all',
] as const;
export type Flaw = (typeof FLAWS)[number];

export type NetworkUnderTest<W extends World = World> = {
  network: Network;
  /** The word with which each flawed proof is refused; the standard has its own for each network. */
  words: Record<Flaw, string>;
  /** So many transactions may carry 45 payouts to recipients who can receive at once. */
  payoutTransactionsMax: number;
  /** Where services on one database end, one after the other; at the other points a slice of the tortures kills them. */
  deaths: readonly (readonly Failpoint[])[];
  /** Rules whose code never asks which network it is: one network shows them for all. */
  showsCommonRules: boolean;
  /** A fresh chain that makes blocks by itself. */
  open: () => Promise<W>;
};

export type World<S extends Service = Service> = {
  /** A database and keys of ours, on which one service may follow another. */
  install: () => Installation<S>;
  /** Holds USDC and nothing else: no gas of its own. */
  createPayer: (microUsdc: bigint) => Promise<Payer>;
  /** The address of a recipient who can receive USDC. */
  createRecipient: () => Promise<string>;
  /** In the newest block. */
  usdcBalance: (address: string) => Promise<bigint>;
  fundUsdc: (address: string, microUsdc: bigint) => Promise<void>;
  /** As the issuer does: the owner's USDC can neither leave nor arrive. */
  bar: (address: string) => Promise<void>;
  unbar: (address: string) => Promise<void>;
  /** Whatever is in a block can never be taken back afterwards. */
  finalize: () => Promise<void>;
  /** Every proof that was made before, and has not landed, can never land afterwards. */
  expireProofs: () => Promise<void>;
  /** Nothing gets a place on the chain, so that the outcome of what was sent stays open. */
  holdBlocks: () => Promise<void>;
  /** Ends the newest block and no other: what was sent is seen, and could still be taken back. */
  stepBlock: () => Promise<void>;
  releaseBlocks: () => Promise<void>;
  /** The next broadcasts meet this, so many of them or until it is healed. */
  spoilBroadcasts: (how: Spoiling, times?: number) => Promise<SpoiledBroadcasts>;
  close: () => Promise<void>;
};

/** `lose_reply`: the node takes it, and nobody hears of it. `drop`: it gets nowhere. */
export type Spoiling = 'lose_reply' | 'drop';
export type SpoiledBroadcasts = {
  /** How often it has struck. Assert on it: a fault that never fired has tested nothing. */
  fired: () => Promise<number>;
  heal: () => Promise<void>;
};

export type Installation<S extends Service = Service> = {
  start: (options?: ServiceOptions) => Promise<S>;
};
export type ServiceOptions = Omit<TestRolesOptions, 'databasePath'> & {
  /** Called at the named points of the settlement; what it throws ends the step that has come there. */
  failpoint?: (name: Failpoint) => void;
};

export type Service = {
  url: string;
  store: Store;
  worker: RunningWorker | null;
  /** Where payers' money goes. */
  treasury: string;
  transferIdOf: TransferIdOf;
  /** Every invariant of the money model, and the ledger against the chain; throws with what is broken. */
  assertSound: () => Promise<void>;
  /** Counts the transactions that carry payouts from now on, those that failed included. */
  watchPayouts: () => Promise<() => Promise<number>>;
  /** Takes the money for fees away from all of our wallets. */
  drainGas: () => Promise<void>;
  refuel: () => Promise<void>;
  close: () => Promise<void>;
};

export type ProofOptions = { microUsdc: bigint; version?: 1 | 2; flaw?: Flaw };

export type Payer = {
  /** In the spelling of the books. */
  address: string;
  /** A signed proof as it stands in the request header. */
  prove: (service: Service, options: ProofOptions) => Promise<string>;
  /** The unmodified client of both generations, with its limit per payment raised as our documents say. */
  stockClient: () => Promise<x402Client>;
  /** What takes a payment back (`POST /payments/{txn_id}/cancel`). `validBefore` in Unix seconds. */
  signCancellation: (txnId: number, validBefore: number) => Promise<string>;
  /** A plain transfer that says nothing about why, in a block when it is answered. */
  send: (to: string, microUsdc: bigint) => Promise<void>;
};
