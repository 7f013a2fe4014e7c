import { setImmediate } from 'node:timers/promises';
import { realTimer } from './alarm.ts';
import type { QueueLog } from './outage.ts';
import { createRunner, type RunnerHold } from './runner.ts';

export type JobOptions = {
  /** For the log. */
  name: string;
  /** From the end of a step until the next one; asked then, where it depends on what is waiting. */
  everyMs: number | (() => number);
  step: () => Promise<void>;
  log: QueueLog;
  /** One process at a time does it; absent: every process does. */
  hold?: RunnerHold | undefined;
  /** Ends it like `close`. */
  closing?: AbortSignal;
};

export type Job = {
  /** Runs the step at once, or once more after the one under way; not while it fails. */
  wake: () => void;
  /** The same; resolves when that is done. */
  run: () => Promise<void>;
  start: () => void;
  idle: () => Promise<void>;
  /** Resolves when the step under way has ended; no further one begins. */
  close: () => Promise<void>;
};

const PAUSE_MAX_MS = 10_000;
/** Only jobs say when they are due, so nothing is missed by sleeping until then. */
const NO_PACE = { leastMs: 0, mostMs: 24 * 3_600_000 };

/** One step serves all wake-ups of the same turn of the event loop, and other work gets a turn between two steps. */
async function untilNextTurn() {
  await setImmediate();
  return { release: async () => undefined };
}

/**
 * A runner with one item, due again `everyMs` after its end. While its step fails the pause grows; one line is logged
 * when that begins and one when it ends.
 */
export function createJob({ name, everyMs, step, log, hold, closing }: JobOptions): Job {
  const ending = new AbortController();
  let restsUntilMs = 0;
  let failures = 0;
  const pauseMs = () => (typeof everyMs === 'number' ? everyMs : everyMs());
  const rest = (ms: number) => void (restsUntilMs = realTimer.nowMs() + ms);
  const runner = createRunner({
    name,
    log,
    closing: closing ? AbortSignal.any([ending.signal, closing]) : ending.signal,
    clock: { now: realTimer.nowMs },
    lease: untilNextTurn,
    concurrency: 1,
    pace: NO_PACE,
    due: async (nowMs, limit) =>
      restsUntilMs > nowMs
        ? { items: [], nextDueAtMs: restsUntilMs }
        : { items: limit > 0 ? [name] : [], nextDueAtMs: null },
    async step() {
      if (hold?.isHeld() !== false) await step();
      if (failures > 0) log.info({ job: name, failures }, 'works again');
      failures = 0;
      rest(pauseMs());
    },
    async putOff(_, error) {
      failures = Math.min(failures + 1, 8);
      rest(Math.min(pauseMs() * 2 ** failures, PAUSE_MAX_MS));
      if (failures === 1) log.warn({ job: name, err: error }, 'step failed; it is tried again');
    },
  });
  const run = async () => {
    if (failures === 0) await runner.run(name);
  };
  hold?.onTaken(() => void run());
  return {
    wake: () => void run(),
    run,
    start: runner.start,
    idle: runner.idle,
    async close() {
      ending.abort();
      await runner.idle();
    },
  };
}

/** One that begins at once. */
export function startJob(options: JobOptions): Job {
  const job = createJob(options);
  job.start();
  return job;
}
