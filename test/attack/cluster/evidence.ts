import type { Hits } from '../../../scripts/torture/faults.ts';

/** What the run has recorded and what the chains say; nothing of it comes from our books. */
export const CHAINS = ['base', 'solana'] as const;
export type Chain = (typeof CHAINS)[number];

export const CLIENTS = ['fetch v2', 'v1 header', 'batch', 'mcp', 'a2a', 'copies', 'hang up', 'key', 'cancel'] as const;
export type ClientKind = (typeof CLIENTS)[number];

/** `answer` is what a payer keeps of a 200. */
export type Answer = { proof: number; askedAtMs: number; atMs: number } & (
  | { kind: 'paid'; txnIds: string; answer: string }
  | { kind: 'challenge'; error: string }
  | { kind: 'refused' | 'pending'; status: number; error: string }
  | { kind: 'none' }
);

/** One wish of one wallet, which pays for nothing else, however often it signs. */
export type Order = {
  id: string;
  client: ClientKind;
  chain: Chain;
  payer: string;
  /** Whose wallet is known; what others get stays in escrow. */
  receivers: readonly { wallet: string | null; amount: bigint }[];
  total: bigint;
  proofs: readonly string[];
  answers: readonly Answer[];
  /** The payer has asked for it back, and was told that it comes. */
  isCancelled: boolean;
};

/** A movement between one of the payers and the treasury. `proof`: what the chain shows of the proof that caused it. */
export type Movement = { payer: string; amount: bigint; atMs: number; proof: string | null };

export type ChainSays = {
  charges: readonly Movement[];
  returns: readonly Movement[];
  /** By wallet, of recipients. */
  received: ReadonlyMap<string, bigint>;
};

/** One command in a chat. `said` is what its person reads there about it now. */
export type Tip = { handle: string; wallet: string; amount: bigint; said: readonly string[] };

/** What has to happen at least, so that a run has tested what it is for: hits of each named fault, and so on. */
export type Least = { faults: number; kills: number; payments: number; tips: number };
/** The faults of a run, and how much of everything there has to be. */
export type Aim = { named: readonly string[]; least: Least };

export type Interval = { fromMs: number; toMs: number };

export type Evidence = {
  orders: readonly Order[];
  tips: readonly Tip[];
  chains: Record<Chain, ChainSays>;
  /** How processes ended that nobody had sent a signal. */
  selfExits: readonly string[];
  /** While payers came, and when some fault concerned a network. */
  storm: Interval;
  troubles: Record<Chain, readonly Interval[]>;
  silenceMaxMs: number;
  aim: Aim;
  hits: Hits;
};

export const countKills = (hits: Hits): number =>
  Object.entries(hits).reduce((sum, [name, count]) => sum + (name.startsWith('kill ') ? count : 0), 0);

/** The faults that have not hit as often as they have to. */
export const findRare = ({ named, least }: Aim, hits: Hits): string[] =>
  named.filter((name) => (hits[name] ?? 0) < least.faults);
