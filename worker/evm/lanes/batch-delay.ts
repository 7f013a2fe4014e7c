import { setTimeout as sleep } from 'node:timers/promises';
import { TIGHT_ITEMS_MAX } from '../../../chain/evm/rpc/fees.ts';

const DELAY_MAX_MS = 60;
/** A busy second with twenty arrivals makes each batch wait 20 ms. */
const DELAY_MS_PER_ARRIVAL = 1;
const QUIET_ARRIVALS_PER_SECOND = 5;
const HALF_LIFE_MS = 1_000;
/** A crowd of which nobody has come for so long is complete. */
const PAUSE_MS = 150;
/**
 * A batch leaves when this share of a block's time is left: it is still to be simulated, signed, stored and passed on, by
 * a node that may have shown us the last block late.
 */
const RESERVE = 0.45;

type BatchTimes = {
  now: () => number;
  blockMs: number | undefined;
  blockLeft: () => number;
  pause?: (ms: number) => Promise<unknown>;
};

export type BatchDelay = ReturnType<typeof createBatchDelay>;

/**
 * Delays batches by how many payments arrive per second. A lone payment leaves at once; under load a few milliseconds
 * let many payments share a transaction, which makes each cheap. While one batch waits for its block, the others gather
 * longer: a block takes one batch of each lane, so one that leaves with a few of a crowd makes the rest wait for the next
 * block. `blockLeft`: which share of its time passes before the next block may come; 0 where nobody knows.
 */
export function createBatchDelay({ now, blockMs = 0, blockLeft, pause = sleep }: BatchTimes) {
  let arrivalsPerSecond = 0;
  let arrivals = 0;
  /** Of these, those that no batch has taken, as far as it is known here. */
  let waiting = 0;
  /** When the batches of this round have gathered enough: a round never lasts from one block into the next. */
  let untilMs: number | null = null;
  let lastMs = now();

  /** An arrival counts half as much with each second that passes. */
  function decay(): void {
    const passedMs = Math.max(0, now() - lastMs);
    arrivalsPerSecond *= 0.5 ** (passedMs / HALF_LIFE_MS);
    lastMs = now();
  }

  function isBusy(): boolean {
    decay();
    return arrivalsPerSecond > QUIET_ARRIVALS_PER_SECOND;
  }

  return {
    noteArrival(): void {
      decay();
      arrivalsPerSecond += 1;
      arrivals += 1;
      waiting += 1;
    },
    /** So many payments left; null: there are no more. Those that cannot share a batch are not gathered for another one. */
    noteSent(payments: number | null): void {
      if (payments !== null && untilMs !== null && 2 * payments < Math.min(waiting, TIGHT_ITEMS_MAX)) untilMs = now();
      waiting = payments === null ? 0 : Math.max(0, waiting - payments);
    },
    /** A round that fills lanes. */
    begin: () => void (untilMs = null),
    /** Before any batch. */
    async wait(): Promise<void> {
      if (isBusy()) await pause(Math.min(DELAY_MAX_MS, arrivalsPerSecond * DELAY_MS_PER_ARRIVAL));
    },
    /** Before a batch that has others in front of it: until it can be full, nobody comes any more, or the block is near. */
    async gather(): Promise<void> {
      untilMs ??= now() + (blockLeft() - RESERVE) * blockMs;
      while (isBusy() && waiting < TIGHT_ITEMS_MAX) {
        const leftMs = untilMs - now();
        if (leftMs <= 0) return;
        const before = arrivals;
        await pause(Math.min(PAUSE_MS, leftMs));
        if (arrivals === before) return;
      }
    },
  };
}
