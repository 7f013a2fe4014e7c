import { createAlarm, realTimer, type Pace, type Timer } from './alarm.ts';
import { createRuns, type RunsOptions } from './runs.ts';

export type Due = {
  /** The items that are due by then, longest waiting first. */
  items: readonly string[];
  /** When the next item comes due after that; null: none. */
  nextDueAtMs: number | null;
};

export type RunnerOptions = RunsOptions & {
  /**
   * At most `limit` due items, without those in `except` and those that another process has leased. With limit 0 it
   * only tells when the next one comes due. The next look takes an item that is still due after its step.
   */
  due: (nowMs: number, limit: number, except: readonly string[]) => Promise<Due>;
  /** The most items that looks work on at once; an item that is asked for by name never waits. */
  concurrency: number;
  pace: Pace;
  /** One process at a time looks; an item that is asked for by name runs in any. Absent: every process looks. */
  hold?: RunnerHold | undefined;
  /** The clock of the times in the rows. */
  clock: { now: () => number };
  timer?: Timer;
};

export type RunnerHold = { isHeld: () => boolean; onTaken: (listener: () => void) => void };

export type Runner = {
  /** Works on the named item now, or once more after the step under way. Never rejects. */
  run: (item: string) => Promise<void>;
  /** Takes what is due now, and resolves when that work has ended. Never rejects. */
  look: () => Promise<void>;
  /** Looks by itself from now on, until it is closed. */
  start: () => void;
  /** Resolves when no look and no step is under way. */
  idle: () => Promise<void>;
};

/**
 * Carries the rows of one kind to their end, and sleeps while none is due. All state is in the rows, so a process may
 * end anywhere and another one continues.
 */
export function createRunner(options: RunnerOptions): Runner {
  const { due, concurrency, clock, closing, hold, timer = realTimer } = options;
  const looks = new Set<Promise<unknown>>();
  const runs = createRuns(options, () => alarm.moved());
  const room = () => Math.max(0, concurrency - runs.size());
  const alarm = createAlarm({
    ...options,
    timer,
    hasRoom: () => room() > 0,
    look: async () => void (await track(begin())),
    nextDueInMs: () => track(nextDueInMs()),
  });
  let lookedAtMs = 0;

  function track<T>(look: Promise<T>): Promise<T> {
    looks.add(look);
    const end = () => void looks.delete(look);
    look.then(end, end);
    return look;
  }

  async function ask(nowMs: number, limit: number): Promise<{ items: readonly string[]; inMs: number }> {
    if (hold?.isHeld() === false) return { items: [], inMs: Infinity };
    const { items, nextDueAtMs } = await due(nowMs, limit, runs.items());
    return { items, inMs: nextDueAtMs === null ? Infinity : nextDueAtMs - clock.now() };
  }

  /** Returns the work that it has begun. */
  async function begin(): Promise<readonly Promise<void>[]> {
    lookedAtMs = clock.now();
    const limit = room();
    const { items, inMs } = await ask(lookedAtMs, limit);
    // Other items may have been asked for by name meanwhile.
    const taken = items.slice(0, room());
    const isAll = items.length < limit && taken.length === items.length;
    alarm.set(isAll ? inMs : 0);
    return taken.map(runs.take);
  }

  /** Counts from the last look: what was due by then and still is waits for the next look. */
  async function nextDueInMs(): Promise<number> {
    return (await ask(lookedAtMs, 0)).inMs;
  }

  hold?.onTaken(() => alarm.set(0));
  return {
    run: runs.run,
    start: alarm.start,
    async look() {
      let works: readonly Promise<void>[] = [];
      if (closing.aborted) return;
      await alarm.attempt(async () => {
        works = await track(begin());
      });
      await Promise.all(works);
    },
    async idle() {
      while (looks.size + runs.size() > 0) await Promise.allSettled([...looks, runs.idle()]);
    },
  };
}

/**
 * For rows without a due time: each look continues after the last one, so that a row that never ends cannot block all
 * others.
 */
export function dueInTurn<Row>(
  read: (limit: number, after: Row | null, except: readonly string[]) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): RunnerOptions['due'] {
  let last: Row | null = null;
  return async (_nowMs, limit, except) => {
    if (limit === 0) return { items: [], nextDueAtMs: null };
    const rows = await read(limit, last, except);
    last = rows.length === limit ? (rows.at(-1) ?? null) : null;
    return { items: rows.map(idOf), nextDueAtMs: null };
  };
}
