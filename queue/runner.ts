import { createAlarm, realTimer, type Pace, type Timer } from './alarm.ts';
import { createRuns, type RunsOptions } from './runs.ts';

export type Due = {
  /** Names of what is due by then, what waits longest first. */
  items: readonly string[];
  /** When the first comes due after then; null: none will. */
  nextDueAtMs: number | null;
};

export type RunnerOptions = RunsOptions & {
  /**
   * At most so many, none of those that are worked on and none that another process has leased. Asked for none, it only
   * says when the next one comes due. What stays due after its step is taken up by the next look.
   */
  due: (nowMs: number, limit: number, except: readonly string[]) => Promise<Due>;
  /** No look takes up more than so many at once; what is asked for by its name never waits. */
  concurrency: number;
  pace: Pace;
  /** The time that the rows are written in. */
  clock: { now: () => number };
  timer?: Timer;
};

export type Runner = {
  /** For one that is asked for by its name: works on it now, or once more where a step is under way. Never rejects. */
  run: (item: string) => Promise<void>;
  /** Takes up what is due now, and resolves when that is worked on no longer. Never rejects. */
  look: () => Promise<void>;
  /** From now on it looks by itself, until it is closed. */
  start: () => void;
  /** Resolves when nothing is asked for and nothing worked on. */
  idle: () => Promise<void>;
};

/**
 * Carries the rows of one kind to their end, and sleeps while none is due. All that counts is in the rows, so a process
 * may end anywhere, and another one goes on.
 */
export function createRunner(options: RunnerOptions): Runner {
  const { due, concurrency, clock, closing, timer = realTimer } = options;
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
    const { items, nextDueAtMs } = await due(nowMs, limit, runs.items());
    return { items, inMs: nextDueAtMs === null ? Infinity : nextDueAtMs - clock.now() };
  }

  /** Answers what has been begun. */
  async function begin(): Promise<readonly Promise<void>[]> {
    lookedAtMs = clock.now();
    const limit = room();
    const { items, inMs } = await ask(lookedAtMs, limit);
    // Meanwhile others may have been asked for by their names.
    const taken = items.slice(0, room());
    const isAll = items.length < limit && taken.length === items.length;
    alarm.set(isAll ? inMs : 0);
    return taken.map(runs.take);
  }

  /** Later than the last look: what was due by then and still is waits for the next one. */
  async function nextDueInMs(): Promise<number> {
    return (await ask(lookedAtMs, 0)).inMs;
  }

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
 * For rows that no time holds back: each look goes on behind the last one, because what can never be ended must not stand
 * before all others for good.
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
