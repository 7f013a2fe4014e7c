import { Worker, type Job } from 'bullmq';
import { WAKE_UP_QUEUE, parseWakeUp, type WakeUp } from './wake-up.ts';
import { closeRedis, openRedis, REDIS_PREFIX, type RedisClient, type RedisTarget } from './connection.ts';
import { waitAtMost } from './deadline.ts';
import { createOutage, reasonOf, type QueueLog } from './outage.ts';

/** How long `close` lets running wake-ups finish before it leaves them behind. */
const GRACE_MS = 10_000;
const REDIS_LIMIT_MS = 1_000;
const LOCK_MS = 10_000;

export type WakeUpWorkerOptions = {
  target: RedisTarget;
  concurrency: number;
  /**
   * Reads the row and does what it says, or looks at all that is due. A wake-up may come twice or late, so the rows
   * decide. An error is logged and dropped: the database holds whether and when there is another try.
   */
  onWakeUp: (wakeUp: WakeUp) => Promise<void>;
  log: QueueLog;
  graceMs?: number;
};

export type WakeUpWorker = {
  /** Takes no new wake-up, lets running ones finish for `graceMs`, then cuts the connections. Always ends. */
  close: () => Promise<void>;
};

type Running = { ended: Promise<void>; abandon: () => void };

export function startWakeUpWorker({ target, concurrency, onWakeUp, log, graceMs }: WakeUpWorkerOptions): WakeUpWorker {
  const outage = createOutage('wake-up worker', log);
  const opened: RedisClient[] = [];
  const running = new Set<Running>();
  let closed: Promise<void> | null = null;

  function open(name: string): RedisClient {
    const redis = openRedis(target, 'worker', name, outage);
    opened.push(redis);
    return redis;
  }

  // BullMQ duplicates its connection for the blocking call and would hide the copy. Made here, the copy can be watched,
  // and cut when a hung server does not answer.
  const connection = Object.assign(open('pennypost-wake-ups'), { duplicate: () => open('pennypost-wake-ups-wait') });
  const worker = new Worker(WAKE_UP_QUEUE, (job) => run(job, onWakeUp, log, running), {
    connection,
    prefix: REDIS_PREFIX,
    skipVersionCheck: true,
    concurrency,
    // After a refused call: short, so that a restarted Redis is used again at once.
    runRetryDelay: 1_000,
    // A wake-up of a dead worker keeps its id until its lock has expired and a worker has looked: 20 s at most.
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS,
  });
  worker.on('error', (error) => {
    // A numeric code is about one job, not an outage: after a reconnect the end of a wake-up may be reported twice.
    const isAboutOneJob = 'code' in error && typeof error.code === 'number';
    if (isAboutOneJob) log.info({ reason: error.message }, 'a wake-up had ended before');
    else outage.began(error);
  });
  worker.on('active', outage.ended);

  async function close(): Promise<void> {
    const stopped = worker.close();
    await waitAtMost(Promise.all([...running].map((wakeUp) => wakeUp.ended)), graceMs ?? GRACE_MS);
    await waitAtMost(stopped, REDIS_LIMIT_MS);
    // Cut before it is abandoned, so that an unfinished wake-up is not reported as done. Another worker gets it when
    // its
    // lock has expired.
    await Promise.all(opened.map(closeRedis));
    for (const wakeUp of running) wakeUp.abandon();
    await waitAtMost(stopped, REDIS_LIMIT_MS);
  }

  return { close: () => (closed ??= close()) };
}

async function run(
  job: Job,
  onWakeUp: WakeUpWorkerOptions['onWakeUp'],
  log: QueueLog,
  running: Set<Running>,
): Promise<void> {
  let abandon = (): void => undefined;
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const wakeUp = { ended: answer(job, onWakeUp, log), abandon };
  running.add(wakeUp);
  await Promise.race([wakeUp.ended, abandoned]);
  running.delete(wakeUp);
}

async function answer(job: Job, onWakeUp: WakeUpWorkerOptions['onWakeUp'], log: QueueLog): Promise<void> {
  const wakeUp = parseWakeUp({ name: job.name, data: job.data });
  if (wakeUp === null) {
    log.warn({ jobId: job.id }, 'a wake-up of unknown form was dropped');
    return;
  }
  try {
    await onWakeUp(wakeUp);
  } catch (error) {
    const reason = reasonOf(error);
    log.warn({ outboxId: wakeUp.id, topic: wakeUp.topic, reason }, 'a wake-up failed and is dropped; its row decides');
  }
}
