import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../../local/processes/process-id.ts';
import { startPrivateRedis } from '../../../local/redis/private-redis.ts';
import { holdRedis } from '../../../local/redis/redis-holder.ts';
import { LOCK_KIND, type LockKind } from '../../../local/redis/redis-server.ts';
import { compileProgram } from '../../support/compiled-program.ts';

const STARTER = await compileProgram(join(import.meta.dirname, 'private-redis-starter.ts'));
const LOCKS: LockKind[] = LOCK_KIND === 'flock' ? ['flock', 'file'] : ['file'];

let dir = '';
let starters: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'private-redis-test-'));
  starters = [];
});

afterEach(() => {
  for (const starter of starters) starter.kill('SIGKILL');
  const pid = pidOfServer();
  if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

describe.each(LOCKS)('with the lock kind %s', (lock) => {
  test('it keeps every write, evicts nothing, opens no port, and a clean close leaves no process', async () => {
    const redis = await startPrivateRedis({ dir, lock });
    expect(redis).toMatchObject({ started: true, path: join(dir, 'redis.sock') });
    await withClient(redis.path, async (client) => {
      const setting = async (name: string): Promise<unknown> => ((await client.config('GET', name)) as string[])[1];
      expect(await setting('appendonly')).toBe('yes');
      expect(await setting('appendfsync')).toBe('always');
      expect(await setting('maxmemory-policy')).toBe('noeviction');
      expect(await setting('save')).toBe('');
      expect(await setting('port')).toBe('0');
    });
    expect(statSync(redis.path).mode & 0o077).toBe(0);
    const pid = pidOfServer()!;
    await redis.close();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(redis.path)).toBe(false);
  });

  test('eight that start at once share one server, and the last to close stops it, or all at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => startPrivateRedis({ dir, lock })));
    const pid = pidOfServer()!;
    expect(all.filter(({ started }) => started)).toHaveLength(1);
    const [last, ...others] = all;
    await Promise.all(others.map((redis) => redis.close()));
    expect(await ping(last!.path)).toBe('PONG');
    await last!.close();
    expect(isAlive(pid)).toBe(false);

    const again = await Promise.all(Array.from({ length: 8 }, () => startPrivateRedis({ dir, lock })));
    const next = pidOfServer()!;
    await Promise.all(again.map((redis) => redis.close()));
    expect(isAlive(next)).toBe(false);
  });

  test('a process that comes while the last one leaves gets a server that lives', async () => {
    const comeAndGo = async (): Promise<void> => {
      for (let round = 0; round < 4; round++) {
        const redis = await startPrivateRedis({ dir, lock });
        expect(await ping(redis.path)).toBe('PONG');
        await redis.close();
      }
    };
    await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
    expect(pidOfServer()).toBeNull();
  });

  test('a socket file that a killed server left behind is no hindrance, and what was written is there', async () => {
    const first = await startPrivateRedis({ dir, lock });
    await withClient(first.path, (client) => client.set('key', 'kept'));
    process.kill(pidOfServer()!, 'SIGKILL');
    await first.close();
    expect(existsSync(first.path)).toBe(true);
    const second = await startPrivateRedis({ dir, lock });
    expect(second.started).toBe(true);
    expect(await withClient(second.path, (client) => client.get('key'))).toBe('kept');
    await second.close();
  });
});

test('after a kill -9 of its starter the server lives on, is adopted, and ends with the one that adopted it', async () => {
  const starter = await startElsewhere();
  const pid = pidOfServer()!;
  await withClient(starter.path, (client) => client.set('key', 'kept'));
  await kill(starter.child);
  expect(isAlive(pid)).toBe(true);

  const adopted = await startPrivateRedis({ dir });
  expect(adopted.started).toBe(false);
  expect(await withClient(adopted.path, (client) => client.get('key'))).toBe('kept');
  await adopted.close();
  expect(isAlive(pid)).toBe(false);
});

test('two processes share one server; it outlives the one that started it and ends with the other', async () => {
  const [first, second] = [await startElsewhere(), await startElsewhere()];
  const pid = pidOfServer()!;
  expect([first.started, second.started]).toEqual([true, false]);
  await end(first.child);
  expect(isAlive(pid)).toBe(true);
  await end(second.child);
  expect(isAlive(pid)).toBe(false);
});

test('a process that was killed does not keep the server from ending with the others', async () => {
  const [first, second] = [await startElsewhere(), await startElsewhere()];
  const pid = pidOfServer()!;
  await kill(second.child);
  await end(first.child);
  expect(isAlive(pid)).toBe(false);
});

test('a process that comes between a leaver’s last look and the server’s end waits for it and starts a new one', async () => {
  const first = await startPrivateRedis({ dir });
  const proxy = await startHoldingProxy(join(dir, 'proxy.sock'), first.path, 'shutdown');
  const leaver = await holdRedis(proxy.path, AbortSignal.timeout(30_000));
  await first.close();
  const leaving = leaver.leave(() => undefined);
  await proxy.held;

  let hasCome = false;
  const coming = startPrivateRedis({ dir }).finally(() => (hasCome = true));
  await expect.poll(() => holders(first.path)).toBe(1);
  for (let round = 0; round < 50; round++) await ping(first.path);
  expect(hasCome, 'it must not take hold of a server that is about to end').toBe(false);

  proxy.release();
  expect(await leaving).toBe('last');
  const comer = await coming;
  expect(comer.started).toBe(true);
  expect(await ping(comer.path)).toBe('PONG');
  await comer.close();
  proxy.close();
});

