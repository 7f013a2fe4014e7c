import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import { hasSameLogin, parseAddress } from './address.ts';
import { waitAtMost } from './deadline.ts';
import type { Outage } from './outage.ts';

/** A unix socket, or REDIS_URL as it was written; several addresses with commas are a cluster. `tls`: for rediss:// only. */
export type RedisTarget = { path: string } | { url: string; tls?: RedisTls };
/** In PEM: who signs the servers' certificates, when not a public authority, and what we show where they ask for ours. */
export type RedisTls = { ca?: string; cert?: string; key?: string };
export type RedisClient = Redis | Cluster;

/** A producer must never wait; a worker's blocking call must never be abandoned. */
export type RedisUse = 'producer' | 'worker';
export type ParsedRedis =
  | ({ kind: 'single' } & Record<RedisUse, RedisOptions>)
  | ({ kind: 'cluster'; nodes: { host: string; port: number }[] } & Record<RedisUse, ClusterOptions>);

/**
 * Begins every key and channel. The braces keep all keys in one hash slot; without them a cluster answers CROSSSLOT.
 */
export const REDIS_PREFIX = '{pay}';

const CLOSE_LIMIT_MS = 1_000;

const COMMON = {
  connectTimeout: 2_000,
  // A hung server never closes its side, so ours is closed after this time.
  disconnectTimeout: 200,
  retryStrategy: retryDelayMs,
  // ioredis subscribes again without a catch, so a connection lost at that moment would end the process.
  autoResubscribe: false,
} as const satisfies RedisOptions;

const BY_USE = {
  // The only combination in which a call against a hung or absent server returns.
  producer: {
    ...COMMON,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 1_000,
    // Cuts a hung connection, so that what was written to it does not pile up in memory.
    socketTimeout: 3_000,
  },
  // No command limit: the blocking call waits for seconds on purpose, well below the socket's limit.
  worker: { ...COMMON, maxRetriesPerRequest: null, socketTimeout: 12_000 },
} as const satisfies Record<RedisUse, RedisOptions>;

/** Options for both uses. Throws an Error without the address in it: an address may hold a password. */
export function parseRedis(target: RedisTarget): ParsedRedis {
  if ('path' in target) return singleOptions({ path: target.path });
  const [first = '', ...rest] = target.url.split(',');
  const { host, port, db, ...written } = parseAddress(first);
  const login = written.tls === undefined ? written : { ...written, tls: { ...target.tls } };
  if (rest.length === 0) return singleOptions({ host, port, db, ...login });
  const others = rest.map(parseAddress);
  if (others.some((other) => !hasSameLogin(login, other))) {
    throw new Error('REDIS_URL: the addresses of a cluster must agree in user, password and redis:// or rediss://.');
  }
  if (db !== 0 || others.some((other) => other.db !== 0)) {
    throw new Error('REDIS_URL: a cluster has no numbered databases; leave out the number.');
  }
  const nodes = [{ host, port }, ...others.map((other) => ({ host: other.host, port: other.port }))];
  return {
    kind: 'cluster',
    nodes,
    producer: clusterOptions('producer', login),
    worker: clusterOptions('worker', login),
  };
}

/**
 * A client that connects by itself, for ever, until `closeRedis`. `name` is what CLIENT LIST shows. Watch it through
 * `outage` only: errors on the way are normal and are told there.
 */
export function openRedis(target: RedisTarget, use: RedisUse, name: string, outage: Outage): RedisClient {
  const parsed = parseRedis(target);
  const redis =
    parsed.kind === 'single'
      ? new Redis({ ...parsed[use], connectionName: name })
      : new Cluster(parsed.nodes, {
          ...parsed[use],
          redisOptions: { ...parsed[use].redisOptions, connectionName: name },
        });
  outage.watch(redis);
  return redis;
}

/** Cuts the connection without a farewell, so that a hung server cannot delay it. Waiting commands are refused. */
export async function closeRedis(redis: RedisClient): Promise<void> {
  if (hasEnded(redis)) return;
  const ended = new Promise((resolve) => redis.once('end', resolve));
  // Between two attempts ioredis only stops its timer: 'end' would never come, and queued commands would wait for ever.
  // One more attempt, cut at once, makes it finish both.
  if (redis.status === 'reconnecting') {
    redis.disconnect();
    redis.connect().catch(() => undefined);
  }
  // The same is true of a cluster that still looks up the names of its nodes.
  if (redis instanceof Cluster && redis.nodes().length === 0) {
    const found = new Promise((resolve) => redis.once('+node', () => setImmediate(resolve)));
    await waitAtMost(Promise.race([ended, found]), CLOSE_LIMIT_MS);
  }
  if (!hasEnded(redis)) redis.disconnect();
  await waitAtMost(ended, CLOSE_LIMIT_MS);
}

function hasEnded(redis: RedisClient): boolean {
  return redis.status === 'end';
}

function singleOptions(address: RedisOptions): ParsedRedis {
  return { kind: 'single', producer: { ...BY_USE.producer, ...address }, worker: { ...BY_USE.worker, ...address } };
}

function clusterOptions(use: RedisUse, login: RedisOptions): ClusterOptions {
  // Nodes are found anew by the cluster itself, so the retry of a single node stays off.
  const { retryStrategy: _retryStrategy, ...options } = BY_USE[use];
  return {
    clusterRetryStrategy: retryDelayMs,
    enableOfflineQueue: use === 'worker',
    redisOptions: { ...options, ...login },
    // A certificate names a host: with TLS the name must reach the handshake unresolved.
    ...(login.tls !== undefined && { dnsLookup: (host, found) => found(null, host) }),
  };
}

function retryDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** (attempt - 1), 1_000);
}
