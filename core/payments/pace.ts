/** What one look found: payments that wait for their first carrier, and how many this network has ever settled. */
export type QueueLook = { atMs: number; waiting: number; oldestMs: number | null; settled: number };

/** How fast a network settles, as far as looks have shown. */
export type Pace = {
  looks: readonly QueueLook[];
  /** Counts only what was seen while payments had to wait: with no queue, the rate is only that of the callers. */
  measured: { perSecond: number; atMs: number } | null;
  /** When the number of settled payments was last seen to grow. */
  movedAtMs: number;
};

export const NOTHING_SEEN: Pace = { looks: [], measured: null, movedAtMs: -Infinity };

/** Long enough that a block more or less in it does not change the rate much. */
const REMEMBERED_MS = 60_000;
/** With room in the carriers a payment leaves within two blocks; one that waits longer is waiting for others. */
const BUSY_AFTER_MS = 6_000;
/** What any installation is assumed to carry before a queue has shown it. */
const UNMEASURED_PER_SECOND = 30;
/** One payment that is stuck must not close a network that has nothing else to do. */
const LEAST_PER_SECOND = 1;
/** A low rate may come from an outage that is over: it counts twice as much after each of these times. */
const FORGIVEN_EVERY_MS = 30_000;
const MOVES_FOR_MS = 10_000;

export function afterLook({ looks, measured, movedAtMs }: Pace, look: QueueLook): Pace {
  const last = looks.at(-1);
  const isSame = last !== undefined && last.settled <= look.settled;
  const seen = [...(isSame ? looks.filter(({ atMs }) => look.atMs - atMs <= REMEMBERED_MS) : []), look];
  const isMoved = isSame && last.settled < look.settled;
  return { looks: seen, measured: measure(seen, look) ?? measured, movedAtMs: isMoved ? look.atMs : movedAtMs };
}

/**
 * Since the payment that waits longest came, there was always one to settle. Counted from a moment at which some had just
 * settled, as soon as there were a few: payments settle in blocks, and a block too many would promise too much.
 */
function measure(looks: readonly QueueLook[], { atMs, oldestMs, settled }: QueueLook): Pace['measured'] {
  if (oldestMs === null || atMs - oldestMs < BUSY_AFTER_MS) return null;
  const busy = looks.filter((look) => look.atMs >= oldestMs);
  const grown = busy.filter((look, index) => look.settled > (busy[index - 1] ?? look).settled);
  const first = grown.length > 2 ? grown[0] : busy[0];
  if (first === undefined || atMs - first.atMs < BUSY_AFTER_MS / 2) return null;
  return { perSecond: ((settled - first.settled) * 1_000) / (atMs - first.atMs), atMs };
}

export function settledPerSecond({ looks, measured }: Pace, nowMs: number): number {
  if (measured === null) return UNMEASURED_PER_SECOND;
  const { perSecond, atMs } = measured;
  const ageMs = nowMs - atMs - BUSY_AFTER_MS;
  const shown = Math.max(LEAST_PER_SECOND, perSecond);
  if (perSecond >= UNMEASURED_PER_SECOND || ageMs <= 0) return shown;
  const forgiven = shown * 2 ** (ageMs / FORGIVEN_EVERY_MS);
  return Math.min(UNMEASURED_PER_SECOND, Math.max(forgiven, rateOver(looks)));
}

/** It carries at least what callers have asked for. */
function rateOver(looks: readonly QueueLook[]): number {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || last.atMs === first.atMs) return 0;
  return ((last.settled - first.settled) * 1_000) / (last.atMs - first.atMs);
}

/** How long a payment that comes now waits before a carrier takes it. */
export function queueTimeMs(pace: Pace, ahead: number, nowMs: number): number {
  return ahead === 0 ? 0 : (ahead * 1_000) / settledPerSecond(pace, nowMs);
}

/** Whether payments do settle now, so that it makes sense to wait for one. */
export function isMoving({ movedAtMs }: Pace, nowMs: number): boolean {
  return nowMs - movedAtMs <= MOVES_FOR_MS;
}
