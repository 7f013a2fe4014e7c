import { AppError } from '../../core/errors.ts';

const RATE_OVER_MS = 5_000;
const RETRY_MAX_SECONDS = 60;

/** How much waits to begin, and how fast what waits begins. */
export type Pressure = {
  /** Something waits from now on; call the answer when it has begun, or has given up. */
  enter: () => (hasBegun: boolean) => void;
  /** What those who cannot wait any longer are told: nothing of theirs has begun. */
  overloaded: () => AppError;
};

export function createPressure(nowMs: () => number = () => performance.now()): Pressure {
  let waiting = 0;
  /** What has begun in this span of time, and in the one before it. */
  let span = { sinceMs: nowMs(), begun: 0 };
  let before = { forMs: 0, begun: 0 };

  function turnSpan(): void {
    const forMs = nowMs() - span.sinceMs;
    if (forMs < RATE_OVER_MS) return;
    before = { forMs, begun: span.begun };
    span = { sinceMs: nowMs(), begun: 0 };
  }

  function retryAfterSeconds(): number {
    turnSpan();
    const begun = before.begun + span.begun;
    if (begun === 0) return RETRY_MAX_SECONDS;
    const seconds = (before.forMs + nowMs() - span.sinceMs) / 1_000;
    return Math.min(RETRY_MAX_SECONDS, Math.max(1, Math.ceil((waiting * seconds) / begun)));
  }

  return {
    enter() {
      waiting += 1;
      let isOver = false;
      return (hasBegun) => {
        if (isOver) return;
        isOver = true;
        waiting -= 1;
        turnSpan();
        if (hasBegun) span.begun += 1;
      };
    },
    overloaded() {
      const detail = 'More requests wait than can be served in time. Nothing of this one was taken; try again later.';
      return new AppError('overloaded', { detail, retryAfterSeconds: retryAfterSeconds() });
    },
  };
}
