import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { closeRedis, openRedis, REDIS_PREFIX, type RedisTarget } from './connection.ts';
import { createOutage, reasonOf, type QueueLog } from './outage.ts';

/** One Redis channel carries all announcements, so that a waiter costs an entry in a map and no subscription. */
const CARRIER = `${REDIS_PREFIX}:announce`;
const MESSAGE_MAX = 512;
const PUBLISHING_MAX = 1_000;
const TIMER_MAX_MS = 2 ** 31 - 1;

export type WaitResult = 'announced' | 'timeout' | 'aborted';

/**
 * "Something about <channel> changed", without saying what: listeners read the database. An announcement may be lost, so
 * each waiter also looks again after a while.
 */
export type Announcer = {
  /** Calls the listeners of this process before it returns, and tells the other processes if Redis is there. */
  announce: (channel: string) => void;
  /** Returns the function that unsubscribes. A listener that throws is logged and does not affect others. */
  subscribe: (channel: string, listener: () => void) => () => void;
  /** Call it before you read the row: earlier announcements are missed. Never rejects. */
  waitFor: (channel: string, timeoutMs: number, signal?: AbortSignal) => Promise<WaitResult>;
  /** All waiters get 'aborted'. */
  close: () => Promise<void>;
};

export function createAnnouncer({ target, log }: { target: RedisTarget | null; log: QueueLog }): Announcer {
  const local = createLocalAnnouncer(log);
  const remote = target === null ? null : startRelay(target, log, local.announce);
  let closed: Promise<void> | null = null;

  async function close(): Promise<void> {
    local.close();
    await remote?.close();
  }

  return {
    announce: (channel) => {
      local.announce(channel);
      if (closed === null) remote?.publish(channel);
    },
    subscribe: local.subscribe,
    waitFor: local.waitFor,
    close: () => (closed ??= close()),
  };
}

function createLocalAnnouncer(log: QueueLog) {
  // Each subscription is an object of its own: the same function may listen twice.
  const listeners = new Map<string, Set<{ hear: () => void }>>();
  const waiting = new Set<() => void>();
  let closed = false;

  function announce(channel: string): void {
    // A copy: a listener that subscribes again must not be called again by the same announcement.
    const now = [...(listeners.get(channel) ?? [])];
    for (const { hear } of now) {
      try {
        hear();
      } catch (error) {
        log.warn({ channel, reason: reasonOf(error) }, 'a listener failed');
      }
    }
  }

  function subscribe(channel: string, listener: () => void): () => void {
    if (closed) return () => undefined;
    const entry = { hear: listener };
    const entries = listeners.get(channel) ?? new Set();
    listeners.set(channel, entries.add(entry));
    return () => {
      entries.delete(entry);
      if (entries.size === 0 && listeners.get(channel) === entries) listeners.delete(channel);
    };
  }

  function waitFor(channel: string, timeoutMs: number, signal?: AbortSignal): Promise<WaitResult> {
    if (closed || signal?.aborted) return Promise.resolve('aborted');
    return new Promise((resolve) => {
      const abort = (): void => end('aborted');
      const timer = setTimeout(() => end('timeout'), Math.min(timeoutMs, TIMER_MAX_MS));
      const unsubscribe = subscribe(channel, () => end('announced'));
      waiting.add(abort);
      if (signal !== undefined) {
        // Thousands may wait under one signal. Each removes its listener, so Node's warning would be false.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', abort);
      }

      function end(result: WaitResult): void {
        clearTimeout(timer);
        unsubscribe();
        waiting.delete(abort);
        signal?.removeEventListener('abort', abort);
        resolve(result);
      }
    });
  }

  function close(): void {
    closed = true;
    for (const abort of waiting) abort();
    listeners.clear();
  }

  return { announce, subscribe, waitFor, close };
}

type Relay = { publish: (channel: string) => void; close: () => Promise<void> };

function startRelay(target: RedisTarget, log: QueueLog, deliver: (channel: string) => void): Relay {
  // Redis also sends a process its own messages; this token identifies them.
  const self = randomUUID();
  const outage = createOutage('announcer', log);
  const publisher = openRedis(target, 'producer', 'pennypost-announce', outage);
  const subscriber = openRedis(target, 'producer', 'pennypost-listen', outage);
  let publishing = 0;

  subscriber.on('ready', () => {
    subscriber.subscribe(CARRIER).catch(outage.began);
  });
  subscriber.on('message', (_carrier: string, message: string) => {
    const space = message.indexOf(' ');
    if (space < 1 || message.length > MESSAGE_MAX || message.slice(0, space) === self) return;
    deliver(message.slice(space + 1));
  });

  function publish(channel: string): void {
    if (publisher.status !== 'ready' || publishing >= PUBLISHING_MAX) return;
    publishing += 1;
    publisher
      .publish(CARRIER, `${self} ${channel}`)
      .catch(outage.began)
      .finally(() => {
        publishing -= 1;
      });
  }

  async function close(): Promise<void> {
    await Promise.all([closeRedis(publisher), closeRedis(subscriber)]);
  }

  return { publish, close };
}
