import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Timer } from '../../../queue/alarm.ts';

/** Turns of the event loop without a transaction after which everything waits for the clock. */
const QUIET_TURNS = 4;

export type VirtualTime = ReturnType<typeof createVirtualTime>;

/** A clock that moves only when nothing else can. */
export function createVirtualTime() {
  const timers: { atMs: number; run: () => void }[] = [];
  let nowMs = 1_800_000_000_000;
  let pending = 0;

  function after(ms: number, run: () => void): () => void {
    const timer = { atMs: nowMs + Math.max(0, Math.ceil(ms)), run };
    const index = timers.findIndex(({ atMs }) => atMs > timer.atMs);
    timers.splice(index === -1 ? timers.length : index, 0, timer);
    return () => {
      const place = timers.indexOf(timer);
      if (place !== -1) timers.splice(place, 1);
    };
  }

  async function untilQuiet(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await setImmediate();
      if (pending > 0) quiet = 0;
    }
  }

  return {
    nowMs: () => nowMs,
    after,
    sleep: (ms: number) => new Promise<void>((resolve) => void after(ms, resolve)),
    /** Time stands still meanwhile. */
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      pending += 1;
      try {
        return await work();
      } finally {
        pending -= 1;
      }
    },
    /** Lets so much time pass. */
    pass: async (ms: number): Promise<void> => {
      const endMs = nowMs + ms;
      await untilQuiet();
      for (let next = timers[0]; next !== undefined && next.atMs <= endMs; next = timers[0]) {
        nowMs = next.atMs;
        while (timers[0]?.atMs === nowMs) timers.shift()?.run();
        await untilQuiet();
      }
      nowMs = endMs;
    },
  };
}

export type VirtualProcess = ReturnType<typeof createVirtualProcess>;

/** Stopped as by SIGSTOP nothing of it goes on, and what came due is done when it is let go; killed, it never is. */
export function createVirtualProcess(time: VirtualTime) {
  let state: 'running' | 'stopped' | 'dead' = 'running';
  const waiting: (() => void)[] = [];
  const deaths: (() => void)[] = [];

  function whenRunning(run: () => void): void {
    if (state === 'running') run();
    else if (state === 'stopped') waiting.push(run);
  }

  const timer: Timer = { nowMs: time.nowMs, after: (ms, run) => time.after(ms, () => whenRunning(run)) };

  return {
    timer,
    whenRunning,
    isRunning: () => state === 'running',
    isDead: () => state === 'dead',
    /** Passes while it runs. */
    gate: () => new Promise<void>((resolve) => whenRunning(resolve)),
    onDeath: (listener: () => void) => void deaths.push(listener),
    stop: () => {
      if (state === 'running') state = 'stopped';
    },
    resume: () => {
      if (state !== 'stopped') return;
      state = 'running';
      for (const run of waiting.splice(0)) run();
    },
    kill: () => {
      state = 'dead';
      for (const listener of deaths) listener();
    },
  };
}

/** Announcements among processes; each of them alone when there is no Redis between them. */
export function createVirtualBus() {
  const listeners = new Set<{ channel: string; process: VirtualProcess; hear: () => void }>();

  return (process: VirtualProcess, isAlone: boolean) => {
    function subscribe(channel: string, hear: () => void): () => void {
      const listener = { channel, process, hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    }
    return {
      subscribe,
      announce: (channel: string) => {
        for (const listener of listeners) {
          if (listener.channel !== channel || (isAlone && listener.process !== process)) continue;
          if (listener.process.isRunning()) listener.hear();
        }
      },
      waitFor: (channel: string, timeoutMs: number, signal?: AbortSignal) =>
        new Promise<boolean>((resolve) => {
          const end = (isAnnounced: boolean) => {
            callOff();
            unsubscribe();
            resolve(isAnnounced);
          };
          const callOff = process.timer.after(timeoutMs, () => end(false));
          const unsubscribe = subscribe(channel, () => end(true));
          if (signal?.aborted) end(false);
          // A request waits under its signal many times.
          if (signal !== undefined) setMaxListeners(0, signal);
          signal?.addEventListener('abort', () => end(false), { once: true });
        }),
    };
  };
}
