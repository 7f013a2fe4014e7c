import { AppError } from '../../core/errors.ts';
import type { RateLimiter } from '../../queue/rate-limiter.ts';

/** Throws AppError where the minute is used up. */
export function takeBudget(limiter: RateLimiter, key: string): void {
  if (limiter.allows(key)) return;
  throw new AppError('rate_limited', { retryAfterSeconds: limiter.retryAfterSeconds(key) });
}
