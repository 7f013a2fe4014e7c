import { expect, test } from 'vitest';
import { parseRedis } from '../../queue/connection.ts';

test.each([
  [{ path: '/run/redis.sock' }, { path: '/run/redis.sock' }],
  [{ url: 'redis://localhost' }, { host: 'localhost', port: 6379, db: 0 }],
  [{ url: 'redis://10.0.0.1:7000/3' }, { host: '10.0.0.1', port: 7000, db: 3 }],
  [{ url: 'redis://[::1]:7000/' }, { host: '::1', port: 7000, db: 0 }],
  [{ url: ' redis://:p%40ss@cache ' }, { host: 'cache', password: 'p@ss' }],
  [{ url: 'rediss://me:secret@cache' }, { host: 'cache', username: 'me', password: 'secret', tls: {} }],
])('%j is one server', (target, expected) => {
  const parsed = parseRedis(target);
  expect(parsed).toMatchObject({ kind: 'single', producer: expected, worker: expected });
});

test('producers give up at once and workers never', () => {
  expect(parseRedis({ url: 'redis://localhost' })).toMatchObject({
    producer: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 1_000 },
    worker: { maxRetriesPerRequest: null },
  });
  expect(parseRedis({ url: 'redis://localhost' }).worker).not.toHaveProperty('commandTimeout');
});

test('several addresses are a cluster with one login', () => {
  expect(parseRedis({ url: 'rediss://:pw@a:7000,rediss://:pw@b' })).toMatchObject({
    kind: 'cluster',
    nodes: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
    ],
    producer: { enableOfflineQueue: false, redisOptions: { password: 'pw', tls: {}, commandTimeout: 1_000 } },
    worker: { enableOfflineQueue: true, redisOptions: { password: 'pw', tls: {}, maxRetriesPerRequest: null } },
  });
});

test.each([
  '',
  ',',
  'localhost:6379',
  'http://:hunter2@cache',
  'redis://',
  'redis://:hunter2@cache:99999',
  'redis://:hunter2@cache/x',
  'redis://:hunter2@cache?db=1',
  'redis://:hunter2%@cache',
  'redis://:hunter2@cache,',
  'redis://:hunter2@a,redis://:hunter3@b',
  'redis://:hunter2@a,rediss://:hunter2@b',
  'redis://:hunter2@a,redis://:hunter2@b/1',
])('%j is refused in one line that shows no password', (url) => {
  const error = caught(() => parseRedis({ url }));
  expect(error.message).toMatch(/^REDIS_URL: .*\.$/);
  expect(JSON.stringify([error.message, error.cause, error.stack])).not.toContain('hunter');
});

function caught(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected an error, and nothing was thrown');
}
