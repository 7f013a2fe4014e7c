import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAnnouncer } from '../../queue/announcer.ts';
import { createNotifier } from '../../queue/notifier.ts';
import { compileProgram } from '../support/compiled-program.ts';
import { createLogRecorder } from './support/log-recorder.ts';
import { countConnections, startTestRedis, type TestRedis } from './support/redis-server.ts';

const SOON = { timeout: 60_000, interval: 10 };
const CHILD = await compileProgram(join(import.meta.dirname, 'support/child.ts'));
/** Announcer two, notifier one, worker two. */
const CONNECTIONS_OF_A_CHILD = 5;

type Child = { process: ChildProcess; told: object[]; order: (order: object) => void };

let redis: TestRedis;
let children: ChildProcess[];

beforeEach(async () => {
  redis = await startTestRedis();
  children = [];
});

afterEach(async () => {
  redis.thaw();
  for (const child of children) child.kill('SIGKILL');
  await redis.stop();
});

async function startChild(): Promise<Child> {
  const child = fork(CHILD, [redis.target.path], { execArgv: [] });
  children.push(child);
  const told: object[] = [];
  child.on('message', (message: object) => told.push(message));
  const others = await countConnections(redis);
  await vi.waitFor(async () => {
    expect(told).toContainEqual({ started: true });
    expect(await countConnections(redis)).toBe(others + CONNECTIONS_OF_A_CHILD);
  }, SOON);
  return { process: child, told, order: (order) => void child.send(order) };
}

test('two processes: one rings and announces, the other hears, and after close ends by itself', async () => {
  const { log } = createLogRecorder();
  const child = await startChild();
  const notifier = createNotifier({ target: redis.target, log });
  const announcer = createAnnouncer({ target: redis.target, log });
  notifier.notify([{ id: 5, topic: 'settle' }]);
  await vi.waitFor(() => expect(child.told).toContainEqual({ heard: 5 }), SOON);

  await vi.waitFor(async () => expect(await redis.admin.pubsub('NUMSUB', '{pay}:announce')).toContain(2), SOON);
  announcer.announce('to-child');
  await vi.waitFor(() => expect(child.told).toContainEqual({ announced: 'to-child' }), SOON);
  const heard = announcer.waitFor('from-child', 60_000);
  child.order({ announce: 'from-child' });
  expect(await heard).toBe('announced');
  const ended = once(child.process, 'exit');
  child.order({ close: true });
  expect(await ended).toEqual([0, null]);
  await Promise.all([notifier.close(), announcer.close()]);
});

test('a killed worker process leaves its waiting wake-ups to the next one', async () => {
  const { log } = createLogRecorder();
  const first = await startChild();
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  const notifier = createNotifier({ target: redis.target, log });
  notifier.notify([{ id: 9, topic: 'settle' }]);
  await vi.waitFor(async () => expect(await redis.admin.llen('{pay}:outbox:wait')).toBe(1), SOON);
  await notifier.close();
  const second = await startChild();
  await vi.waitFor(() => expect(second.told).toContainEqual({ heard: 9 }), SOON);
});

test.each([
  ['runs and a wakeUp is stuck', 'stuck', async () => undefined],
  ['is killed', 'settle', () => redis.kill()],
  ['is hung', 'settle', async () => redis.freeze()],
])('after close the process ends by itself while Redis %s', async (_state, topic, befall) => {
  const child = await startChild();
  child.order({ notify: { id: 1, topic } });
  await vi.waitFor(() => expect(child.told).toContainEqual({ heard: 1 }), SOON);
  await befall();
  const ended = once(child.process, 'exit');
  child.order({ close: true });
  expect(await ended).toEqual([0, null]);
});

test('control: without close the process lives on, and Redis still has its connections', async () => {
  const child = await startChild();
  const disconnected = once(child.process, 'disconnect');
  child.order({ leave: true });
  await disconnected;
  const other = await startChild();
  const ended = once(other.process, 'exit');
  other.order({ close: true });
  await ended;
  expect(child.process.exitCode).toBe(null);
  await vi.waitFor(async () => expect(await countConnections(redis)).toBe(CONNECTIONS_OF_A_CHILD), SOON);
});
