import { Cluster, type Redis } from 'ioredis';
import { Misconfigured } from '../core/config/misconfigured.ts';
import { closeRedis, openRedis, REDIS_PREFIX, type RedisClient, type RedisTarget } from './connection.ts';
import { waitAtMost } from './deadline.ts';
import { createOutage, type QueueLog } from './outage.ts';

const STAMP_KEY = `${REDIS_PREFIX}:stamp`;
const STAMP_FIELDS = ['mode', 'chain', 'token', 'treasury'] as const;

/** Values that must be equal for all processes on one Redis. Compared as text, so write addresses in one form. */
export type Stamp = Record<(typeof STAMP_FIELDS)[number], string>;

/** `away`: it did not answer in time, which is survivable. `unsure`: it is ours, and does not tell whether it evicts. */
export type RedisVerdict = 'usable' | 'unsure' | 'away';

const START_LIMIT_MS = 3_000;

/** Throws what `readPolicy` and `stampRedis` throw. */
export async function checkRedis(options: { target: RedisTarget; stamp: Stamp; log: QueueLog }): Promise<RedisVerdict> {
  const redis = openRedis(options.target, 'producer', 'pennypost-check', createOutage('start check', options.log));
  try {
    await waitAtMost(new Promise((resolve) => redis.once('ready', resolve)), START_LIMIT_MS);
    if (redis.status !== 'ready') return 'away';
    const policy = await readPolicy(redis);
    await stampRedis(redis, options.stamp);
    return policy === 'untold' ? 'unsure' : 'usable';
  } finally {
    await closeRedis(redis);
  }
}

/** The same question without a stamp, for a look before the first start. Throws where nobody answers in time. */
export async function askPolicy(target: RedisTarget): Promise<'noeviction' | 'untold'> {
  const untold = { info: () => undefined, warn: () => undefined };
  const redis = openRedis(target, 'producer', 'pennypost-doctor', createOutage('doctor', untold));
  try {
    await waitAtMost(new Promise((resolve) => redis.once('ready', resolve)), START_LIMIT_MS);
    if (redis.status !== 'ready') throw new Error('it does not answer in time');
    return await readPolicy(redis);
  } finally {
    await closeRedis(redis);
  }
}

/**
 * Throws Misconfigured when a server may evict keys: wake-ups would vanish in the middle, and the stamp with them. A
 * managed Redis may refuse to tell. A master of a cluster that is away for the moment is left out.
 */
export async function readPolicy(redis: RedisClient): Promise<'noeviction' | 'untold'> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const asked = await Promise.allSettled(servers.map(policyOf));
  const policies = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (policies.length === 0) throw new Error('no server of Redis told its maxmemory-policy in time');
  const wrong = policies.find((policy) => policy !== null && policy !== 'noeviction');
  if (wrong !== undefined) throw new Misconfigured(`Redis has maxmemory-policy ${wrong}; expected noeviction.`);
  return policies.includes(null) ? 'untold' : 'noeviction';
}

async function policyOf(server: Redis): Promise<string | null> {
  const memory = await unlessRefused(server.info('memory'));
  const told = /^maxmemory_policy:(\S+)/m.exec(memory ?? '')?.[1];
  if (told !== undefined) return told;
  const config = await unlessRefused(server.config('GET', 'maxmemory-policy'));
  return Array.isArray(config) && typeof config[1] === 'string' ? config[1] : null;
}

/** A server that is away is no refusal: its error is thrown. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return null;
    throw error;
  }
}

/** The first installation writes its values; one with other values gets a Misconfigured that names them. */
export async function stampRedis(redis: RedisClient, values: Stamp): Promise<void> {
  const written = await redis.set(STAMP_KEY, JSON.stringify(values), 'NX');
  if (written === 'OK') return;
  const found = parseStamp(await redis.get(STAMP_KEY));
  const different = STAMP_FIELDS.filter((field) => found[field] !== values[field]);
  if (different.length === 0) return;
  const list = different.map((field) => `${field} is ${JSON.stringify(found[field])} there, ${values[field]} here`);
  throw new Misconfigured(`Redis belongs to another installation: ${list.join('; ')}.`);
}

function parseStamp(text: string | null): Partial<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text ?? 'null');
    return typeof found === 'object' && found !== null ? { ...found } : {};
  } catch (cause) {
    throw new Misconfigured(`Redis holds an unreadable stamp under ${STAMP_KEY}.`, { cause });
  }
}
