import { setTimeout as sleep } from 'node:timers/promises';

const DELAY_MAX_MS = 60;
/** A busy second with twenty arrivals makes each batch wait 20 ms. */
const DELAY_MS_PER_ARRIVAL = 1;
const QUIET_ARRIVALS_PER_SECOND = 5;
const HALF_LIFE_MS = 1_000;

/**
 * Delays a batch by how many payments arrive per second. A lone payment leaves at once; under load a few milliseconds
 * let many payments share a transaction, which makes each cheap.
 */
export function createBatchDelay(now: () => number) {
  let arrivalsPerSecond = 0;
  let lastMs = now();

  /** An arrival counts half as much with each second that passes. */
  function decay(): void {
    const passedMs = Math.max(0, now() - lastMs);
    arrivalsPerSecond *= 0.5 ** (passedMs / HALF_LIFE_MS);
    lastMs = now();
  }

  return {
    noteArrival(): void {
      decay();
      arrivalsPerSecond += 1;
    },
    async wait(): Promise<void> {
      decay();
      if (arrivalsPerSecond <= QUIET_ARRIVALS_PER_SECOND) return;
      await sleep(Math.min(DELAY_MAX_MS, arrivalsPerSecond * DELAY_MS_PER_ARRIVAL));
    },
  };
}
