import type { Due, Runner, RunnerOptions } from '../../queue/runner.ts';

export const ITEMS = ['a', 'b', 'c', 'd'] as const;
export const PACE = { leastMs: 10, mostMs: 1_000 };
export const CONCURRENCY = 2;

type Step = { item: string; seq: number; isByLook: boolean; end: (error: Error | null) => void };
type Row = {
  dueAtMs: number | null;
  /** The runner saw it written: its own step or its put-off did, with a time to come, and nothing came in between. */
  isKnown: boolean;
  /** Since then it could have been taken up at any moment. */
  sinceMs: number | null;
};
type Wake = { item: string; seq: number; isAnswered: boolean };

/**
 * Rows, time, and everything that a runner does to them, with the rules that hold at every moment. A broken rule is kept
 * in `faults`: an error would only be a failed step to the runner.
 */
export function createWorld() {
  let nowMs = 0;
  let seq = 0;
  let asks = 0;
  let looks = 0;
  let isSlow = false;
  let isBroken = false;
  let isClosed = false;
  const faults: string[] = [];
  const rows = new Map<string, Row>(ITEMS.map((item) => [item, { dueAtMs: null, isKnown: false, sinceMs: null }]));
  const steps: Step[] = [];
  const begun = new Map<string, number>();
  const refused = new Map<string, number>();
  const putOffs: string[] = [];
  const held = new Set<string>();
  const takenAway = new Set<string>();
  const waiting: (() => void)[] = [];
  const timers = new Set<{ atMs: number; notify: () => void }>();
  const wakes: Wake[] = [];
  const closing = new AbortController();
  const rowOf = (item: string): Row => rows.get(item) ?? { dueAtMs: null, isKnown: false, sinceMs: null };
  const fault = (text: string) => void faults.push(`${text} at ${nowMs}`);

  function write(item: string, dueAtMs: number | null, isOwn: boolean): void {
    const isKnown = isOwn && dueAtMs !== null && dueAtMs > nowMs && !isBroken;
    rows.set(item, { dueAtMs, isKnown, sinceMs: null });
  }

  async function due(atMs: number, limit: number, except: readonly string[]): Promise<Due> {
    if (++asks > nowMs / PACE.leastMs + looks + 2) fault(`asked ${asks} times`);
    if (isClosed) fault('asked after the end');
    if (isBroken) throw new Error('the database is away');
    const all = ITEMS.flatMap((item) => {
      const { dueAtMs } = rowOf(item);
      return dueAtMs === null || takenAway.has(item) ? [] : [{ item, dueAtMs }];
    }).sort((one, other) => one.dueAtMs - other.dueAtMs);
    const items = all.filter(({ item, dueAtMs }) => dueAtMs <= atMs && !except.includes(item)).slice(0, limit);
    const later = all.find(({ dueAtMs }) => dueAtMs > atMs);
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    return { items: items.map(({ item }) => item), nextDueAtMs: later?.dueAtMs ?? null };
  }

  async function step(item: string): Promise<void> {
    if (isClosed) fault(`${item} begins after the end`);
    if (steps.some((other) => other.item === item)) fault(`${item} is worked on twice at once`);
    if (!held.has(item)) fault(`${item} is worked on without its lease`);
    const isByLook = !wakes.some((wake) => wake.item === item && !wake.isAnswered);
    if (isByLook && steps.length >= CONCURRENCY) fault(`${item} is one too many`);
    begun.set(item, ++seq);
    const one = { item, seq, isByLook, end: (_error: Error | null): void => undefined };
    steps.push(one);
    const error = await new Promise<Error | null>((resolve) => (one.end = resolve));
    if (error !== null) throw error;
  }

  const options: RunnerOptions = {
    name: 'model',
    due,
    step,
    putOff: async (item, error) => {
      if (isClosed) fault(`${item} is put off after the end`);
      putOffs.push(`${item} ${String(error)}`);
      write(item, nowMs + 100, true);
    },
    lease: async (item) => {
      if (takenAway.has(item)) {
        refused.set(item, ++seq);
        rowOf(item).isKnown = false;
        return null;
      }
      if (held.has(item)) fault(`${item} is leased twice`);
      held.add(item);
      return { release: async () => void (held.delete(item) || fault(`${item} is released twice`)) };
    },
    concurrency: CONCURRENCY,
    pace: PACE,
    clock: { now: () => nowMs },
    closing: closing.signal,
    log: { info: () => undefined, warn: () => undefined },
    timer: {
      nowMs: () => nowMs,
      after: (ms, notify) => {
        const timer = { atMs: nowMs + ms, notify };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
  };

  /** Nobody may wait who could be worked on. */
  function checkPatience(): void {
    for (const item of ITEMS) {
      const row = rowOf(item);
      const isTaken = steps.some((one) => one.item === item) || takenAway.has(item);
      const isPossible = !isTaken && !isSlow && !isBroken && !isClosed && steps.length < CONCURRENCY;
      if (!isPossible || row.dueAtMs === null || row.dueAtMs > nowMs) row.sinceMs = null;
      else {
        row.sinceMs ??= nowMs;
        const limitMs = row.isKnown ? PACE.leastMs : PACE.mostMs + PACE.leastMs;
        if (nowMs - row.sinceMs > limitMs) fault(`${item} waits since ${row.sinceMs}`);
      }
    }
  }

  function wake(runner: Runner, item: string): void {
    const one: Wake = { item, seq: ++seq, isAnswered: false };
    wakes.push(one);
    void runner.run(item).then(() => {
      one.isAnswered = true;
      const answered = Math.max(begun.get(item) ?? 0, refused.get(item) ?? 0);
      if (answered < one.seq && !isClosed) fault(`the wake-up of ${item} was lost`);
    });
  }

  /** A step ends and leaves in its row when it goes on; null: never. */
  function end(index: number, outcome: { isFailed: boolean; inMs: number | null }): void {
    const [one] = steps.splice(index % Math.max(1, steps.length), 1);
    if (!one) return;
    const { item } = one;
    // What it has left undone stays due as it is.
    if (!outcome.isFailed) write(item, outcome.inMs === null ? null : nowMs + outcome.inMs, true);
    one.end(outcome.isFailed ? new Error('a step failed') : null);
  }

  async function pass(ms: number): Promise<void> {
    const untilMs = nowMs + ms;
    for (;;) {
      await settle();
      checkPatience();
      const [first] = [...timers].sort((one, other) => one.atMs - other.atMs);
      if (!first || first.atMs > untilMs || faults.length > 0) break;
      timers.delete(first);
      nowMs = Math.max(nowMs, first.atMs);
      first.notify();
    }
    nowMs = untilMs;
    checkPatience();
  }

  return {
    options,
    wake,
    look: (runner: Runner) => {
      looks++;
      void runner.look().catch(() => undefined);
    },
    end,
    pass,
    write: (item: string, inMs: number) => write(item, nowMs + inMs, false),
    slow: () => void (isSlow = true),
    answer: () => {
      isSlow = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
    breakDown: (isDown: boolean) => {
      isBroken = isDown;
      for (const row of rows.values()) row.isKnown = false;
    },
    takeAway: (item: string) => void takenAway.add(item),
    giveBack: () => {
      takenAway.clear();
      for (const row of rows.values()) row.isKnown = false;
    },
    close: () => {
      isClosed = true;
      closing.abort();
    },
    /** Everything that a test asks about at its end. */
    state: () => ({
      faults,
      isClosed,
      running: steps.length,
      open: ITEMS.filter((item) => rowOf(item).dueAtMs !== null),
      unanswered: wakes.filter(({ isAnswered }) => !isAnswered).length,
      held: held.size,
      timers: timers.size,
      putOffs,
    }),
  };
}

export type World = ReturnType<typeof createWorld>;

/** Everything that needs no time and no answer is done by then. */
export async function settle(ticks = 60): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
}
