import { hostOf } from '../../core/events/address.ts';
import { dueEndpoints, endEndpoint, restEndpoint, sealDue } from '../../db/events/deliveries.ts';
import { findEndpoint, forgetUnusedEndpoints, type EndpointRow } from '../../db/events/endpoints.ts';
import { openerOf } from '../../db/events/task-endpoints.ts';
import type { Holder } from '../../db/processes/holdings.ts';
import { jobHolding } from '../../db/processes/owner.ts';
import { startJob } from '../../queue/job.ts';
import type { RateLimiter } from '../../queue/rate-limiter.ts';
import { createRunner, type Runner, type RunnerHold } from '../../queue/runner.ts';
import { sendEvent, type EventSending } from './send.ts';

/**
 * Endpoints at once; one that hangs keeps its place for as long as a request may take. A task costs nothing to open, so its
 * endpoints have places of their own, and those of payers never wait for them.
 */
const AT_ONCE = { payers: 32, tasks: 8 } as const;
/** Of one endpoint, read at once. */
const DELIVERIES_MAX = 20;
/** A wake-up comes with each event; this finds those whose wake-up was lost. */
const PACE = { leastMs: 100, mostMs: 2_000 };
/** After a fault of ours. */
const PUT_OFF_MS = 60_000;

const FORGET_EVERY_MS = 10 * 60_000;

/** Requests a minute, over all endpoints: to a host and because of a payer; of tasks to a host and because of who opens them. */
export type EventTools = Pick<EventSending, 'secrets' | 'fetch'> & {
  hostLimiter: RateLimiter;
  payerLimiter: RateLimiter;
  taskHostLimiter: RateLimiter;
  openerLimiter: RateLimiter;
};

type EventsWorker = EventSending & EventTools;

export type RunningEvents = { wake: () => void; close: () => Promise<void> };

/** One worker at a time does it. */
export function startEvents(worker: EventsWorker & { holder: Holder }): RunningEvents {
  const { holder, store, now, log } = worker;
  const closing = new AbortController();
  const runners = (['payers', 'tasks'] as const).map((whose) =>
    createEvents(worker, whose, closing.signal, holder.want(jobHolding(`events of ${whose}`))),
  );
  const forgetting = startJob({
    name: 'unused endpoints',
    everyMs: FORGET_EVERY_MS,
    step: async () => void (await forgetUnusedEndpoints(store, now())),
    hold: holder.want(jobHolding('unused endpoints')),
    log,
  });
  for (const runner of runners) runner.start();
  return {
    // It takes as long as receivers do, so nobody waits for it.
    wake: () => void runners.map((runner) => runner.look()),
    close: async () => {
      closing.abort();
      await Promise.all([...runners.map((runner) => runner.idle()), forgetting.close()]);
    },
  };
}

/**
 * Tells endpoints what is due, each in the order of what happened and one at a time. All that counts is in the rows, so it
 * may end anywhere; what was sent and not noted is sent again under the same id.
 */
function createEvents(
  events: EventsWorker,
  whose: keyof typeof AT_ONCE,
  closing: AbortSignal,
  hold: RunnerHold,
): Runner {
  const { store, now, log } = events;
  return createRunner({
    name: `events of ${whose}`,
    due: (nowMs, limit, except) => dueEndpoints(store, nowMs, limit, except, whose),
    step: (endpointId) => tellEndpoint(events, endpointId, closing),
    putOff: async (endpointId, error) => {
      log.error({ err: error, endpointId }, 'an endpoint could not be told; it is tried again');
      await restEndpoint(store, endpointId, now() + PUT_OFF_MS);
    },
    concurrency: AT_ONCE[whose],
    pace: PACE,
    hold,
    clock: { now },
    closing,
    log,
  });
}

async function tellEndpoint(events: EventsWorker, endpointId: string, closing: AbortSignal): Promise<void> {
  const { store, now } = events;
  const endpoint = await findEndpoint(store, endpointId);
  if (endpoint === null || endpoint.endedAtMs !== null)
    return endEndpoint(store, endpointId, { reason: endpoint?.endReason ?? 'gone', nowMs: now() });
  const opener = endpoint.taskId === null ? null : await openerOf(store, endpoint.taskId);
  for (;;) {
    const due = await sealDue(store, endpointId, { nowMs: now(), limit: DELIVERIES_MAX });
    if (due.length === 0) return;
    for (const delivery of due) {
      const waitSeconds = takeBudget(events, endpoint, opener);
      if (waitSeconds > 0) return restEndpoint(store, endpointId, now() + waitSeconds * 1_000);
      if (closing.aborted || !(await sendEvent(events, endpoint, delivery, closing))) return;
    }
  }
}

/**
 * Zero where this request is within what a host, and whoever caused it, may have in a minute; else how long to wait. A task
 * has no payer yet, and its opener may open any number: they share one budget, and take nothing from those who pay.
 */
function takeBudget(events: EventsWorker, endpoint: EndpointRow, opener: string | null): number {
  const { url, network, payer, taskId } = endpoint;
  const budgets =
    taskId === null
      ? ([
          [events.payerLimiter, `${network} ${payer}`],
          [events.hostLimiter, hostOf(url)],
        ] as const)
      : ([
          [events.openerLimiter, opener ?? `task ${taskId}`],
          [events.taskHostLimiter, hostOf(url)],
        ] as const);
  for (const [limiter, key] of budgets) {
    if (!limiter.allows(key)) return limiter.retryAfterSeconds(key);
  }
  return 0;
}
