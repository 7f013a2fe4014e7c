import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** A real redis-server that a test may kill, freeze and start again. It keeps its data, like the private one. */
export type TestRedis = {
  target: { path: string };
  /** Outside the code under test: looks at the server and prepares it. */
  admin: Redis;
  kill: () => Promise<void>;
  start: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
  stop: () => Promise<void>;
};

const SETPRIV = '/usr/bin/setpriv';

/** Ends with the test, however that ends: where the kernel can see to it, also when its process is killed. */
export function spawnRedisServer(args: readonly string[]): ChildProcess {
  const line = ['redis-server', ...args];
  const [command = '', ...rest] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...line] : line;
  const child = spawn(command, rest, { stdio: 'ignore' });
  const endWithTest = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithTest);
  child.once('exit', () => process.removeListener('exit', endWithTest));
  return child;
}

export async function startTestRedis(...extra: string[]): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'pennypost-redis-'));
  const path = join(directory, 'redis.sock');
  const persistence = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const place = ['--port', '0', '--unixsocket', path, '--dir', directory];
  const args = [...place, ...persistence, '--maxmemory-policy', 'noeviction', ...extra];
  const admin = new Redis({ path, lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null });
  admin.on('error', () => undefined);
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const child = spawnRedisServer(args);
    server = child;
    const died = once(child, 'exit').then(([code]) => {
      if (server === child) throw new Error(`redis-server ended with ${code} instead of starting`);
    });
    await Promise.race([admin.ping(), died]);
    died.catch(() => undefined);
  }

  async function kill(): Promise<void> {
    const child = server;
    if (child === null) return;
    server = null;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async function stop(): Promise<void> {
    admin.disconnect();
    await kill();
    rmSync(directory, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    target: { path },
    admin,
    kill,
    start,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    stop,
  };
}

/** How many connections of the code under test the server has; they are named pennypost-…. */
export async function countConnections(redis: TestRedis, name = 'pennypost-'): Promise<number> {
  const list = (await redis.admin.client('LIST')) as string;
  return list.split('\n').filter((line) => line.includes(` name=${name}`)).length;
}
