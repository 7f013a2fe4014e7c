import { performance } from 'node:perf_hooks';
import { Queue } from 'bullmq';
import { Cluster } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWakeUpWorker } from '../../queue/wake-up-worker.ts';
import { checkRedis, readPolicy, stampRedis } from '../../queue/check.ts';
import { closeRedis, openRedis, type RedisClient, type RedisTarget, type RedisUse } from '../../queue/connection.ts';
import { createAnnouncer } from '../../queue/announcer.ts';
import { createNotifier } from '../../queue/notifier.ts';
import { createOutage, reasonOf } from '../../queue/outage.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { createLogRecorder } from './support/log-recorder.ts';
import { countConnections, startTestRedis, type TestRedis } from './support/redis-server.ts';

const SOON = { timeout: 60_000, interval: 10 };
/** The port of the cluster bus is so far above that of the server. */
const BUS = 10_000;
const STAMP = { mode: 'local', chain: '8453', token: '0x8335', treasury: '0xabcd' };

let redis: TestRedis;

beforeEach(async () => {
  redis = await startTestRedis();
});

afterEach(async () => {
  redis.thaw();
  await redis.stop();
});

function open(target: RedisTarget, use: RedisUse = 'producer') {
  const { log, lines } = createLogRecorder();
  return { client: openRedis(target, use, 'pennypost-test', createOutage('test', log)), lines };
}

function reaches(client: RedisClient, status: string): Promise<void> {
  return vi.waitFor(() => expect(client.status).toBe(status), SOON);
}

describe('start check', () => {
  test('the first start stamps, the same values pass, every other value is refused by name', async () => {
    const { log } = createLogRecorder();
    expect(await checkRedis({ target: redis.target, stamp: STAMP, log })).toBe('usable');
    expect(await checkRedis({ target: redis.target, stamp: STAMP, log })).toBe('usable');
    for (const field of ['mode', 'chain', 'token', 'treasury'] as const) {
      const stamp = { ...STAMP, [field]: 'other' };
      const message = `Redis belongs to another installation: ${field} is "${STAMP[field]}" there, other here.`;
      await expect(checkRedis({ target: redis.target, stamp, log })).rejects.toThrow(message);
    }
    expect(await countConnections(redis)).toBe(0);
  });

  test('of twenty starters with two different stamps one kind wins', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => stampRedis(redis.admin, { ...STAMP, treasury: `0x${index % 2}` })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10);
  });

  test('a stamp that cannot be read, or lacks a field, is refused', async () => {
    for (const text of ['rubbish', '[]', '{"mode":"local"}']) {
      await redis.admin.set('{pay}:stamp', text);
      await expect(stampRedis(redis.admin, STAMP), text).rejects.toThrow(/^Redis (belongs|holds) .*\.$/);
    }
  });

  test('a server that evicts is refused in one line', async () => {
    expect(await readPolicy(redis.admin)).toBe('noeviction');
    await redis.admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const refused = 'Redis has maxmemory-policy allkeys-lru; expected noeviction.';
    await expect(readPolicy(redis.admin)).rejects.toThrow(refused);
    const { log } = createLogRecorder();
    await expect(checkRedis({ target: redis.target, stamp: STAMP, log })).rejects.toThrow(refused);
    expect(await redis.admin.exists('{pay}:stamp')).toBe(0);
  });

  test('a server that refuses INFO and CONFIG, as a managed one may, is used, and known not to tell its policy', async () => {
    const port = await findQuietPort();
    await redis.admin.config('SET', 'port', port);
    const target = { url: `redis://limited:secret@127.0.0.1:${port}` };
    const { log } = createLogRecorder();
    for (const [rights, verdict] of [
      ['+@all -info -config', 'unsure'],
      ['+@all -info', 'usable'],
      ['+@all -config', 'usable'],
    ] as const) {
      await redis.admin.call('ACL', 'SETUSER', 'limited', 'reset', 'on', '>secret', '~{pay}:*', ...rights.split(' '));
      expect([rights, await checkRedis({ target, stamp: STAMP, log })]).toEqual([rights, verdict]);
    }
    await redis.admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await redis.admin.call('ACL', 'SETUSER', 'limited', '-info', '+config');
    await expect(checkRedis({ target, stamp: STAMP, log })).rejects.toThrow('maxmemory-policy allkeys-lru');
  });

  test('an absent or hung server is reported as away in bounded time; a hung connection of a producer gives up its calls and is cut, so that nothing piles up in it', async () => {
    const absent = await startTestRedis();
    await absent.kill();
    const { client } = open(redis.target);
    await reaches(client, 'ready');
    redis.freeze();
    const givesUp = async (): Promise<void> => {
      await expect(client.ping()).rejects.toThrow('Command timed out');
      await vi.waitFor(() => expect(client.status).not.toBe('ready'), SOON);
    };
    await Promise.all([isAway(absent), isAway(redis), givesUp()]);
    await closeRedis(client);
    await absent.stop();
  });
});

async function isAway({ target }: TestRedis): Promise<void> {
  const { log, lines } = createLogRecorder();
  const start = performance.now();
  expect(await checkRedis({ target, stamp: STAMP, log })).toBe('away');
  expect(performance.now() - start).toBeLessThan(15_000);
  expect(lines).toHaveLength(1);
}

