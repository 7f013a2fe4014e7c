import { realTimer, type Timer } from './alarm.ts';
import { closeRedis, openRedis, REDIS_PREFIX, type RedisClient, type RedisTarget } from './connection.ts';
import { createOutage, type QueueLog } from './outage.ts';
import type { Count, RateLimits } from './rate-limiter.ts';

const EXCHANGE_EVERY_MS = 250;
/** More keys than that in 250 ms wait for the next exchange. */
const KEYS_MAX = 1_000;
/** A minute counts while it lasts and during the next one. */
const KEPT_SECONDS = 180;

export type RateExchange = { close: () => Promise<void> };

export type RateExchangeOptions = {
  target: RedisTarget;
  limits: Pick<RateLimits, 'takeUnsent'>;
  log: QueueLog;
  timer?: Timer;
};

/**
 * Tells the other processes four times a second what this one has counted, and learns what they have. Nothing that is
 * asked waits for it. So all processes together let through at most the limit, plus what each takes within one exchange;
 * without Redis each counts alone. Hosts whose clocks differ by minutes count apart.
 */
export function startRateExchange({ target, limits, log, timer = realTimer }: RateExchangeOptions): RateExchange {
  const outage = createOutage('rate limits', log);
  const redis = openRedis(target, 'producer', 'pennypost-limits', outage);
  let isClosed = false;
  let callOff = arm();

  function arm(): () => void {
    return timer.after(EXCHANGE_EVERY_MS, () => void next());
  }

  async function next(): Promise<void> {
    if (redis.status === 'ready') await exchange(redis, limits).catch(outage.began);
    if (!isClosed) callOff = arm();
  }

  return {
    close: async () => {
      isClosed = true;
      callOff();
      await closeRedis(redis);
    },
  };
}

/** One round trip, in one hash for each minute. */
async function exchange(redis: RedisClient, limits: Pick<RateLimits, 'takeUnsent'>): Promise<void> {
  const counts = limits.takeUnsent(KEYS_MAX);
  if (counts.length === 0) return;
  const pipeline = redis.pipeline();
  const unknown = counts.filter(({ sent, earlier }) => sent === 0 && earlier !== null);
  for (const count of counts) {
    pipeline.hincrby(keyOf(count.minute), count.field, count.own - count.sent);
    // Noted first: what may have arrived is not told twice. What is lost can only let a caller through.
    count.sent = count.own;
  }
  for (const { minute, field } of unknown) pipeline.hget(keyOf(minute - 1), field);
  for (const minute of new Set(counts.map((count) => count.minute))) pipeline.expire(keyOf(minute), KEPT_SECONDS);
  const answers = (await pipeline.exec()) ?? [];
  const failure = answers.find(([error]) => error !== null)?.[0];
  for (const [index, count] of counts.entries()) learn(count, answers[index]);
  for (const [index, { earlier }] of unknown.entries()) learn(earlier, answers[counts.length + index]);
  if (failure) throw failure;
}

/** Within a minute a total only grows; a flushed Redis has forgotten it, and we have not. */
function learn(count: Count | null, answer: readonly [error: Error | null, total: unknown] | undefined): void {
  const total = Number(answer?.[1] ?? 0);
  if (count !== null && Number.isSafeInteger(total)) count.others = Math.max(count.others, total - count.sent);
}

function keyOf(minute: number): string {
  return `${REDIS_PREFIX}:limits:${minute}`;
}
