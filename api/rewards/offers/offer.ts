import { AppError } from '../../../core/errors.ts';
import type { Hub } from '../../../identity/hub/hub.ts';
import { createRateLimiter } from '../../limits/rate-limiter.ts';

/** Posts read at once by this process: each is many questions to somebody else's server, and its answers are held whole. */
const READINGS_MAX = 4;

/** So many of a day may an IP have that nobody has tried to pay; one who pays has no limit. */
const UNTRIED_MAX = 100;

export type Rewards = ReturnType<typeof createRewards>;

/**
 * What rewards need from outside: who engaged with a post. `perMinute` is for each IP, zero for no limit, nor one of the
 * day; callers with the bot's token are not counted.
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
