import { Misconfigured } from '../../core/config/misconfigured.ts';
import type { Logger } from 'pino';
import { randomBytes } from 'node:crypto';
import { createIds } from '../../core/ids.ts';
import { postOnce } from '../../db/chats/chat.ts';
import type { Store } from '../../db/store/store.ts';
import { createAnnouncer } from '../../queue/announcer.ts';
import { startWakeUpWorker } from '../../queue/wake-up-worker.ts';
import { checkRedis, type RedisVerdict, type Stamp } from '../../queue/check.ts';
import type { RedisTarget } from '../../queue/connection.ts';
import { createNotifier } from '../../queue/notifier.ts';
import type { QueueLog } from '../../queue/outage.ts';
import { startRateExchange } from '../../queue/rate-exchange.ts';
import { createRateLimits, type RateLimits } from '../../queue/rate-limiter.ts';
import type { ChatSender } from '../../worker/chat/sender.ts';
import type { WakeUp } from '../../queue/wake-up.ts';
import type { Waits } from '../readiness/waits.ts';

export type QueueOptions = {
  target: RedisTarget;
  stamp: Stamp;
  log: Logger;
  runsWorker: boolean;
  onWakeUp: (wakeUp: WakeUp) => Promise<void>;
  waits: Waits;
};

export type QueueConnection = {
  notify: (items: readonly { id: number; topic: string }[]) => boolean;
  announce: (channel: string) => void;
  subscribe: (channel: string, listener: () => void) => () => void;
  /** True when the channel was announced before the time was over. */
  waitFor: (channel: string, timeoutMs: number, signal?: AbortSignal) => Promise<boolean>;
  answers: () => Promise<boolean>;
  /** How often a caller may ask, counted over all processes. */
  limits: Pick<RateLimits, 'perMinute'>;
  /** Posts into chats that are stored in the database. */
  webSender: (store: Store, now: () => number) => ChatSender;
  close: () => Promise<void>;
};

/** Announced when the messages of tips have news. */
export const ORDERS_CHANNEL = 'orders';

const BELL_CONCURRENCY = 50;
const ANSWER_LASTS_MS = 5_000;

/**
 * Everything that goes over Redis. Without Redis it all still works, only slower, because the database is the truth; so a
 * Redis that is away delays no start.
 */
export async function connectQueue({
  target,
  stamp,
  log,
  runsWorker,
  onWakeUp,
  waits,
}: QueueOptions): Promise<QueueConnection> {
  await checkAtStart({ target, stamp, log, waits });
  const announcer = createAnnouncer({ target, log });
  const notifier = createNotifier({ target, log });
  const wakeUps = runsWorker ? startWakeUpWorker({ target, concurrency: BELL_CONCURRENCY, onWakeUp, log }) : null;
  const limits = createRateLimits(() => Date.now());
  const rates = startRateExchange({ target, limits, log });
  const ids = createIds(randomBytes);

  return {
    notify: (items) => {
      notifier.notify(items);
      return true;
    },
    announce: announcer.announce,
    subscribe: announcer.subscribe,
    waitFor: async (channel, timeoutMs, signal) =>
      (await announcer.waitFor(channel, timeoutMs, signal)) === 'announced',
    limits,
    answers: rarely(async () => (await checkRedis({ target, stamp, log: UNTOLD })) !== 'away'),
    webSender: (store, now) => ({
      post: async ({ chatId, onceKey, view }) => {
        await postOnce(store, { chatId, onceKey, view, id: ids.slug(), author: 'bot', nowMs: now() });
        announcer.announce(`chat:${chatId}`);
      },
    }),
    close: async () => {
      await wakeUps?.close();
      await rates.close();
      await notifier.close();
      await announcer.close();
    },
  };
}

/** A wrong Redis ends the start. One that comes later is only reported, since all roles serve by then. */
async function checkAtStart({ target, stamp, log, waits }: Pick<QueueOptions, 'target' | 'stamp' | 'log' | 'waits'>) {
  const check = async (): Promise<RedisVerdict> => {
    const verdict = await checkRedis({ target, stamp, log: UNTOLD });
    if (verdict === 'away') throw new Error('no answer; until then work is found by looking for it');
    return verdict;
  };
  const tell = (verdict: RedisVerdict): void => {
    if (verdict === 'unsure') log.warn(UNSURE);
  };
  const first = await check().catch((error: unknown) => {
    if (error instanceof Misconfigured) throw error;
    return null;
  });
  if (first !== null) return tell(first);
  waits.until('Redis', check).then(tell, (error: unknown) => {
    if (!(error instanceof Misconfigured)) return;
    log.error({ err: error }, 'the Redis at REDIS_URL is not ours, or may lose wake-ups');
  });
}

/** Each try is a connection of its own and would tell the same again; what waits for Redis tells it. */
const UNTOLD: QueueLog = { info: () => undefined, warn: () => undefined };

const UNSURE =
  'Redis refuses INFO and CONFIG GET, so its maxmemory-policy is not known: make sure that it is noeviction, or wake-ups get lost and payments take longer.';

/**
 * A health probe must not open a connection each time, so one question runs at a time and its answer counts for a
 * while.
 */
function rarely(ask: () => Promise<boolean>): () => Promise<boolean> {
  let askedMs = -Infinity;
  let answer: Promise<boolean> = Promise.resolve(false);
  return () => {
    if (performance.now() - askedMs >= ANSWER_LASTS_MS) {
      askedMs = performance.now();
      answer = ask().catch(() => false);
    }
    return answer;
  };
}
