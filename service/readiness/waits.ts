import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Misconfigured } from '../../core/config/misconfigured.ts';

/** Something that is missing for less than this is not reported: one lost answer is normal, and workers beat every 2 s. */
const TOLD_AFTER_MS = 3_000;
const TOLD_AGAIN_MS = 30_000;
const ASK_EVERY_MS = 500;
const REASON_MAX = 200;

/**
 * What this process waits for. Each missing thing is told in one line, again every 30 seconds, and in one line when it
 * is there.
 */
export type Waits = {
  /** Asks until there is an answer. Throws what waiting does not cure: see `isPassing`, Misconfigured, and the closing. */
  until: <T>(what: string, ask: () => Promise<T>, isPassing?: (error: unknown) => boolean) => Promise<T>;
  /** May be called again, with a newer reason. */
  missing: (what: string, reason: string) => void;
  there: (what: string) => void;
  /** What is missing now, in the words of the lines. */
  names: () => string[];
};

type Missing = { sinceMs: number; reason: string; isTold: boolean; timer: NodeJS.Timeout };

export type WaitsOptions = { log: Logger; progress: (text: string) => void; closing: AbortSignal };

export function createWaits({ log, progress, closing }: WaitsOptions): Waits {
  const entries = new Map<string, Missing>();
  const secondsSince = ({ sinceMs }: Missing) => Math.round((performance.now() - sinceMs) / 1_000);
  closing.addEventListener('abort', () => entries.forEach(({ timer }) => clearTimeout(timer)), { once: true });

  function tell(what: string, entry: Missing): void {
    const { reason, isTold } = entry;
    const line = isTold
      ? `Still waiting for ${what}, for ${secondsSince(entry)} s now: ${reason}.`
      : `Waiting for ${what}: ${reason}.`;
    log.warn({ waitingFor: what, reason }, line);
    progress(line);
    entry.isTold = true;
    entry.timer = tellIn(what, entry, TOLD_AGAIN_MS);
  }

  function tellIn(what: string, entry: Missing, ms: number): NodeJS.Timeout {
    // The waiting itself keeps the process alive; the line need not.
    return setTimeout(() => tell(what, entry), ms).unref();
  }

  function missing(what: string, reason: string): void {
    if (closing.aborted) return;
    const known = entries.get(what);
    if (known !== undefined) return void (known.reason = reason);
    const entry: Missing = { sinceMs: performance.now(), reason, isTold: false, timer: setTimeout(() => undefined, 0) };
    entry.timer = tellIn(what, entry, TOLD_AFTER_MS);
    entries.set(what, entry);
  }

  function there(what: string): void {
    const entry = entries.get(what);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    entries.delete(what);
    if (!entry.isTold) return;
    const line = `${what.slice(0, 1).toUpperCase()}${what.slice(1)} is there, after ${secondsSince(entry)} s.`;
    log.info({ waitedFor: what }, line);
    progress(line);
  }

  async function until<T>(what: string, ask: () => Promise<T>, isPassing = (_error: unknown) => true): Promise<T> {
    missing(what, 'no answer yet');
    for (;;) {
      try {
        closing.throwIfAborted();
        const answer = await ask();
        there(what);
        return answer;
      } catch (error) {
        if (closing.aborted || error instanceof Misconfigured || !isPassing(error)) throw error;
        missing(what, reasonOf(error));
        await sleep(ASK_EVERY_MS, undefined, { signal: closing });
      }
    }
  }

  return { until, missing, there, names: () => [...entries.keys()] };
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'its host has no address',
  ETIMEDOUT: 'no answer',
};

/** In few words, without the address: it may hold a password. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = IN_WORDS[code];
  if (known !== undefined) return `${known} (${code})`;
  if (/^E[A-Z_]+$/.test(code)) return code;
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, REASON_MAX);
}
