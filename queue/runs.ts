import type { QueueLog } from './outage.ts';

/** The right to work on an item; null: another process has it. */
export type Lease = (item: string) => Promise<{ release: () => Promise<void> } | null>;

/** Within one process nothing else holds an item: `createRuns` itself works on it once at a time. */
const leaseInProcess: Lease = async () => ({ release: async () => undefined });

export type RunsOptions = {
  /** For the log. */
  name: string;
  /** Carries an item as far as possible now, and writes its next time to its row. It may run twice. */
  step: (item: string) => Promise<void>;
  /** A step has thrown: logs it and moves the item behind the others, because it may throw each time. */
  putOff: (item: string, error: unknown) => Promise<void>;
  lease?: Lease | undefined;
  /** Once aborted no step begins, and an interrupted one is not put off: the next process continues it. */
  closing: AbortSignal;
  log: QueueLog;
};

export type Runs = {
  /**
   * Works on this item now, or once more after the step under way, which may have read its row too early. Resolves when
   * that is done; never rejects.
   */
  run: (item: string) => Promise<void>;
  /** For an item that a look found: a step under way needs no second run. */
  take: (item: string) => Promise<void>;
  items: () => string[];
  size: () => number;
  idle: () => Promise<void>;
};

/** Works on each item once at a time, and loses no wake-up. `onEnd` is called when the work on an item ends. */
export function createRuns(options: RunsOptions, onEnd: () => void): Runs {
  const { name, step, putOff, lease = leaseInProcess, closing, log } = options;
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();

  async function runOnce(item: string): Promise<void> {
    const held = await lease(item);
    if (held === null) return;
    // This step serves all calls until now; later calls get another one.
    again.delete(item);
    try {
      if (!closing.aborted) await step(item);
    } catch (error) {
      if (!closing.aborted) await putOff(item, error);
    } finally {
      await held.release();
    }
  }

  async function runAll(item: string): Promise<void> {
    do {
      again.delete(item);
      await runOnce(item).catch((error: unknown) => {
        if (!closing.aborted) log.warn({ runner: name, item, error: String(error) }, 'neither done nor put off');
      });
    } while (again.has(item) && !closing.aborted);
    // In the same turn as the last check of `again`: a later wake-up must find nothing running.
    running.delete(item);
    onEnd();
  }

  function take(item: string): Promise<void> {
    const known = running.get(item);
    if (known) return known;
    if (closing.aborted) return Promise.resolve();
    const work = runAll(item);
    running.set(item, work);
    return work;
  }

  return {
    run(item) {
      if (running.has(item)) again.add(item);
      return take(item);
    },
    take,
    items: () => [...running.keys()],
    size: () => running.size,
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
