import { setImmediate, setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { WAKE_UP_JOB, WAKE_UP_QUEUE, toJob, type WakeUp } from './wake-up.ts';
import { closeRedis, openRedis, REDIS_PREFIX, type RedisTarget } from './connection.ts';
import { waitAtMost, within } from './deadline.ts';
import { createOutage, type QueueLog } from './outage.ts';

/** Enough for a restart of Redis. After a longer outage the sweep has found the rows already. */
export const BACKLOG_MAX = 2_000;
const BATCH_MAX = 500;
const SEND_LIMIT_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;
const CLOSE_LIMIT_MS = 2_500;

export type Notifier = {
  /**
   * Wakes a worker for each row. Call it after the commit that wrote the rows. It never throws and never waits;
   * a wake-up that finds no Redis may be dropped, because the sweep of the outbox finds the row anyway.
   */
  notify: (items: readonly WakeUp[]) => void;
  /** Sends what is left if Redis answers, then closes; at most about four seconds. */
  close: () => Promise<void>;
};

export function createNotifier({ target, log }: { target: RedisTarget; log: QueueLog }): Notifier {
  const outage = createOutage('notifier', log);
  const redis = openRedis(target, 'producer', 'pennypost-notifier', outage);
  // Without the version check the first connection sends nothing: if that call were lost, this queue would stay broken.
  const options = { prefix: REDIS_PREFIX, skipVersionCheck: true, defaultJobOptions: WAKE_UP_JOB };
  const queue = new Queue(WAKE_UP_QUEUE, { connection: redis, ...options });
  const backlog = createBacklog();
  const closing = new AbortController();
  let sending: Promise<void> | null = null;
  let closed: Promise<void> | null = null;

  queue.on('error', outage.began);
  redis.on('ready', wake);

  function notify(items: readonly WakeUp[]): void {
    if (closed !== null) return;
    backlog.keep(items);
    wake();
  }

  function wake(): void {
    if (redis.status !== 'ready') return;
    sending ??= sendBacklog();
  }

  async function sendBacklog(): Promise<void> {
    // Whatever else is notified in this turn of the event loop goes into the same batch.
    await setImmediate();
    while (backlog.size() > 0 && redis.status === 'ready' && (await sendBatch(backlog.take(BATCH_MAX))));
    // In the same step as the last look at the backlog: a notify after it must find nobody sending.
    sending = null;
  }

  // One batch is on its way at a time: a hung server then costs one batch of memory, not one a call.
  async function sendBatch(batch: WakeUp[]): Promise<boolean> {
    try {
      await within(queue.addBulk(batch.map(toJob)), SEND_LIMIT_MS);
      tellDropped();
      return true;
    } catch (error) {
      outage.began(error);
      // Some of it may have arrived; a second wake-up is harmless.
      backlog.keep(batch);
      await setTimeout(PAUSE_AFTER_FAILURE_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      return !closing.signal.aborted;
    }
  }

  function tellDropped(): void {
    outage.ended();
    const dropped = backlog.takeDropped();
    if (dropped > 0) log.warn({ dropped }, 'wake-ups were dropped while Redis was away; the sweep finds their rows');
  }

  async function close(): Promise<void> {
    closing.abort();
    if (sending !== null) await waitAtMost(sending, CLOSE_LIMIT_MS);
    await waitAtMost(queue.close(), CLOSE_LIMIT_MS);
    await closeRedis(redis);
  }

  return { notify, close: () => (closed ??= close()) };
}

/** Wake-ups that wait for Redis, one per id, oldest first. Those that do not fit are counted and dropped. */
function createBacklog() {
  const topics = new Map<number, string>();
  let dropped = 0;

  function keep(wakeUps: readonly WakeUp[]): void {
    for (const { id, topic } of wakeUps) {
      if (topics.size < BACKLOG_MAX || topics.has(id)) topics.set(id, topic);
      else dropped += 1;
    }
  }

  function take(count: number): WakeUp[] {
    const wakeUps: WakeUp[] = [];
    for (const [id, topic] of topics) {
      if (wakeUps.length === count) break;
      wakeUps.push({ id, topic });
      topics.delete(id);
    }
    return wakeUps;
  }

  function takeDropped(): number {
    const count = dropped;
    dropped = 0;
    return count;
  }

  return { keep, take, takeDropped, size: () => topics.size };
}
