import { AppError } from '../../../core/errors.ts';
import type { Hub } from '../../../identity/hub/hub.ts';
import type { RateLimiter } from '../../../queue/rate-limiter.ts';

/** Posts read at once by this process: each takes many requests to a foreign server, and its answers are held whole. */
const READINGS_MAX = 4;

export type Rewards = ReturnType<typeof createRewards>;

/** What rewards need from outside: who engaged with a post. Callers with the bot's token are not counted. */
export function createRewards(
  hub: Pick<Hub, 'readEngagement' | 'describePeople'>,
  limits: {
    /** Per IP. */
    creationLimiter: RateLimiter;
    /** Distributions per IP and day without an attempt to pay; null: no limit. */
    untriedMax: number | null;
  },
) {
  let readings = 0;
  return {
    hub,
    ...limits,
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
