/** Keys remembered at most. Beyond it the oldest are forgotten, which can only let a caller through. */
const KEYS_MAX = 100_000;
const MINUTE_MS = 60_000;

export type RateLimiter = {
  /** Counts one request of this key; false when its minute is used up. */
  allows: (key: string) => boolean;
  /** Seconds until the current minute is over. */
  retryAfterSeconds: () => number;
};

/**
 * At most `perMinute` requests a key in any minute, judged by this minute's count plus the share of the last one that
 * still lies within sixty seconds. Zero switches it off.
 */
export function createRateLimiter(perMinute: number, now: () => number): RateLimiter {
  let minute = Math.floor(now() / MINUTE_MS);
  let current = new Map<string, number>();
  let previous = new Map<string, number>();

  function turn(): void {
    const today = Math.floor(now() / MINUTE_MS);
    if (today === minute) return;
    previous = today === minute + 1 ? current : new Map<string, number>();
    current = new Map<string, number>();
    minute = today;
  }

  return {
    allows(key) {
      if (perMinute === 0) return true;
      turn();
      const shareLeft = 1 - (now() % MINUTE_MS) / MINUTE_MS;
      const used = (current.get(key) ?? 0) + (previous.get(key) ?? 0) * shareLeft;
      if (used + 1 > perMinute) return false;
      current.set(key, (current.get(key) ?? 0) + 1);
      if (current.size > KEYS_MAX) current.delete(current.keys().next().value ?? key);
      return true;
    },
    retryAfterSeconds: () => Math.max(1, Math.ceil((MINUTE_MS - (now() % MINUTE_MS)) / 1000)),
  };
}
