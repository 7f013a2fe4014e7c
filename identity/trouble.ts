import type { Platform } from '../core/platforms/platforms.ts';

/** The part of the service's log that identity/ uses. */
export type Log = { warn: (details: object, text: string) => void };

/** Reports why a platform gave no usable answer: a fault or a status, never a handle, URL or token. */
export type ReportTrouble = (reason: string) => void;

/** A platform that is down fails every payment in the same way, so it is logged once in this time. */
const QUIET_MS = 10 * 60_000;

export function createTroubleReport(platform: Platform, { log, now }: { log: Log; now: () => number }): ReportTrouble {
  const reportedAtMs = new Map<string, number>();
  return (reason) => {
    const last = reportedAtMs.get(reason);
    if (last !== undefined && now() - last < QUIET_MS) return;
    reportedAtMs.set(reason, now());
    log.warn({ platform, reason }, 'identity provider gave no usable answer');
  };
}
