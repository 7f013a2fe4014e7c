import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { handOverLockFile, releaseLockFile, takeLockFile } from '../processes/lock-file.ts';

/** In this order; the last two are Homebrew's places, in case PATH lacks them. */
export const REDIS_COMMANDS = [
  'redis-server',
  'valkey-server',
  '/opt/homebrew/bin/redis-server',
  '/usr/local/bin/redis-server',
];

/** flock(1) answers this when another process has the lock. */
const LOCKED = 75;
const FLOCK = '/usr/bin/flock';
const LOG_LIMIT_BYTES = 1_000_000;

/** What keeps a folder to one server: a lock of the kernel, or, where there is no flock(1), a file with a live pid. */
export type LockKind = 'flock' | 'file';

export type RedisServer = {
  pid: number | undefined;
  /** `locked`: it never ran, because the folder has a server; `stopped`: it ran and was stopped in an orderly way. */
  state: () => 'running' | 'locked' | 'stopped' | 'failed';
  kill: () => void;
};

export const LOCK_KIND: LockKind = process.platform === 'linux' && existsSync(FLOCK) ? 'flock' : 'file';

/** The command that starts a Redis here. Throws Misconfigured, with the line to type, when there is none. */
export function findRedisCommand(candidates: readonly string[]): string {
  const found = candidates.find((command) => spawnSync(command, ['--version']).status === 0);
  if (found !== undefined) return found;
  throw new Misconfigured(
    'redis-server is missing: install it with "sudo apt-get install -y redis-server" (macOS: "brew install redis"), or set REDIS_URL',
  );
}

/**
 * Starts a server that outlives this process, unless the folder already has one. `home` holds its data, log and lock.
 * Every acknowledged write is on disk (appendfsync always), nothing is evicted, no TCP port is opened.
 */
export function spawnRedis(command: string, home: string, socket: string, lock: LockKind): RedisServer {
  const lockPath = lockPathIn(home, lock);
  if (lock === 'file' && !takeLockFile(lockPath))
    return { pid: undefined, state: () => 'locked', kill: () => undefined };
  const server = [command, ...redisArguments(home, socket)];
  // --no-fork: flock becomes the server, which keeps the lock until it ends. Released by the kernel, never stale.
  const line =
    lock === 'flock' ? [FLOCK, '--nonblock', '-E', String(LOCKED), '--no-fork', lockPath, ...server] : server;
  const child = spawnDetached(line, join(home, 'redis.log'));
  if (lock === 'file') {
    if (child.pid === undefined) releaseLockFile(lockPath, process.pid);
    else handOverLockFile(lockPath, child.pid);
  }
  return {
    pid: child.pid,
    state: () => stateOf(child),
    kill: () => void child.kill('SIGKILL'),
  };
}

export function lockPathIn(home: string, lock: LockKind): string {
  return join(home, lock === 'flock' ? 'redis.lock' : 'redis.lock.pid');
}

/** The last lines that a server wrote, for an error text. */
export function endOfLog(home: string): string {
  const lines = readFileSync(join(home, 'redis.log'), 'utf8').trim().split('\n');
  return lines.slice(-3).join(' | ');
}

function redisArguments(home: string, socket: string): string[] {
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: home,
    pidfile: join(home, 'redis.pid'),
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/** A process group of its own, so that a Ctrl-C meant for us does not reach it. */
function spawnDetached([program = '', ...args]: string[], logPath: string): ChildProcess {
  if (existsSync(logPath) && statSync(logPath).size > LOG_LIMIT_BYTES) truncateSync(logPath);
  const log = openSync(logPath, 'a');
  try {
    const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

function stateOf(child: ChildProcess): ReturnType<RedisServer['state']> {
  if (child.pid === undefined || child.signalCode !== null) return 'failed';
  if (child.exitCode === null) return 'running';
  if (child.exitCode === LOCKED) return 'locked';
  return child.exitCode === 0 ? 'stopped' : 'failed';
}
