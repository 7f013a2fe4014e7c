import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MAX_MS = 60;
const QUIET_PER_SECOND = 5;
const HALF_LIFE_MS = 1_000;

/**
 * How long arrivals are gathered before a batch is composed. A lone payment is sent at once; under load a few
 * milliseconds of waiting let many share a transaction, which is what makes them cheap.
 */
export function createWindow(now: () => number) {
  let rate = 0;
  let lastMs = now();

  /** Arrivals per second, older ones counting half for every second that has passed. */
  function decay(): void {
    const passed = Math.max(0, now() - lastMs);
    rate *= 0.5 ** (passed / HALF_LIFE_MS);
    lastMs = now();
  }

  return {
    arrived(): void {
      decay();
      rate += 1;
    },
    async gather(): Promise<void> {
      decay();
      if (rate > QUIET_PER_SECOND) await sleep(Math.min(WINDOW_MAX_MS, rate));
    },
  };
}
