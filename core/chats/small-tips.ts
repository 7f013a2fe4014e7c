import { microUsdc } from '../money.ts';

/** Who wants no message for each tip below this reads one line a day instead. */
export const SMALL_TIP_MICRO_USDC = microUsdc(100_000n);

const DAY_MS = 24 * 3_600_000;
/** A tip that was counted in the last moment is written by then, whatever the clocks of several workers say. */
export const SMALL_TIPS_GRACE_MS = 5 * 60_000;

/**
 * When the line is due that a tip of now counts in: the same time each day at which the person chose it, because nobody
 * knows their zone, and then they were awake.
 */
export function smallTipsDueMs(sinceMs: number, nowMs: number): number {
  const days = Math.max(0, Math.floor((nowMs - sinceMs) / DAY_MS)) + 1;
  return sinceMs + days * DAY_MS;
}
