import { AppError } from '../../core/errors.ts';
import { hostOf } from '../../core/events/address.ts';
import type { RateLimiter } from '../../queue/rate-limiter.ts';
import type { ChallengeLimits } from '../environment/dependencies.ts';

/** Throws AppError where the minute is used up. */
export function takeBudget(limiter: RateLimiter, key: string): void {
  if (limiter.allows(key)) return;
  throw new AppError('rate_limited', { retryAfterSeconds: limiter.retryAfterSeconds(key) });
}

/** The caller's own share of a host comes first: a caller who has used it up takes nothing from the others. */
export function takeHost(
  { callerToHost, host, all }: Omit<ChallengeLimits, 'caller'>,
  caller: string,
  url: string,
): void {
  takeBudget(callerToHost, `${caller} ${hostOf(url)}`);
  takeBudget(host, hostOf(url));
  takeBudget(all, 'all');
}

export function takeChallenge(limits: ChallengeLimits, caller: string, url: string): void {
  takeBudget(limits.caller, caller);
  takeHost(limits, caller, url);
}
