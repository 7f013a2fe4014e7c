import type { Logger } from 'pino';
import { networkTitle, type Network } from '../../core/networks.ts';
import { OUTAGES, type Outage } from '../../core/payments/outages.ts';
import type { Settling } from '../../api/health/health.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { Waits } from './waits.ts';

const EVERY_MS = 1_000;

export type WatchOptions = {
  readSettling: () => Promise<Settling>;
  /** A chain that has not answered yet is waited for under its own name. */
  isOpen: (network: Network) => boolean;
  waits: Waits;
  log: Logger;
};

export type Watch = {
  /** From memory: every new payment asks. Until the first look all networks are out. */
  outageOf: (network: Network) => Outage | null;
  /** The first look. */
  look: () => Promise<void>;
  start: () => Job;
};

/** Checks what serves, and reports in words when another role or a network is missing, and when it is back. */
export function createWatch({ readSettling, isOpen, waits, log }: WatchOptions): Watch {
  const outages = new Map<Network, Outage | null>();
  const seen = new Map<Network, Outage | null>();
  const report = (what: string, reason: string | null): void => {
    if (reason === null) waits.there(what);
    else waits.missing(what, reason);
  };
  async function look(): Promise<void> {
    const { worker, networks } = await readSettling();
    const hasWorker = worker === 'ok';
    report('a worker', hasWorker ? null : 'none gives a sign of life, so nothing is settled or paid out');
    for (const { network, outage } of networks) {
      if (isBelieved(network, outage)) outages.set(network, outage);
      seen.set(network, outage);
      // Reported once for all of them already, or under the name of its node.
      const isTold = outage !== null && hasWorker && isOpen(network);
      report(networkTitle(network, null), isTold ? `${OUTAGES[outage]}; new payments are not offered there` : null);
    }
  }
  /**
   * This process may itself have stood still, and the worker in it or on the same machine with it: only a worker that gives
   * no sign of life until the next look is missing.
   */
  function isBelieved(network: Network, outage: Outage | null): boolean {
    return outage !== 'no_worker' || !seen.has(network) || seen.get(network) === 'no_worker';
  }
  return {
    look,
    outageOf: (network) => {
      const outage = outages.has(network) ? (outages.get(network) ?? null) : 'no_worker';
      return outage ?? (isOpen(network) ? null : 'no_answer');
    },
    start: () => startJob({ name: 'watch', everyMs: EVERY_MS, log, step: look }),
  };
}