describe('outages', () => {
  test('the reason of a failed login does not hold the password', async () => {
    const { client, lines } = open(redis.target);
    await reaches(client, 'ready');
    await redis.admin.config('SET', 'requirepass', 'right');
    const error: unknown = await client.auth('hunter2').catch((failure: unknown) => failure);
    // Control: ioredis itself does carry it.
    expect(JSON.stringify(error)).toContain('hunter2');
    expect(reasonOf(error)).toMatch(/^WRONGPASS/);
    expect(reasonOf(error)).not.toContain('hunter2');
    expect(lines).toEqual([]);
    await closeRedis(client);
  });

  test('one line when it begins and one when it ends, not one a retry', async () => {
    const { client, lines } = open(redis.target);
    await reaches(client, 'ready');
    let attempts = 0;
    client.on('error', () => (attempts += 1));
    for (const round of [1, 2]) {
      attempts = 0;
      await redis.kill();
      await vi.waitFor(() => expect(attempts).toBeGreaterThan(3), SOON);
      await redis.start();
      await vi.waitFor(() => expect(lines.map((line) => line.level)).toHaveLength(2 * round), SOON);
    }
    expect(lines.map((line) => line.level)).toEqual(['warn', 'info', 'warn', 'info']);
    await closeRedis(client);
  });

  test.each(['ready', 'reconnecting', 'connecting', 'hung'])(
    'closing a %s connection ends it, refuses what waits, and it does not come back',
    async (state) => {
      const { client } = open(redis.target, 'worker');
      if (state !== 'connecting') await reaches(client, 'ready');
      if (state === 'hung') redis.freeze();
      if (state === 'reconnecting') {
        await redis.kill();
        await reaches(client, 'reconnecting');
      }
      const waiting = client.bzpopmin('nothing', 0).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      const start = performance.now();
      await closeRedis(client);
      // It ended by itself, and was not given up after the limit.
      expect(client.status).toBe('end');
      expect(performance.now() - start).toBeLessThan(15_000);
      expect(await waiting).toBe('Connection is closed.');
      await closeRedis(client);
    },
  );
});

describe('cluster', () => {
  let server: TestRedis;
  let url: string;

  beforeAll(async () => {
    const port = `${await findQuietPort([BUS])}`;
    const options = ['--port', port, '--bind', '127.0.0.1', '--cluster-enabled', 'yes'];
    server = await startTestRedis(...options, '--cluster-announce-ip', '127.0.0.1');
    await server.admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await vi.waitUntil(async () => (await server.admin.cluster('INFO')).includes('cluster_state:ok'), SOON);
    url = `redis://127.0.0.1:${port},redis://localhost:${port}`;
  });

  afterAll(() => server.stop());

  test('wake-ups, announcements and the start check work on it, and all closes', async () => {
    const { log, lines } = createLogRecorder();
    expect(await checkRedis({ target: { url }, stamp: STAMP, log })).toBe('usable');
    await expect(checkRedis({ target: { url }, stamp: { ...STAMP, mode: 'x' }, log })).rejects.toThrow('mode is');

    const heard: number[] = [];
    const worker = startWakeUpWorker({
      target: { url },
      concurrency: 2,
      log,
      onWakeUp: async ({ id }) => void heard.push(id),
    });
    const notifier = createNotifier({ target: { url }, log });
    notifier.notify([1, 2, 3].map((id) => ({ id, topic: 'settle' })));
    await vi.waitFor(() => expect(new Set(heard)).toEqual(new Set([1, 2, 3])), SOON);

    const [one, two] = [createAnnouncer({ target: { url }, log }), createAnnouncer({ target: { url }, log })];
    const subscribers = async () => server.admin.pubsub('NUMSUB', '{pay}:announce');
    await vi.waitFor(async () => expect(await subscribers()).toEqual(['{pay}:announce', 2]), SOON);
    const waiting = two.waitFor('payment-1', 60_000);
    one.announce('payment-1');
    expect(await waiting).toBe('announced');

    await Promise.all([worker, notifier, one, two].map((part) => part.close()));
    await vi.waitFor(async () => expect(await countConnections(server)).toBe(0), SOON);
    expect(lines).toEqual([]);
  });

  test('control: with another prefix the same cluster refuses the queue', async () => {
    const { client } = open({ url });
    await reaches(client, 'ready');
    expect(client).toBeInstanceOf(Cluster);
    const queue = new Queue('outbox', { connection: client, prefix: 'pay', skipVersionCheck: true });
    queue.on('error', () => undefined);
    await expect(queue.add('settle', { id: 1 })).rejects.toThrow(/CROSSSLOT|same slot/i);
    await queue.close();
    await closeRedis(client);
  });

  /** The last: it leaves the server dead. */
  test('it closes in bounded time while hung, killed or never there', async () => {
    const { log } = createLogRecorder();
    const parts = [
      startWakeUpWorker({ target: { url }, concurrency: 2, log, onWakeUp: async () => undefined }),
      createNotifier({ target: { url }, log }),
      createAnnouncer({ target: { url }, log }),
    ];
    await vi.waitFor(async () => expect(await countConnections(server)).toBeGreaterThan(3), SOON);
    server.freeze();
    const start = performance.now();
    await Promise.all(parts.map((part) => part.close()));
    expect(performance.now() - start).toBeLessThan(20_000);

    await server.kill();
    const { client } = open({ url }, 'worker');
    await reaches(client, 'reconnecting');
    await closeRedis(client);
    expect(client.status).toBe('end');
    const { client: young } = open({ url }, 'worker');
    await closeRedis(young);
    expect(young.status).toBe('end');
  });
});
