import type { QueueLog } from './outage.ts';

/** The right to work on an item; null: another process has it. */
export type Lease = (item: string) => Promise<{ release: () => Promise<void> } | null>;

/** Within one process nothing else holds an item: `createRuns` itself works on it once at a time. */
const leaseInProcess: Lease = async () => ({ release: async () => undefined });

export type RunsOptions = {
  /** For the log. */
  name: string;
  /** Carries an item as far as it goes now, and leaves in its row when it goes on. It may run twice. */
  step: (item: string) => Promise<void>;
  /** A step has thrown: logs it, and moves the item behind the others, because it may throw each time. */
  putOff: (item: string, error: unknown) => Promise<void>;
  lease?: Lease | undefined;
  /** Once aborted no step begins, and one that this interrupts is not put off: the next process goes on with it. */
  closing: AbortSignal;
  log: QueueLog;
};

export type Runs = {
  /**
   * Works on this item now, or, where a step is under way, once more after it: that step may have looked before there was
   * something to do. Resolves when that is done; never rejects.
   */
  run: (item: string) => Promise<void>;
  /** For one that was found and not asked for: a step that is under way sees by itself what there is to do. */
  take: (item: string) => Promise<void>;
  items: () => string[];
  size: () => number;
  idle: () => Promise<void>;
};

/** Works on each item once at a time, and loses no wake-up. `onEnd` is called when an item is let go. */
export function createRuns(options: RunsOptions, onEnd: () => void): Runs {
  const { name, step, putOff, lease = leaseInProcess, closing, log } = options;
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();

  async function runOnce(item: string): Promise<void> {
    const held = await lease(item);
    if (held === null) return;
    // Who has asked until now is answered by this step, who asks from here on by another one.
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
    // In the same moment as the last look at `again`: a wake-up after it must find nothing running.
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
