import { AppError } from '../../core/errors.ts';
import { networkTitle, type Network } from '../../core/networks.ts';
import {
  afterLook,
  isMoving,
  NOTHING_SEEN,
  queueTimeMs,
  settledPerSecond,
  type Pace,
} from '../../core/payments/pace.ts';
import { MAX_TIMEOUT_SECONDS } from '../../core/payments/x402.ts';
import type { Backlog } from '../../db/payments/backlog.ts';

/** From the carrier that takes a payment to its block. */
const LANDING_MS = 6_000;
/** A blockhash lives for a minute, and a proof does not say how old its own is. */
const BLOCKHASH_LEFT_MS = 30_000;
const RETRY_MAX_SECONDS = 300;
const RETRY_UNMEASURED_SECONDS = 15;

export type Admission = {
  /**
   * Throws `overloaded` for a payment that would not land before its proof is over. Otherwise it counts as one that is on
   * its way until `leave` says whether it was reserved.
   */
  enter: (network: Network, validBefore: number) => { leave: (isReserved: boolean) => void };
  /** Throws `overloaded` where none of these networks would carry a proof that is signed now. */
  assertCarried: (networks: readonly Network[]) => void;
  /** Whether payments of this network do settle now. */
  isMoving: (network: Network) => boolean;
  /** Reads the queues anew. */
  look: () => Promise<void>;
};

type Entered = { hasLeft: boolean };
type Queue = { pace: Pace; waiting: number; entered: Set<Entered>; promisedMs: number };

/**
 * Lets in as many payments as their networks settle in time. It decides from memory, by the last look and by those that
 * came since, so that a crowd within one second is counted too.
 */
export function createAdmission(options: {
  now: () => number;
  read: () => Promise<(network: Network) => Backlog>;
  networks: readonly Network[];
}): Admission {
  const { now, read } = options;
  const queues = new Map<Network, Queue>(options.networks.map((network) => [network, emptyQueue()]));
  const queueOf = (network: Network) => queues.get(network) ?? emptyQueue();

  /** How much too long a proof would wait that has so much time; not above 0: it lands. */
  function excessMs({ pace, waiting, entered }: Queue, leftMs: number): number {
    const waitMs = queueTimeMs(pace, waiting + entered.size, now());
    return waitMs === 0 ? 0 : waitMs - Math.max(0, leftMs - LANDING_MS);
  }

  /**
   * Each refused caller is given a later turn than the one before, as fast as the network settles. As long as that is not
   * known they come back soon, to be told better.
   */
  function refusal(network: Network, queue: Queue, byMs: number): AppError {
    const nowMs = now();
    const mostSeconds = queue.pace.measured === null ? RETRY_UNMEASURED_SECONDS : RETRY_MAX_SECONDS;
    const turnMs = 1_000 / settledPerSecond(queue.pace, nowMs);
    const turn = Math.max(queue.promisedMs, nowMs + byMs) + turnMs;
    queue.promisedMs = Math.min(turn, nowMs + mostSeconds * 1_000);
    const retryAfterSeconds = Math.max(1, Math.ceil((queue.promisedMs - nowMs) / 1_000));
    const detail = `More payments wait on ${networkTitle(network, null)} than can land in the time of a new one. It was not taken; one that was taken before keeps its answer. Ask for the price again later.`;
    return new AppError('overloaded', { detail, retryAfterSeconds });
  }

  return {
    enter(network, validBefore) {
      const queue = queueOf(network);
      const leftMs = validBefore === 0 ? BLOCKHASH_LEFT_MS : validBefore * 1_000 - now();
      const byMs = excessMs(queue, leftMs);
      if (byMs > 0) throw refusal(network, queue, byMs);
      const entered = { hasLeft: false };
      queue.entered.add(entered);
      return {
        leave(isReserved) {
          // The next look finds its row.
          if (isReserved) entered.hasLeft = true;
          else queue.entered.delete(entered);
        },
      };
    },
    assertCarried(networks) {
      let least: { network: Network; queue: Queue; byMs: number } | null = null;
      for (const network of networks) {
        const queue = queueOf(network);
        const byMs = excessMs(queue, MAX_TIMEOUT_SECONDS * 1_000);
        if (byMs <= 0) return;
        if (least === null || byMs < least.byMs) least = { network, queue, byMs };
      }
      if (least !== null) throw refusal(least.network, least.queue, least.byMs);
    },
    isMoving: (network) => isMoving(queueOf(network).pace, now()),
    async look() {
      const rowed = [...queues.values()].flatMap(({ entered }) => [...entered].filter(({ hasLeft }) => hasLeft));
      const backlogOf = await read();
      for (const [network, queue] of queues) {
        const backlog = backlogOf(network);
        queue.pace = afterLook(queue.pace, { ...backlog, atMs: now() });
        queue.waiting = backlog.waiting;
        for (const one of rowed) queue.entered.delete(one);
      }
    },
  };
}

function emptyQueue(): Queue {
  return { pace: NOTHING_SEEN, waiting: 0, entered: new Set(), promisedMs: 0 };
}
