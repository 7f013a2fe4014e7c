import { Worker, type Job } from 'bullmq';
import { BELL_QUEUE, parseBell, type Bell } from './bell.ts';
import { closeRedis, openRedis, REDIS_PREFIX, type RedisClient, type RedisTarget } from './connection.ts';
import { waitAtMost } from './deadline.ts';
import { createOutage, reasonOf, type QueueLog } from './outage.ts';

/** How long `close` lets running bells finish before it leaves them behind. */
const GRACE_MS = 10_000;
const REDIS_LIMIT_MS = 1_000;
const LOCK_MS = 10_000;

export type BellWorkerOptions = {
  target: RedisTarget;
  concurrency: number;
  /**
   * Looks at the row and does what it says. The same bell may come twice and may come late, so the row decides. What it
   * throws is logged and forgotten: whether and when there is another try is written in the database.
   */
  onBell: (bell: Bell) => Promise<void>;
  log: QueueLog;
  graceMs?: number;
};

export type BellWorker = {
  /** Takes no new bell, lets running ones finish for `graceMs`, then cuts the connections. Always ends. */
  close: () => Promise<void>;
};

type Running = { ended: Promise<void>; abandon: () => void };

export function startBellWorker({ target, concurrency, onBell, log, graceMs }: BellWorkerOptions): BellWorker {
  const outage = createOutage('bell worker', log);
  const opened: RedisClient[] = [];
  const running = new Set<Running>();
  let closed: Promise<void> | null = null;

  function open(name: string): RedisClient {
    const redis = openRedis(target, 'worker', name, outage);
    opened.push(redis);
    return redis;
  }

  // BullMQ duplicates its connection for the blocking call and would keep the copy to itself. Made here, the copy can be
  // watched, and cut when a hung server answers no farewell.
  const connection = Object.assign(open('pennypost-bells'), { duplicate: () => open('pennypost-bells-wait') });
  const worker = new Worker(BELL_QUEUE, (job) => run(job, onBell, log, running), {
    connection,
    prefix: REDIS_PREFIX,
    skipVersionCheck: true,
    concurrency,
    // After a refused call: soon enough that a restarted Redis is used again at once.
    runRetryDelay: 1_000,
    // A bell whose worker died keeps its id taken until its lock has expired and somebody looked: 20 s at most.
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS,
  });
  worker.on('error', (error) => {
    // A number is BullMQ's word on one job, not an outage: after a reconnect the end of a bell may be reported twice.
    const isAboutOneJob = 'code' in error && typeof error.code === 'number';
    if (isAboutOneJob) log.info({ reason: error.message }, 'a bell had ended before');
    else outage.began(error);
  });
  worker.on('active', outage.ended);

  async function close(): Promise<void> {
    const stopped = worker.close();
    await waitAtMost(Promise.all([...running].map((bell) => bell.ended)), graceMs ?? GRACE_MS);
    await waitAtMost(stopped, REDIS_LIMIT_MS);
    // Cut first, then abandoned: so an unfinished bell is not reported as done, and another worker gets it when its
    // lock has expired.
    await Promise.all(opened.map(closeRedis));
    for (const bell of running) bell.abandon();
    await waitAtMost(stopped, REDIS_LIMIT_MS);
  }

  return { close: () => (closed ??= close()) };
}

async function run(job: Job, onBell: BellWorkerOptions['onBell'], log: QueueLog, running: Set<Running>): Promise<void> {
  let abandon = (): void => undefined;
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const bell = { ended: answer(job, onBell, log), abandon };
  running.add(bell);
  await Promise.race([bell.ended, abandoned]);
  running.delete(bell);
}

async function answer(job: Job, onBell: BellWorkerOptions['onBell'], log: QueueLog): Promise<void> {
  const bell = parseBell({ name: job.name, data: job.data });
  if (bell === null) {
    log.warn({ jobId: job.id }, 'a bell of unknown form was dropped');
    return;
  }
  try {
    await onBell(bell);
  } catch (error) {
    const reason = reasonOf(error);
    log.warn({ outboxId: bell.id, topic: bell.topic, reason }, 'a bell failed and is dropped; its row decides');
  }
}
