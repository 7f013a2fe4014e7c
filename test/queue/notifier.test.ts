import { performance } from 'node:perf_hooks';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WAKE_UP_QUEUE, type WakeUp } from '../../queue/wake-up.ts';
import { startWakeUpWorker, type WakeUpWorkerOptions } from '../../queue/wake-up-worker.ts';
import { REDIS_PREFIX } from '../../queue/connection.ts';
import { BACKLOG_MAX, createNotifier, type Notifier } from '../../queue/notifier.ts';
import { createLogRecorder } from './support/log-recorder.ts';
import { countConnections, startTestRedis, type TestRedis } from './support/redis-server.ts';

const SOON = { timeout: 60_000, interval: 10 };

let redis: TestRedis;
let open: { close: () => Promise<void> }[];
let lines: ReturnType<typeof createLogRecorder>['lines'];
let log: ReturnType<typeof createLogRecorder>['log'];

beforeEach(async () => {
  redis = await startTestRedis();
  open = [];
  ({ log, lines } = createLogRecorder());
});

afterEach(async () => {
  redis.thaw();
  await Promise.all(open.map((one) => one.close()));
  await redis.stop();
});

function openNotifier(): Notifier {
  const notifier = createNotifier({ target: redis.target, log });
  open.push(notifier);
  return notifier;
}

function openWorker(onWakeUp: WakeUpWorkerOptions['onWakeUp'], options: Partial<WakeUpWorkerOptions> = {}) {
  const worker = startWakeUpWorker({ target: redis.target, concurrency: 1, onWakeUp, log, ...options });
  open.push(worker);
  return worker;
}

/** A worker that writes down what it hears, and waits where `gate` says so. */
function openListener(options: Partial<WakeUpWorkerOptions> = {}): WakeUp[] {
  const heard: WakeUp[] = [];
  openWorker(async (wakeUp) => void heard.push(wakeUp), options);
  return heard;
}

function openGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function openQueue(): Queue {
  const queue = new Queue(WAKE_UP_QUEUE, { connection: { ...redis.target }, prefix: REDIS_PREFIX });
  queue.on('error', () => undefined);
  open.push(queue);
  return queue;
}

const wakeUps = (from: number, to: number): WakeUp[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index, topic: 'settle' }));

const linesOf = (message: string) => lines.filter((line) => line.message.startsWith(message));

const ids = (heard: WakeUp[]): number[] => heard.map((wakeUp) => wakeUp.id).sort((a, b) => a - b);

test('300 wake-ups arrive once each, with id and topic', async () => {
  const heard = openListener({ concurrency: 20 });
  openNotifier().notify(wakeUps(1, 300));
  await vi.waitFor(() => expect(ids(heard)).toEqual(ids(wakeUps(1, 300))), SOON);
  expect(heard[0]).toEqual({ id: 1, topic: 'settle' });
});

