import { setMaxListeners } from 'node:events';
import type { QueueLog } from './outage.ts';

/** A clock that never jumps, and a timeout; `after` returns a function that cancels it. */
export type Timer = { nowMs: () => number; after: (ms: number, then: () => void) => () => void };

export const realTimer: Timer = {
  nowMs: () => performance.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export type Pace = {
  /** The shortest pause between two questions to the database; items that come due meanwhile are gathered. */
  leastMs: number;
  /** The longest pause, because other processes write rows too. */
  mostMs: number;
};

export type AlarmOptions = {
  /** For the log. */
  name: string;
  pace: Pace;
  timer: Timer;
  closing: AbortSignal;
  log: QueueLog;
  /** False: a look could take nothing. Then it waits until a step ends, which `moved` reports. */
  hasRoom: () => boolean;
  /** Takes what is due, and sets the next look by `set`. */
  look: () => Promise<void>;
  /** Milliseconds until the first item comes due that no look has found due. */
  nextDueInMs: () => Promise<number>;
};

/**
 * Decides when to look. After a step only the next due time is asked for, because the step may have changed its row's
 * time; a look would take at once every row that is not held back.
 */
export function createAlarm({ name, pace, timer, closing, log, hasRoom, look, nextDueInMs }: AlarmOptions) {
  let lookAtMs = -Infinity;
  let askedAtMs = -Infinity;
  let hasMoved = false;
  let isStarted = false;
  let isAsking = false;
  let isFailing = false;
  let callOff = () => {};
  // Many runners end with one process, so many listeners are no leak.
  setMaxListeners(0, closing);
  closing.addEventListener('abort', () => callOff(), { once: true });

  function arm(): void {
    callOff();
    if (!isStarted || isAsking || closing.aborted) return;
    const nowMs = timer.nowMs();
    if (!hasMoved && !hasRoom()) return;
    const atMs = Math.max(hasMoved ? nowMs : lookAtMs, askedAtMs + pace.leastMs);
    callOff = timer.after(Math.max(0, atMs - nowMs), () => void notify());
  }

  async function notify(): Promise<void> {
    isAsking = true;
    hasMoved = false;
    askedAtMs = timer.nowMs();
    const isTime = lookAtMs <= askedAtMs && hasRoom();
    await attempt(isTime ? look : async () => aim(await nextDueInMs()));
    isAsking = false;
    arm();
  }

  /** Logs one line when it begins to fail, and one when it works again. */
  async function attempt(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      if (isFailing) log.info({ runner: name }, 'what is due can be asked for again');
      isFailing = false;
    } catch (error) {
      lookAtMs = timer.nowMs() + pace.mostMs;
      if (!isFailing && !closing.aborted)
        log.warn({ runner: name, error: String(error) }, 'what is due could not be asked for; it is tried again');
      isFailing = true;
    }
  }

  /** No later than before. */
  function aim(inMs: number): void {
    lookAtMs = Math.min(lookAtMs, timer.nowMs() + inMs);
  }

  return {
    attempt,
    start: (): void => {
      isStarted = true;
      arm();
    },
    /** A step has ended: there is room, and its row has a new due time. */
    moved: (): void => {
      hasMoved = true;
      arm();
    },
    /** A look has ended; the next one is due then. */
    set: (inMs: number): void => {
      lookAtMs = timer.nowMs() + Math.min(inMs, pace.mostMs);
      arm();
    },
  };
}
