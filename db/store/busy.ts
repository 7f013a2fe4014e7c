import { setTimeout as pause } from 'node:timers/promises';
import { DrizzleQueryError } from 'drizzle-orm';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import type { Db } from './store.ts';

const PAUSE_MAX_MS = 20;

/** Another connection holds SQLite's lock, now or while it recovers or removes the log. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'SQLITE_BUSY' || code.startsWith('SQLITE_BUSY_');
}

/** Repeats while the database is busy. SQLite's own waiting would stop the event loop, and some locks it never waits for. */
export async function whileBusy<T>(attempt: () => T, limitMs: number): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pause(Math.random() * pauseMs);
  }
}

/**
 * SQLSTATE classes that pass with time: connection lost, too many connections, shut down or starting up, conflicts; and
 * a server that is read-only because another one is being made the primary.
 */
const PASSING_STATES = /^(?:08|53|57|40|25006|55P03)/;
const PASSING_ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether the database may answer later. A wrong password or a file that is no database does not pass. */
export function isDatabaseAway(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  if (!(cause instanceof Error) || cause instanceof Misconfigured) return false;
  if (!('code' in cause) || typeof cause.code !== 'string') {
    // The driver's time limits and lost connections have no code; mistakes of ours have a name.
    return cause.name === 'Error';
  }
  const { code } = cause;
  return PASSING_ERRNOS.has(code) || isBusy(cause) || (/^[0-9A-Z]{5}$/.test(code) && PASSING_STATES.test(code));
}

const turns = new WeakMap<Db, () => Promise<void>>();

/**
 * For what asks much in one transaction: lets everything else in the process go on, if it has waited long. SQLite's statements
 * run in the process itself and stop all else meanwhile; those of `prepare` do this by themselves.
 */
export async function takeTurn(db: Db): Promise<void> {
  await turns.get(db)?.();
}

/** For the stores whose statements stop the process. */
export function setTurns(db: Db, take: () => Promise<void>): void {
  turns.set(db, take);
}
