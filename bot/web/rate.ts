/** How often each visitor may do something, within one process. */
const WINDOW_MS = 60_000;
const VISITORS_MAX = 10_000;

export type Rate = { allows: (visitorId: string) => boolean };

export function createRate(countMax: number, now: () => number): Rate {
  let windowStart = 0;
  let counts = new Map<string, number>();
  return {
    allows(visitorId) {
      // One window for all, thrown away whole: nothing grows, and nobody has to be tidied up.
      if (now() - windowStart >= WINDOW_MS || counts.size > VISITORS_MAX) {
        windowStart = now();
        counts = new Map();
      }
      const count = (counts.get(visitorId) ?? 0) + 1;
      counts.set(visitorId, count);
      return count <= countMax;
    },
  };
}
