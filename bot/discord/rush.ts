/** Knows whether a rush is over. */
export type Calm = { stir: () => void; isCalm: () => boolean };

/** A rush does not arrive in one piece, and work that begins between two of its pieces holds up the next. */
const CALM_MS = 25;
/** After so many at once more are likely to be on their way, and a moment more is lost on nobody. */
const RUSH = { count: 20, calmMs: 150 };

export function createRushWatch(onCalm: () => void, monotonicMs: () => number = () => performance.now()): Calm {
  let sinceCalm = 0;
  let stirredAtMs = 0;

  /** One timer for all: in a rush a new one for each would cost as much as its first word. */
  function watch(): void {
    const calmMs = sinceCalm > RUSH.count ? RUSH.calmMs : CALM_MS;
    const leftMs = stirredAtMs + calmMs - monotonicMs();
    // In a busy process the time is over before the network was looked at: what waits there comes first.
    if (leftMs > 0) setTimeout(() => setImmediate(watch), Math.ceil(leftMs));
    else {
      sinceCalm = 0;
      onCalm();
    }
  }

  return {
    isCalm: () => sinceCalm === 0,
    stir() {
      stirredAtMs = monotonicMs();
      sinceCalm++;
      if (sinceCalm === 1) watch();
    },
  };
}
