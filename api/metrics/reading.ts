export type Reading<T> = {
  /** The last reading, repeated when it is due; null before the first one and after a failure. */
  latest: () => Promise<T | null>;
  /** Starts no more readings, and resolves when none is under way. */
  close: () => Promise<void>;
};

type ReadingOptions<T> = {
  read: (closing: AbortSignal) => Promise<T>;
  /**
   * Rests this many times as long as reading took, so that a reading that grows with the books never takes a larger
   * share of the time.
   */
  restFactor: number;
  /** A caller waits no longer than this for a reading; it goes on, and the next caller gets it. */
  waitMs: number;
  monotonicMs: () => number;
  onFailure: (error: unknown) => void;
};

const KEPT_MS = 5_000;

/** A value read for all callers, one reading at a time. */
export function createReading<T>(options: ReadingOptions<T>): Reading<T> {
  const { read, restFactor, waitMs, monotonicMs, onFailure } = options;
  const closing = new AbortController();
  let last: T | null = null;
  let dueMs = -Infinity;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    const startedMs = monotonicMs();
    try {
      last = await read(closing.signal);
      dueMs = monotonicMs() + Math.max(KEPT_MS, restFactor * (monotonicMs() - startedMs));
    } catch (error) {
      last = null;
      // A failure may have taken long; its end should be noticed soon all the same.
      dueMs = monotonicMs() + KEPT_MS;
      if (!closing.signal.aborted) onFailure(error);
    }
  }

  return {
    latest: async () => {
      if (running === null && monotonicMs() >= dueMs && !closing.signal.aborted) {
        running = run().finally(() => {
          running = null;
        });
      }
      if (running !== null) await atMost(waitMs, running);
      return last;
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

async function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
