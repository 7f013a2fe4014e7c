import { setTimeout as wait } from 'node:timers/promises';

/** Time as the bot sees it; tests bring their own. */
export type Clock = {
  /** Epoch milliseconds. */
  now: () => number;
  /** Rejects when the bot closes, so that nothing outlives it. */
  sleep: (ms: number) => Promise<void>;
};

export function createClock(closing: AbortSignal): Clock {
  return { now: () => Date.now(), sleep: (ms) => wait(ms, undefined, { signal: closing }) };
}

/** How often the database is asked what there is to do for the chats; what is asked for by name does not wait for it. */
export const LOOK_PACE = { leastMs: 1_000, mostMs: 30_000 };
