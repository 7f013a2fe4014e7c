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
const TERMS_MS = MAX_TIMEOUT_SECONDS * 1_000;
const RETRY_MAX_SECONDS = 300;
const RETRY_UNMEASURED_SECONDS = 15;

export type Admission = {
  /**
   * Throws `overloaded` for a payment that would not land before its proof expires. Otherwise it counts as under way until
   * `leave` says whether it was reserved. Requests with the same proof share one place.
   */
  enter: (network: Network, proof: { id: string; validBefore: number }) => { leave: (isReserved: boolean) => void };
  /** Whether a proof of this network that is signed now would land in time. */
  carries: (network: Network) => boolean;
  /** Throws `overloaded` where none of these networks would carry a proof that is signed now. */
  assertCarried: (networks: readonly Network[]) => void;
  /** Whether payments of this network do settle now. */
  isMoving: (network: Network) => boolean;
  /** Reads the queues anew. */
  look: () => Promise<void>;
};

/** Other processes let callers into the same queues, so this many newcomers are reason enough to read them again. */
const RUSH = 50;
const RUSH_LOOK_MS = 100;

/** How many requests present this proof, and whether it is reserved: then the next look finds its row. */
type Entered = { requests: number; isReserved: boolean };
/** `sharers`: how many processes let callers in, this one included. */
type Queue = { pace: Pace; waiting: number; entered: Map<string, Entered>; promisedMs: number; sharers: number };

/**
 * Lets in as many payments as their networks settle in time. It decides from memory, by the last look and by what came
 * since, so that a rush within one second counts too. The rows are of all processes: until it looks again, each process
 * takes only its share of the room that they leave, so that together they let in no more than one would.
 */
export function createAdmission(options: {
  now: () => number;
  read: () => Promise<(network: Network) => Backlog>;
  networks: readonly Network[];
  /** How many processes let callers in. Absent: this one alone. */
  sharers?: () => Promise<number>;
  /** Asks for a look now. */
  onRush?: () => void;
}): Admission {
  const { now, read, onRush } = options;
  let lookedMs = -Infinity;
  const queues = new Map<Network, Queue>(options.networks.map((network) => [network, emptyQueue()]));
  const queueOf = (network: Network) => queues.get(network) ?? emptyQueue();
  const noteRush = ({ sharers, entered }: Queue) => {
    if (sharers > 1 && entered.size >= RUSH && now() - lookedMs >= RUSH_LOOK_MS) onRush?.();
  };

  return {
    enter(network, { id, validBefore }) {
      const queue = queueOf(network);
      const entered = queue.entered.get(id) ?? { requests: 0, isReserved: false };
      if (!queue.entered.has(id)) {
        const nowMs = now();
        const byMs = excessMs(queue, nowMs, validBefore === 0 ? BLOCKHASH_LEFT_MS : validBefore * 1_000 - nowMs);
        if (byMs > 0) throw refusal(network, queue, { byMs, nowMs });
        queue.entered.set(id, entered);
        noteRush(queue);
      }
      entered.requests += 1;
      return {
        leave(isReserved) {
          entered.requests -= 1;
          entered.isReserved ||= isReserved;
          if (entered.requests === 0 && !entered.isReserved) queue.entered.delete(id);
        },
      };
    },
    carries: (network) => excessMs(queueOf(network), now()) <= 0,
    assertCarried(networks) {
      let least: { network: Network; queue: Queue; byMs: number } | null = null;
      for (const network of networks) {
        const queue = queueOf(network);
        const byMs = excessMs(queue, now());
        if (byMs <= 0) return;
        if (least === null || byMs < least.byMs) least = { network, queue, byMs };
      }
      if (least !== null) throw refusal(least.network, least.queue, { byMs: least.byMs, nowMs: now() });
    },
    isMoving: (network) => isMoving(queueOf(network).pace, now()),
    async look() {
      const rowed = [...queues.values()].flatMap(({ entered }) =>
        [...entered].filter(([, { isReserved }]) => isReserved).map(([id]) => id),
      );
      lookedMs = now();
      const [backlogOf, sharers = 1] = await Promise.all([read(), options.sharers?.()]);
      for (const [network, queue] of queues) {
        const backlog = backlogOf(network);
        queue.pace = afterLook(queue.pace, { ...backlog, atMs: now() });
        queue.waiting = backlog.waiting;
        queue.sharers = Math.max(1, sharers);
        for (const id of rowed) queue.entered.delete(id);
      }
    },
  };
}

/**
 * By how much a proof with so much time would come too late; 0 or less: it lands in time. Time beyond that of new terms
 * does not count, or callers with long proofs would fill a queue that is closed to everyone else.
 */
function excessMs({ pace, waiting, entered, sharers }: Queue, nowMs: number, leftMs = TERMS_MS): number {
  const waitMs = queueTimeMs(pace, waiting + entered.size * sharers, nowMs);
  return waitMs === 0 ? 0 : waitMs - Math.max(0, Math.min(leftMs, TERMS_MS) - LANDING_MS);
}

/**
 * Each refused caller gets a later turn than the one before, at the pace at which the network settles. While that pace
 * is unknown they are told to come back soon, for a better answer.
 */
function refusal(network: Network, queue: Queue, { byMs, nowMs }: { byMs: number; nowMs: number }): AppError {
  const mostSeconds = queue.pace.measured === null ? RETRY_UNMEASURED_SECONDS : RETRY_MAX_SECONDS;
  const turnMs = (queue.sharers * 1_000) / settledPerSecond(queue.pace, nowMs);
  const turn = Math.max(queue.promisedMs, nowMs + byMs) + turnMs;
  queue.promisedMs = Math.min(turn, nowMs + mostSeconds * 1_000);
  const retryAfterSeconds = Math.max(1, Math.ceil((queue.promisedMs - nowMs) / 1_000));
  const detail = `More payments wait on ${networkTitle(network, null)} than can land in the time of a new one. It was not taken; one that was taken before keeps its answer. Ask for the price again later.`;
  return new AppError('overloaded', { detail, retryAfterSeconds });
}

function emptyQueue(): Queue {
  return { pace: NOTHING_SEEN, waiting: 0, entered: new Map(), promisedMs: 0, sharers: 1 };
}