test('an id rung again while it waits or runs comes once; after it ended it rings again', async () => {
  const gate = openGate();
  const heard: number[] = [];
  openWorker(async ({ id }) => {
    heard.push(id);
    if (heard.length === 1) await gate.opened;
  });
  const notifier = openNotifier();
  const other = openNotifier();
  notifier.notify([{ id: 1, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toEqual([1]), SOON);

  // WakeUp 1 runs now; 2 is the mark behind which a second wake-up 1 or 3 would show.
  notifier.notify([{ id: 3, topic: 'settle' }]);
  await vi.waitFor(async () => expect(await redis.admin.llen('{pay}:outbox:wait')).toBe(1), SOON);
  other.notify([1, 3, 3, 1].map((id) => ({ id, topic: 'settle' })));
  other.notify([{ id: 2, topic: 'settle' }]);
  await vi.waitFor(async () => expect(await redis.admin.llen('{pay}:outbox:wait')).toBe(2), SOON);
  gate.open();
  await vi.waitFor(() => expect(heard).toEqual([1, 3, 2]), SOON);

  await vi.waitFor(async () => expect(await redis.admin.exists('{pay}:outbox:outbox-1')).toBe(0), SOON);
  notifier.notify([{ id: 1, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toEqual([1, 3, 2, 1]), SOON);
});

test('control: without the job id of its row the same wake-up would come twice', async () => {
  const heard = openListener();
  const queue = openQueue();
  await queue.addBulk([1, 1, 2].map((id) => ({ name: 'settle', data: { id } })));
  await vi.waitFor(() => expect(heard.map((wakeUp) => wakeUp.id)).toEqual([1, 1, 2]), SOON);
});

test('control: a finished or failed job that is kept, even with an age, swallows the next ring of its row', async () => {
  const heard = openListener();
  const queue = openQueue();
  const kept = { jobId: 'outbox-1', removeOnComplete: { age: 0.001, count: 100 } };
  await queue.add('settle', { id: 1 }, kept);
  await vi.waitFor(async () => expect(await redis.admin.zcard('{pay}:outbox:completed')).toBe(1), SOON);

  const notifier = openNotifier();
  notifier.notify([{ id: 1, topic: 'settle' }]);
  notifier.notify([{ id: 2, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard.map((wakeUp) => wakeUp.id)).toEqual([1, 2]), SOON);
});

test('a wake-up that throws is logged, dropped, and its id is free again', async () => {
  const heard: number[] = [];
  openWorker(async ({ id }) => {
    heard.push(id);
    if (heard.length === 1) throw new Error('the chain did not answer');
  });
  const notifier = openNotifier();
  notifier.notify([{ id: 7, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toEqual([7]), SOON);
  await vi.waitFor(async () => expect(await redis.admin.keys('{pay}:outbox:outbox-7*')).toEqual([]), SOON);
  expect(lines).toEqual([
    {
      level: 'warn',
      fields: { outboxId: 7, topic: 'settle', reason: 'the chain did not answer' },
      message: 'a wake-up failed and is dropped; its row decides',
    },
  ]);
  notifier.notify([{ id: 7, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toEqual([7, 7]), SOON);
});

test('a job with data of another form is dropped unheard', async () => {
  const heard = openListener();
  const queue = openQueue();
  const unknown = [{}, { id: '1' }, { id: 1.5 }, { id: 0 }, null, 'outbox'];
  for (const data of unknown) await queue.add('settle', data, { removeOnComplete: true });
  openNotifier().notify([{ id: 2, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toEqual([{ id: 2, topic: 'settle' }]), SOON);
  expect(lines.map((line) => line.message)).toEqual(unknown.map(() => 'a wake-up of unknown form was dropped'));
});

test('Redis killed twice: ring never throws, one line an outage, and later wake-ups arrive', async () => {
  const heard = openListener();
  const notifier = openNotifier();
  for (let round = 1; round <= 2; round += 1) {
    const before = round * 100;
    await vi.waitFor(() => {
      notifier.notify([{ id: before, topic: 'settle' }]);
      expect(ids(heard)).toContain(before);
    }, SOON);
    await redis.kill();
    for (let id = before + 1; id <= before + 50; id += 1) notifier.notify([{ id, topic: 'settle' }]);
    await vi.waitFor(() => expect(linesOf('Redis is away')).toHaveLength(2 * round), SOON);
    await redis.start();
    notifier.notify([{ id: before + 60, topic: 'settle' }]);
    await vi.waitFor(() => expect(ids(heard)).toContain(before + 60), SOON);
  }
  await vi.waitFor(() => expect(linesOf('Redis answers')).toHaveLength(4), SOON);
  expect(linesOf('Redis is away').filter((line) => line.fields.user === 'notifier')).toHaveLength(2);
});

test('a hung Redis: ring returns at once, close ends in bounded time, and nothing stays connected', async () => {
  const heard = openListener();
  const notifier = openNotifier();
  notifier.notify([{ id: 1, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toHaveLength(1), SOON);

  redis.freeze();
  // A busy machine interrupts some; a notify that waited for anything would be slow each time.
  expect(countSlowRings(notifier, 3_000)).toBeLessThan(30);
  await vi.waitFor(() => expect(lines.map((line) => line.fields.user)).toContain('notifier'), SOON);

  const start = performance.now();
  await Promise.all(open.map((one) => one.close()));
  expect(performance.now() - start).toBeLessThan(20_000);
  redis.thaw();
  await vi.waitFor(async () => expect(await countConnections(redis)).toBe(0), SOON);
});

function countSlowRings(notifier: Notifier, count: number): number {
  let slow = 0;
  for (let id = 1_000; id < 1_000 + count; id += 1) {
    const start = performance.now();
    notifier.notify([{ id, topic: 'settle' }]);
    if (performance.now() - start > 20) slow += 1;
  }
  return slow;
}

test('a Redis that hung and answers again gets the kept wake-ups, and dropped ones are reported', async () => {
  const heard = openListener({ concurrency: 20 });
  const notifier = openNotifier();
  notifier.notify([{ id: 1, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toHaveLength(1), SOON);

  redis.freeze();
  notifier.notify(wakeUps(2, BACKLOG_MAX + 101));
  await vi.waitFor(() => expect(linesOf('Redis is away').map((line) => line.fields.user)).toContain('notifier'), SOON);
  redis.thaw();
  await vi.waitFor(() => expect(new Set(ids(heard)).size).toBe(BACKLOG_MAX + 1), SOON);
  await vi.waitFor(() => expect(linesOf('wake-ups were dropped')[0]?.fields).toEqual({ dropped: 100 }), SOON);
});

test('a Redis that refuses gets the same wake-ups again when it has stopped refusing', async () => {
  const heard = openListener();
  const notifier = openNotifier();
  notifier.notify([{ id: 1, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toHaveLength(1), SOON);

  await redis.admin.config('SET', 'maxmemory', '1');
  notifier.notify([{ id: 2, topic: 'settle' }]);
  await vi.waitFor(() => expect(linesOf('Redis is away').map((line) => line.fields.user)).toContain('notifier'), SOON);
  expect(linesOf('Redis is away')[0]?.fields.reason).toMatch(/^OOM/);
  await redis.admin.config('SET', 'maxmemory', '0');
  await vi.waitFor(() => expect(ids(heard)).toEqual([1, 2]), SOON);
});

test('with Redis away, from the start or later, both sides start, ring and close; wake-ups wait for it', async () => {
  const worker = openWorker(async () => undefined);
  await vi.waitFor(async () => expect(await countConnections(redis)).toBe(2), SOON);
  await redis.kill();
  const late = openWorker(async () => undefined);
  const heard = openListener({ concurrency: 20 });
  openNotifier().notify(wakeUps(1, 300));
  const second = openNotifier();
  second.notify(wakeUps(1, 3));
  const workersTold = () => linesOf('Redis is away').filter((line) => line.fields.user === 'wake-up worker');
  await vi.waitFor(() => expect(workersTold()).toHaveLength(3), SOON);
  const start = performance.now();
  await Promise.all([worker, late, second].map((one) => one.close()));
  expect(performance.now() - start).toBeLessThan(15_000);

  await redis.start();
  await vi.waitFor(() => expect(ids(heard)).toEqual(ids(wakeUps(1, 300))), SOON);
});

test('close lets a running wake-up finish, records it as done, and takes no further one', async () => {
  const gate = openGate();
  const heard: string[] = [];
  const worker = openWorker(async ({ id }) => {
    heard.push(`${id} begins`);
    await gate.opened;
    heard.push(`${id} ends`);
  });
  openNotifier().notify(wakeUps(1, 2));
  await vi.waitFor(() => expect(heard).toEqual(['1 begins']), SOON);
  const closed = worker.close();
  gate.open();
  await closed;
  expect(heard).toEqual(['1 begins', '1 ends']);
  expect(await redis.admin.keys('{pay}:outbox:outbox-*')).toEqual(['{pay}:outbox:outbox-2']);
});

test('a wake-up that never ends is left behind after the grace time, and stays in Redis for another worker', async () => {
  const heard: number[] = [];
  const stuck = openGate();
  const worker = openWorker(
    async ({ id }) => {
      heard.push(id);
      await stuck.opened;
    },
    { graceMs: 50 },
  );
  openNotifier().notify([{ id: 1, topic: 'settle' }]);
  await vi.waitFor(() => expect(heard).toEqual([1]), SOON);
  const start = performance.now();
  await worker.close();
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(await redis.admin.lrange('{pay}:outbox:active', 0, -1)).toEqual(['outbox-1']);
  stuck.open();
});

test('close sends what was rung before it, and nothing is taken after it', async () => {
  const notifier = openNotifier();
  const waiting = () => redis.admin.llen('{pay}:outbox:wait');
  notifier.notify(wakeUps(1, 1));
  await vi.waitFor(async () => expect(await waiting()).toBe(1), SOON);
  notifier.notify(wakeUps(2, 300));
  await notifier.close();
  notifier.notify(wakeUps(2_000, 2_001));
  expect(await waiting()).toBe(300);
});
