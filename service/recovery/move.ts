import { ChainUnavailable } from '../../chain/errors.ts';
import type { Network } from '../../core/networks.ts';

/** Everything that one wallet holds on one network, to one address. */
export type Move = { walletId: string; network: Network; from: string; to: string; amountMicroUsdc: bigint };

/**
 * `moved-before`: an earlier start of this run signed it, to the address named then; `transaction` is null where it is
 * not known. `done-before`: this run has emptied the wallet already, and what is there came later. `refused`: it would
 * fail, so nothing was sent. `open`: sent, and the chain does not show the outcome yet.
 */
export type MoveEnd =
  | { kind: 'moved'; transaction: string }
  | { kind: 'moved-before'; transaction: string | null }
  | { kind: 'done-before' | 'open' }
  | { kind: 'refused'; reason: string };

export type MoveReport = (move: Move, end: MoveEnd) => void;

/** What waiting needs. */
export type Time = { now: () => number; sleep: (ms: number) => Promise<void> };

/** Null where the chain did not answer, which proves nothing; any other failure is thrown on. */
export async function answered<T>(work: () => Promise<T>): Promise<{ answer: T } | null> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
