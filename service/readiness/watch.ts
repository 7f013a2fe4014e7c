import type { Logger } from 'pino';
import { networkTitle } from '../../core/networks.ts';
import type { Health } from '../../api/health/health.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { Waits } from './waits.ts';

const EVERY_MS = 1_000;

export type WatchOptions = {
  readHealth: () => Promise<Health>;
  /** A chain that has not answered yet is waited for under its own name. */
  isOpen: (network: string) => boolean;
  waits: Waits;
  log: Logger;
};

/** Tells in words when another role or a network is missing, and when it is there. */
export function startWatch({ readHealth, isOpen, waits, log }: WatchOptions): Job {
  const report = (what: string, reason: string | null): void => {
    if (reason === null) waits.there(what);
    else waits.missing(what, reason);
  };
  return startJob({
    name: 'watch',
    everyMs: EVERY_MS,
    log,
    step: async () => {
      const health = await readHealth();
      const hasWorker = health.parts.worker === 'ok';
      report('a worker', hasWorker ? null : 'none gives a sign of life, so nothing is settled or paid out');
      for (const [network, sign] of Object.entries(health.networks)) {
        const isMissing = hasWorker && isOpen(network) && sign === 'down';
        report(networkTitle(network, null), isMissing ? 'its chain is not read to its newest block' : null);
      }
    },
  });
}
