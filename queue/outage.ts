import type { Cluster, Redis } from 'ioredis';

/** The part of the logger that this folder uses; a pino logger fits. */
export type QueueLog = {
  info: (fields: Record<string, unknown>, message: string) => void;
  warn: (fields: Record<string, unknown>, message: string) => void;
};

/** Logs one line when Redis goes away and one when it is back, for any number of connections and retries. */
export type Outage = {
  /** Every connection is watched: an ioredis client without an 'error' listener writes to the console instead. */
  watch: (redis: Redis | Cluster) => void;
  began: (error: unknown) => void;
  ended: () => void;
};

export function createOutage(user: string, log: QueueLog): Outage {
  let away = false;

  function began(error: unknown): void {
    if (away) return;
    away = true;
    log.warn({ user, reason: reasonOf(error) }, 'Redis is away or refuses; the work goes on without it');
  }

  function ended(): void {
    if (!away) return;
    away = false;
    log.info({ user }, 'Redis answers again');
  }

  function watch(redis: Redis | Cluster): void {
    redis.on('error', began);
    redis.on('ready', ended);
  }

  return { watch, began, ended };
}

/**
 * Only the text of an error: ioredis attaches the failed command to its errors, and for AUTH that contains the
 * password.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A cluster hides the cause one level down; a refused dual-stack connect has a code and no message.
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) {
    return `${error.message} ${reasonOf(error.lastNodeError)}`;
  }
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
