/** A cluster over TLS, with a user of limited rights. What a service makes of its faults: test/service/queue/redis-cluster. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAnnouncer } from '../../queue/announcer.ts';
import { checkRedis, type Stamp } from '../../queue/check.ts';
import type { RedisTarget } from '../../queue/connection.ts';
import { createNotifier } from '../../queue/notifier.ts';
import { startWakeUpWorker } from '../../queue/wake-up-worker.ts';
import { createLogRecorder } from './support/log-recorder.ts';
import { startTestCluster, type TestCluster } from './support/redis-cluster.ts';

const SOON = { timeout: 60_000, interval: 50 };
const STAMP: Stamp = { mode: 'local', chain: '8453', token: '0x8335', treasury: '0xabcd' };

let cluster: TestCluster;
let target: RedisTarget;
beforeAll(async () => {
  cluster = await startTestCluster();
  target = { url: cluster.url, tls: cluster.tls };
});
afterAll(() => cluster?.stop());

test('it is usable, with the rights of a user who may touch our keys only', async () => {
  const { log, lines } = createLogRecorder();
  expect(await checkRedis({ target, stamp: STAMP, log })).toBe('usable');
  expect(lines).toEqual([]);
});

test.each([
  ['the authority', (tls: TestCluster['tls']) => ({ cert: tls.cert, key: tls.key })],
  ['a certificate of ours', (tls: TestCluster['tls']) => ({ ca: tls.ca })],
])('without %s it is away, which is told in one line', async (_, without) => {
  const { log, lines } = createLogRecorder();
  const unsigned = { url: cluster.url, tls: without(cluster.tls) };
  expect(await checkRedis({ target: unsigned, stamp: STAMP, log })).toBe('away');
  expect(lines.map(({ level }) => level)).toEqual(['warn']);
});

test('after the master of our slot is killed, wake-ups and announcements arrive through its replica', async () => {
  const { log } = createLogRecorder();
  const woken = new Set<number>();
  const worker = startWakeUpWorker({ target, concurrency: 2, log, onWakeUp: async ({ id }) => void woken.add(id) });
  const notifier = createNotifier({ target, log });
  const [speaker, listener] = [createAnnouncer({ target, log }), createAnnouncer({ target, log })];
  let heard = 0;
  listener.subscribe('payment-1', () => (heard += 1));
  let next = 0;
  /** Neither waits nor throws, whatever Redis does. */
  const send = (): void => {
    notifier.notify([{ id: (next += 1), topic: 'settle' }]);
    speaker.announce('payment-1');
  };
  const arrives = async (): Promise<void> => {
    const [wokenBefore, heardBefore] = [woken.size, heard];
    await vi.waitFor(() => {
      send();
      expect([woken.size > wokenBefore, heard > heardBefore]).toEqual([true, true]);
    }, SOON);
  };
  await arrives();
  const owner = await cluster.owner();
  await owner.kill();
  expect((await cluster.owner()).port).not.toBe(owner.port);
  await arrives();
  owner.start();
  await cluster.whole();
  await vi.waitFor(
    () => expect([...woken].sort((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, n) => n + 1)),
    SOON,
  );
  await Promise.all([worker, notifier, speaker, listener].map((part) => part.close()));
});
