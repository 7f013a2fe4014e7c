/** Tells when a rush is over. */
export type RushWatch = { noteArrival: () => void; isQuiet: () => boolean };

/** A rush does not arrive in one piece, and work that begins between two of its pieces holds up the next. */
const QUIET_MS = 25;
/** After so many at once more are likely to follow, and nobody notices a moment more. */
const RUSH = { count: 20, quietMs: 150 };

export function createRushWatch(onQuiet: () => void, monotonicMs: () => number = () => performance.now()): RushWatch {
  let sinceQuiet = 0;
  let lastArrivalMs = 0;

  /** One timer for all: in a rush a new one for each would cost as much as its first word. */
  function watch(): void {
    const quietMs = sinceQuiet > RUSH.count ? RUSH.quietMs : QUIET_MS;
    const leftMs = lastArrivalMs + quietMs - monotonicMs();
    // In a busy process the timer fires before the network was polled, so what has arrived there goes first.
    if (leftMs > 0) setTimeout(() => setImmediate(watch), Math.ceil(leftMs));
    else {
      sinceQuiet = 0;
      onQuiet();
    }
  }

  return {
    isQuiet: () => sinceQuiet === 0,
    noteArrival() {
      lastArrivalMs = monotonicMs();
      sinceQuiet++;
      if (sinceQuiet === 1) watch();
    },
  };
}
