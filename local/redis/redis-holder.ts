import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { isAlive } from '../processes/process-id.ts';

/**
 * Who uses the private Redis, and who may stop it. Every process that uses it keeps one connection named HOLDER. The
 * kernel closes that connection whatever way the process ends, so the list of holders is true even after kill -9, which
 * no file of pids is. The last holder to leave stops the server, whichever process started it.
 *
 * Leaving is: rename the connection to LEAVER, list, and stop the server only when no HOLDER is on the list. Coming is:
 * take the name HOLDER, list, and go on only when no LEAVER is on the list. Redis runs commands one after another, so
 * of a leaver and a comer at least one sees the other: either the leaver lets the server live, or the comer waits until
 * it is dead and starts a new one. Two leavers may both find no holder; both then stop it, which is harmless. The
 * server is stopped by a command and not by a signal, because a signal has no place in that order.
 */
const HOLDER = 'pennypost-holder';
const LEAVER = 'pennypost-leaver';

const ANSWER_LIMIT_MS = 2_000;
const FAREWELL_LIMIT_MS = 200;
const STOP_LIMIT_MS = 5_000;
const RECONNECT_MS = 1_000;
const LOOK_AGAIN_MS = 10;

/** `last`: the server was stopped and has ended; `shared`: others hold it, it lives on; `gone`: it does not answer. */
export type Departure = 'last' | 'shared' | 'gone';

export type RedisHolder = {
  /** The process id of the server when it was taken hold of. */
  pid: number;
  /** Gives up the hold. `beforeStop` is called with the server's pid when it is about to be stopped. Never rejects. */
  leave: (beforeStop: (pid: number) => void) => Promise<Departure>;
};

/** Takes hold of the server behind a socket. Rejects when none answers there, or when it ends in this moment. */
export async function holdRedis(path: string, giveUp: AbortSignal): Promise<RedisHolder> {
  const hold = { isKept: false };
  const redis = createConnection(path, () => hold.isKept);
  try {
    await redis.connect();
    await redis.client('SETNAME', HOLDER);
    while ((await clientNames(redis)).includes(LEAVER)) await sleep(LOOK_AGAIN_MS, undefined, { signal: giveUp });
    await redis.ping();
    const pid = await processId(redis);
    hold.isKept = true;
    return {
      pid,
      leave: async (beforeStop) => {
        hold.isKept = false;
        return leave(redis, beforeStop).finally(() => disconnect(redis));
      },
    };
  } catch (error) {
    disconnect(redis);
    throw error;
  }
}

function createConnection(path: string, isKept: () => boolean): Redis {
  const redis = new Redis({
    path,
    lazyConnect: true,
    connectionName: HOLDER,
    disableClientInfo: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    disconnectTimeout: FAREWELL_LIMIT_MS,
    // If the server dies and another process restarts it, the hold is renewed under the name above.
    retryStrategy: () => (isKept() ? RECONNECT_MS : null),
  });
  // A lost connection shows in its status; without a listener ioredis writes it to the console.
  redis.on('error', () => undefined);
  return redis;
}

async function leave(redis: Redis, beforeStop: (pid: number) => void): Promise<Departure> {
  if (redis.status !== 'ready') return 'gone';
  try {
    await redis.client('SETNAME', LEAVER);
    if ((await clientNames(redis)).includes(HOLDER)) return 'shared';
    const pid = await processId(redis);
    beforeStop(pid);
    await stop(redis, pid);
    return 'last';
  } catch {
    return 'gone';
  }
}

/** The connection stays open meanwhile: while it is on the list, no process takes hold of a server that is stopping. */
async function stop(redis: Redis, pid: number): Promise<void> {
  // The answer to a SHUTDOWN that works is the end of the connection.
  await redis.shutdown().catch(() => undefined);
  for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS; waitedMs += LOOK_AGAIN_MS) {
    if (!isAlive(pid)) return;
    await sleep(LOOK_AGAIN_MS);
  }
  // What was acknowledged is on disk already (appendfsync always).
  process.kill(pid, 'SIGKILL');
}

/** A connection that has ended already is left alone: ioredis would wait for its end once more, and the process with it. */
function disconnect(redis: Redis): void {
  if (redis.status !== 'end') redis.disconnect();
}

async function clientNames(redis: Redis): Promise<string[]> {
  const list = String(await redis.client('LIST'));
  return [...list.matchAll(/ name=(\S*)/g)].map(([, name = '']) => name);
}

async function processId(redis: Redis): Promise<number> {
  const found = /^process_id:(\d+)/m.exec(await redis.info('server'))?.[1];
  if (found === undefined) throw new Error('the private Redis does not tell its process id');
  return Number(found);
}
