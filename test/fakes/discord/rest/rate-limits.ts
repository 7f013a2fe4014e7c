import { createHash } from 'node:crypto';
import { BUCKETS, type BucketName, type Settings } from '../settings.ts';

type Window = { used: number; resetAt: number };

export type Limited = { retryAfterMs: number; isGlobal: boolean };

/**
 * Counts requests in windows that begin with their first request, per bucket and owner (channel, guild or token), and
 * all of the bot's together per second.
 */
export type RateLimits = {
  /** Counts a request, or says how long it has to wait. */
  take: (bucket: BucketName | null, owner: string, countsGlobally: boolean) => Limited | null;
  headers: (bucket: BucketName | null, owner: string) => Record<string, string>;
};

export function createRateLimits(settings: Settings): RateLimits {
  const windows = new Map<string, Window>();

  const windowOf = (key: string, windowMs: number): Window => {
    const now = settings.now();
    const found = windows.get(key);
    if (found && found.resetAt > now) return found;
    const fresh = { used: 0, resetAt: now + windowMs };
    windows.set(key, fresh);
    return fresh;
  };
  const limitOf = (bucket: BucketName) => settings.buckets[bucket] ?? BUCKETS[bucket];

  return {
    take: (bucket, owner, countsGlobally) => {
      const all = countsGlobally ? windowOf('global', 1_000) : null;
      const own = bucket === null ? null : windowOf(`${bucket}:${owner}`, limitOf(bucket).windowMs);
      if (settings.rateLimits === 'on') {
        if (all !== null && all.used >= settings.globalPerSecond) {
          return { retryAfterMs: all.resetAt - settings.now(), isGlobal: true };
        }
        if (bucket !== null && own !== null && own.used >= limitOf(bucket).requests) {
          return { retryAfterMs: own.resetAt - settings.now(), isGlobal: false };
        }
      }
      if (all !== null) all.used += 1;
      if (own !== null) own.used += 1;
      return null;
    },
    headers: (bucket, owner): Record<string, string> => {
      if (bucket === null) return {};
      const limit = limitOf(bucket);
      const { used, resetAt } = windowOf(`${bucket}:${owner}`, limit.windowMs);
      // Without limits a client must not hold itself back either.
      const most = settings.rateLimits === 'on' ? limit.requests : 1_000_000;
      return {
        'x-ratelimit-limit': String(most),
        'x-ratelimit-remaining': String(Math.max(0, most - used)),
        'x-ratelimit-reset': (resetAt / 1000).toFixed(3),
        'x-ratelimit-reset-after': ((resetAt - settings.now()) / 1000).toFixed(3),
        'x-ratelimit-bucket': createHash('sha256').update(bucket).digest('hex').slice(0, 32),
      };
    },
  };
}
