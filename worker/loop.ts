import type { Logger } from 'pino';

export type Loop = {
  /** Runs the step soon; a wake during a step makes it run once more. */
  wake: () => void;
  /** Resolves when the running step has ended; no further one starts. */
  close: () => Promise<void>;
};

/**
 * Runs one step after another, never two at a time: when woken, and at the latest after `everyMs`. A step that throws
 * is logged and tried again; the pause grows while it keeps failing, and one line is written per change.
 */
export function startLoop(options: { name: string; everyMs: number; step: () => Promise<void>; log: Logger }): Loop {
  const { name, everyMs, step, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let wokenAgain = false;
  let closed = false;
  let failures = 0;

  function schedule(delayMs: number): void {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(run, delayMs);
  }

  function run(): void {
    if (running !== null || closed) return;
    wokenAgain = false;
    running = attempt().finally(() => {
      running = null;
      const pause = failures === 0 ? everyMs : Math.min(everyMs * 2 ** failures, 10_000);
      schedule(wokenAgain && failures === 0 ? 0 : pause);
    });
  }

  async function attempt(): Promise<void> {
    try {
      await step();
      if (failures > 0) log.info({ loop: name, failures }, 'works again');
      failures = 0;
    } catch (error) {
      failures = Math.min(failures + 1, 8);
      if (failures === 1) log.warn({ loop: name, err: error }, 'step failed; it is tried again');
    }
  }

  schedule(0);
  return {
    wake: () => {
      wokenAgain = true;
      if (running === null && failures === 0) schedule(0);
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