test('a client that holds nothing does not keep the server alive', async () => {
  const redis = await startPrivateRedis({ dir });
  const pid = pidOfServer()!;
  await withClient(redis.path, async () => {
    await redis.close();
    expect(isAlive(pid)).toBe(false);
  });
});

test('a server that was killed and started again by another process is not left behind', async () => {
  const first = await startPrivateRedis({ dir });
  process.kill(pidOfServer()!, 'SIGKILL');
  const second = await startPrivateRedis({ dir });
  const pid = pidOfServer()!;
  await expect.poll(() => holders(second.path), { timeout: 30_000 }).toBe(2);
  await second.close();
  expect(isAlive(pid)).toBe(true);
  await first.close();
  expect(isAlive(pid)).toBe(false);
});

test('a folder whose path is too long for a socket gets a short one that every starter finds', async () => {
  const deep = join(dir, 'a-long-name-'.repeat(10));
  const first = await startPrivateRedis({ dir: deep });
  const second = await startPrivateRedis({ dir: deep });
  try {
    expect(Buffer.byteLength(first.path)).toBeLessThanOrEqual(100);
    expect(second).toMatchObject({ started: false, path: first.path });
    expect(statSync(dirname(first.path)).mode & 0o777).toBe(0o700);
  } finally {
    await first.close();
    await second.close();
  }
  // Anybody could have made that folder in the temporary directory; one that others may enter is refused.
  chmodSync(dirname(first.path), 0o755);
  await expect(startPrivateRedis({ dir: deep })).rejects.toThrow(/belongs to another user/);
  rmSync(dirname(first.path), { recursive: true });
});

test('a missing redis-server is said in one line that names the command to install it', async () => {
  const failure = await startPrivateRedis({ dir, commands: ['no-such-redis'] }).catch((error: unknown) => error);
  expect(String(failure)).toMatch(
    /^Misconfigured: redis-server is missing: .*apt-get install -y redis-server.*REDIS_URL$/,
  );
});

test('a server that cannot start is reported at once, with what it wrote last', async () => {
  writeFileSync(join(dir, 'appendonlydir'), 'a file where a folder has to be');
  await expect(startPrivateRedis({ dir })).rejects.toThrow(/redis-server ended at once: .*appendonlydir.*redis\.log/);
});

test('a server that does not answer in time is given up and not left behind', async () => {
  const mute = join(dir, 'mute-redis');
  writeFileSync(mute, `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho $$ > "${dir}/redis.pid"\nexec sleep 60\n`, {
    mode: 0o700,
  });
  await expect(startPrivateRedis({ dir, commands: [mute], timeoutMs: 500 })).rejects.toThrow(/does not answer at/);
  await expect.poll(() => isAlive(pidOfServer()!)).toBe(false);
});

test.each([
  ['of a process that is gone', '999999999'],
  ['with nothing in it', ''],
])('a lock file %s is void', async (_, content) => {
  writeFileSync(join(dir, 'redis.lock.pid'), content);
  const redis = await startPrivateRedis({ dir, lock: 'file' });
  expect(redis.started).toBe(true);
  await redis.close();
});

test('a lock file of a live process is respected', async () => {
  writeFileSync(join(dir, 'redis.lock.pid'), String(process.ppid));
  await expect(startPrivateRedis({ dir, lock: 'file', timeoutMs: 500 })).rejects.toThrow(/does not answer at/);
});

/** The server in the folder, by the pid file that it removes at an orderly end. */
function pidOfServer(): number | null {
  const path = join(dir, 'redis.pid');
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : null;
}

async function startElsewhere(): Promise<{ child: ChildProcess; path: string; started: boolean }> {
  const child = spawn(process.execPath, [STARTER, dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  starters.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { path: string; started: boolean }) };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.end();
  expect(await ended).toEqual([0, null]);
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Passes everything on, but keeps back the chunk with `word` in it until it is released. */
async function startHoldingProxy(path: string, target: string, word: string) {
  const gate = new EventEmitter();
  const held = once(gate, 'held');
  const server = createServer((near) => {
    const far = connect(target).on('error', () => near.destroy());
    near.on('error', () => far.destroy());
    near.on('data', (chunk) => {
      if (!chunk.toString().toLowerCase().includes(word)) return far.write(chunk);
      gate.once('release', () => far.write(chunk));
      return gate.emit('held');
    });
    far.on('data', (chunk) => near.write(chunk)).on('close', () => near.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  return { path, held, release: () => gate.emit('release'), close: () => server.close() };
}

async function withClient<T>(path: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis({ path, lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

function ping(path: string): Promise<string> {
  return withClient(path, (client) => client.ping());
}

function holders(path: string): Promise<number> {
  return withClient(
    path,
    async (client) => String(await client.client('LIST')).split('name=pennypost-holder ').length - 1,
  );
}
