import { randomBytes } from 'node:crypto';
import type { ApiDependencies } from '../api/environment/dependencies.ts';
import { createRateLimiter } from '../api/limits/rate-limiter.ts';
import { createResponses } from '../api/responses/responses.ts';
import { createRewards } from '../api/rewards/offers/offer.ts';
import { createIds } from '../core/ids.ts';
import type { RunningWorker } from '../worker/start.ts';
import { createCollecting } from './claims.ts';
import type { SharedParts } from './shared-parts.ts';
import type { ServiceOptions } from './options.ts';

const SETTLEMENT_WAIT_MS = 20_000;
const PAYER_PER_MINUTE = 60;
/** Creating a reward asks a Farcaster hub many questions. */
const REWARDS_PER_MINUTE = 20;
const DAY_MS = 24 * 3_600_000;

/** The API's dependencies, from the parts that the process shares. `worker` is null where another process runs it. */
export function toApiDependencies(
  options: ServiceOptions,
  shared: SharedParts,
  worker: RunningWorker | null,
  startedAtMs: number,
): ApiDependencies {
  const { config, log, failpoint } = options;
  const { store, lease, networks, queue, environment, baseUrl } = shared;
  const { name, supportUrl = '', termsUrl = '' } = config.operator;
  const notify: ApiDependencies['notify'] = (outboxId) => {
    // In one process the worker is woken directly; elsewhere the queue carries the wake-up.
    if (worker !== null) worker.wake();
    else if (outboxId !== null) queue.notify([{ id: outboxId, topic: 'payment_reserved' }]);
  };
  return {
    store,
    identity: environment.identity,
    ids: createIds(randomBytes),
    now: () => Date.now(),
    log,
    startedAtMs,
    failpoint,
    callerLimiter: createRateLimiter(config.limits.requestsPerMinute, () => Date.now()),
    payerLimiter: createRateLimiter(config.mode === 'local' ? 0 : PAYER_PER_MINUTE, () => Date.now()),
    networks: [...networks.values()].map(({ apiNetwork }) => apiNetwork),
    notify,
    waitForChange: (id, timeoutMs, signal) => queue.waitFor(`payment:${id}`, timeoutMs, signal),
    responses: createResponses({ store, lease, log, announcer: queue }),
    queueAnswers: queue.answers,
    collecting: createCollecting(options, shared, () => notify(null)),
    rewards: environment.hub && createRewards(environment.hub, rewardLimits(config.mode)),
    settings: {
      baseUrl,
      feeBps: config.fees.bps,
      feeFlat: config.fees.flatMicroUsdc,
      claimTtlMs: config.limits.claimTtlDays * DAY_MS,
      settlementWaitMs: options.settlementWaitMs ?? SETTLEMENT_WAIT_MS,
      localMode: config.mode === 'local',
      botApiToken: environment.botApiToken,
      trustedProxies: config.http.trustedProxies,
      operator: { name, supportUrl, termsUrl },
    },
  };
}

function rewardLimits(mode: ServiceOptions['config']['mode']) {
  return { perMinute: mode === 'local' ? 0 : REWARDS_PER_MINUTE, now: () => Date.now() };
}
