import { setTimeout as pause } from 'node:timers/promises';

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
