import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { releaseLockFile } from '../processes/lock-file.ts';
import { socketPath } from '../processes/socket-path.ts';
import { type Departure, holdRedis, type RedisHolder } from './redis-holder.ts';
import {
  endOfLog,
  findRedisCommand,
  LOCK_KIND,
  type LockKind,
  lockPathIn,
  REDIS_COMMANDS,
  type RedisServer,
  spawnRedis,
} from './redis-server.ts';

const START_LIMIT_MS = 20_000;
const LOOK_AGAIN_MS = 20;

const SOCKET = 'redis.sock';

export type PrivateRedisOptions = {
  /** A folder for this Redis alone: its data, log, lock and, when the path is short enough, its socket. */
  dir: string;
  /** How long the start may take, a long append-only file included. */
  timeoutMs?: number;
  log?: { info: (fields: object, message: string) => void };
  /** For tests: other commands and the lock of another system. */
  commands?: readonly string[];
  lock?: LockKind;
};

export type PrivateRedis = {
  /** The unix socket to connect to. */
  path: string;
  /** False when a server was running already and is shared now. */
  started: boolean;
  /**
   * Gives up the use. The last process to do so stops the server and waits for its end, even when the process that
   * started it was killed long ago; before that, the server stays. Never rejects; a second call does nothing.
   */
  close: () => Promise<void>;
};

/**
 * The Redis of an installation without REDIS_URL: the redis-server (or valkey-server) of the system on a unix socket.
 * Processes with the same folder share one server, whichever starts first; it survives a kill -9 of all of them and is
 * adopted by the next. Rejects with one line for a person: Misconfigured when there is no redis-server, another Error
 * when it does not come up.
 */
export async function startPrivateRedis(options: PrivateRedisOptions): Promise<PrivateRedis> {
  const { commands = REDIS_COMMANDS, lock = LOCK_KIND, timeoutMs = START_LIMIT_MS, log } = options;
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const home = realpathSync(options.dir);
  const path = socketPath(home, SOCKET);
  const launch = createLaunch((command) => spawnRedis(command, home, path, lock), commands);
  const holder = await holdOrLaunch({ home, path, launch, giveUp: AbortSignal.timeout(timeoutMs) });
  const started = launch.pid() === holder.pid;
  log?.info({ path, pid: holder.pid }, started ? 'private Redis started' : 'private Redis found running; sharing it');
  let closing: Promise<void> | undefined;
  return { path, started, close: () => (closing ??= closeHolder(holder, lockPathIn(home, lock), log)) };
}

type Launch = { server: () => RedisServer | null; start: () => void; pid: () => number | undefined };

function createLaunch(spawnServer: (command: string) => RedisServer, commands: readonly string[]): Launch {
  let server: RedisServer | null = null;
  let command: string | undefined;
  const start = (): void => {
    command ??= findRedisCommand(commands);
    server = spawnServer(command);
  };
  return { start, server: () => server, pid: () => server?.pid };
}

/** Tries in turn to hold a running server and to start one, until one of them works. */
async function holdOrLaunch(start: {
  home: string;
  path: string;
  launch: Launch;
  giveUp: AbortSignal;
}): Promise<RedisHolder> {
  const { home, path, launch, giveUp } = start;
  let lastFailure: unknown;
  while (!giveUp.aborted) {
    try {
      if (existsSync(path)) return await holdRedis(path, giveUp);
    } catch (error) {
      // It is gone, still loads its data, or was being stopped: all pass with time.
      lastFailure = error;
    }
    const state = launch.server()?.state() ?? 'none';
    if (state === 'failed')
      throw new Error(`redis-server ended at once: ${endOfLog(home)} (${join(home, 'redis.log')})`);
    if (state !== 'running') launch.start();
    await sleep(LOOK_AGAIN_MS);
  }
  launch.server()?.kill();
  throw new Error(`redis-server does not answer at ${path}; see ${join(home, 'redis.log')} and redis.pid there`, {
    cause: lastFailure,
  });
}

async function closeHolder(holder: RedisHolder, lockPath: string, log: PrivateRedisOptions['log']): Promise<void> {
  const departure = await holder.leave((pid) => releaseLockFile(lockPath, pid));
  log?.info({ pid: holder.pid }, FAREWELL[departure]);
}

const FAREWELL = {
  last: 'private Redis stopped',
  shared: 'private Redis left to the other processes that use it',
  gone: 'private Redis does not answer any more; nothing to stop',
} as const satisfies Record<Departure, string>;

/** Where the server of this folder listens, or will. */
export function privateRedisPath(dir: string): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return socketPath(realpathSync(dir), SOCKET);
}
