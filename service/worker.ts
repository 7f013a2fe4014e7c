import { randomBytes } from 'node:crypto';
import { createIds } from '../core/ids.ts';
import { startWorker, type RunningWorker } from '../worker/start.ts';
import type { Foundations } from './foundations.ts';
import type { ServiceOptions } from './options.ts';

/** 0.001 gwei: Base includes such transactions in the next block outside of congestion. */
const TIP_WEI = 1_000_000n;

/** Starts the worker role on what the process shares. */
export function startWorkerRole(options: ServiceOptions, foundations: Foundations): Promise<RunningWorker> {
  const { config, log, failpoint } = options;
  const { store, parts, queue, baseUrl } = foundations;
  const now = () => Date.now();
  const local = config.mode === 'local';
  return startWorker({
    store,
    baseUrl,
    now,
    log,
    failpoint,
    senders: { web: queue.webSender(store, now) },
    ring: queue.ring,
    base: {
      store,
      ...parts,
      ids: createIds(randomBytes),
      now,
      log,
      failpoint,
      announce: (paymentIds) => paymentIds.forEach((id) => queue.announce(`payment:${id}`)),
      settings: {
        baseUrl,
        exposureCapMicroUsdc: config.limits.exposureCapMicroUsdc,
        refundMinMicroUsdc: config.limits.refundMinMicroUsdc,
        // Base seals a block every 2 s, the local chain every second.
        scanEveryMs: local ? 150 : 500,
        replaceAfterMs: local ? 5_000 : 8_000,
        tipWei: TIP_WEI,
      },
    },
  });
}
