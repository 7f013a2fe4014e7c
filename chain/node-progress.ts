/** No chain of ours goes this long without a block. */
const STUCK_MS = 30_000;
/** A newest block that is older than this is old: its node has not caught up with its chain, or our clock is wrong. */
const OLD_MS = 60_000;
/** Our clock may be wrong by minutes, but not by this many. */
const FAR_MS = 15 * 60_000;
/** Blocks come in bursts; over this long they do not. */
const PACE_SPAN_MS = 8_000;
/** A node slower than this share of its chain's pace stands still or nearly so. */
const PACE_LEAST = 0.5;
/** After this long at that pace it will not catch up any more. */
const SLOW_MS = 2 * PACE_SPAN_MS;
/** Faster than any chain makes blocks: the node is reading old ones. */
const PACE_COMING = 3;

/** How far a node has come, and since when it has stood still there; null: it moves. */
export function createMoves(now: () => number) {
  let newest = { height: -1, atMs: now() };
  return {
    note(height: number): void {
      if (height > newest.height) newest = { height, atMs: now() };
    },
    height: (): number => newest.height,
    stillSinceMs: (): number | null => (now() - newest.atMs >= STUCK_MS ? newest.atMs : null),
  };
}

/**
 * `up`: at the end of its chain, or a minute below it at most. `coming`: it reads old blocks. `old`: either of them, which shows
 * in some seconds. `slow`: old, and falling further behind. `far`: so old that no clock explains it, at whatever pace it moves.
 * `unknown`: the node does not say, from which nothing follows.
 */
export type Place = 'up' | 'coming' | 'old' | 'slow' | 'far' | 'unknown';

type Placed = {
  now: () => number;
  wallNow: () => number;
  /** When the newest block was made, as the chain has it. */
  timeMsOf: () => Promise<number>;
};

/**
 * Where a node is that is below another. Only the node itself is asked, so that no other can claim it is behind; and a node at the
 * end of its chain moves as time does, with our clock minutes wrong.
 */
export function createPlace({ now, wallNow, timeMsOf }: Placed): () => Promise<Place> {
  const timesOf = createPace(now);
  let slowSinceMs: number | null = null;
  return async () => {
    const timeMs = await timeMsOf().catch(() => Number.NaN);
    if (!Number.isFinite(timeMs)) return 'unknown';
    const times = timesOf(timeMs);
    const ageMs = wallNow() - timeMs;
    const isSlow = ageMs > OLD_MS && times !== null && times < PACE_LEAST;
    slowSinceMs = isSlow ? (slowSinceMs ?? now()) : null;
    if (ageMs <= OLD_MS) return 'up';
    if (ageMs > FAR_MS) return 'far';
    if (slowSinceMs !== null && now() - slowSinceMs > SLOW_MS) return 'slow';
    if (times === null || isSlow) return 'old';
    return times < PACE_COMING ? 'up' : 'coming';
  };
}

/** How fast the newest block moves through the chain's time; 1: as time does. Null: not watched for long enough. */
function createPace(now: () => number) {
  let looks: { timeMs: number; atMs: number }[] = [];
  return (timeMs: number): number | null => {
    const atMs = now();
    const kept = looks.filter((look) => atMs - look.atMs <= 2 * PACE_SPAN_MS);
    // The last look before the span is the one to measure from.
    const start = kept.findLastIndex((look) => atMs - look.atMs >= PACE_SPAN_MS);
    looks = [...kept.slice(Math.max(0, start)), { timeMs, atMs }];
    const [oldest] = kept.slice(Math.max(0, start));
    if (oldest === undefined || start === -1) return null;
    return (timeMs - oldest.timeMs) / (atMs - oldest.atMs);
  };
}
