import { AppError } from '../../../core/errors.ts';
import type { Hub } from '../../../identity/hub/hub.ts';
import { createRateLimiter } from '../../limits/rate-limiter.ts';

/** Posts read at once by this process: each takes many requests to a foreign server, and its answers are held whole. */
const READINGS_MAX = 4;

/** Distributions per IP and day without an attempt to pay; one that pays has no limit. */
const UNTRIED_MAX = 100;

export type Rewards = ReturnType<typeof createRewards>;

/**
 * What rewards need from outside: who engaged with a post. `perMinute` is for each IP; zero lifts it and the limit per
 * day. Callers with the bot's token are not counted.
 */
export function createRewards(
  hub: Pick<Hub, 'readEngagement' | 'describePeople'>,
  {
    perMinute,
    untriedMax = UNTRIED_MAX,
    now,
  }: { perMinute: number; untriedMax?: number | undefined; now: () => number },
) {
  let readings = 0;
  return {
    hub,
    /** Null: no limit. */
    untriedMax: perMinute === 0 ? null : untriedMax,
    creationLimiter: createRateLimiter(perMinute, now),
    /** Throws AppError `rate_limited` while too many posts are being read. */
    async reading<T>(read: () => Promise<T>): Promise<T> {
      if (readings >= READINGS_MAX) {
        throw new AppError('rate_limited', { detail: 'Other posts are being read right now.', retryAfterSeconds: 5 });
      }
      readings += 1;
      try {
        return await read();
      } finally {
        readings -= 1;
      }
    },
  };
}
