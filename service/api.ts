import { join } from 'node:path';
import { shownOperator } from './offers/operator.ts';
import { trustProxies } from '../api/http/proxies.ts';
import { randomBytes } from 'node:crypto';
import type { ApiDependencies } from '../api/environment/dependencies.ts';
import { createCosts } from '../api/costs/costs.ts';
import { createResponses } from '../api/responses/responses.ts';
import { createRewards } from '../api/rewards/offers/offer.ts';
import { createIds } from '../core/ids.ts';
import type { RunningWorker } from '../worker/start.ts';
import { createCollecting } from './claims.ts';
import { createScreen } from './screening/screen.ts';
import type { SharedParts } from './shared-parts.ts';
import { connectionLimits } from './http/connections.ts';
import type { ServiceOptions } from './options.ts';

const SETTLEMENT_WAIT_MS = 20_000;
const PAYER_PER_MINUTE = 60;
/** Pages, their changes and steps that one person takes in a minute, several times. */
const LINK_PER_MINUTE = 60;
/** Creating a reward asks a Farcaster hub many questions. */
const REWARDS_PER_MINUTE = 20;
/** Distributions per IP and day without an attempt to pay; one that pays has no limit. */
const REWARDS_UNTRIED_MAX = 100;
/** Each reads every few seconds, unless others watch the same. */
const STREAMS_MAX = 512;
const DAY_MS = 24 * 3_600_000;

/** The API's dependencies, from the parts that the process shares. `worker` is null where another process runs it. */
export function toApiDependencies(
  options: ServiceOptions,
  shared: SharedParts,
  worker: RunningWorker | null,
  startedAtMs: number,
): ApiDependencies {
  const { config, log, failpoint, tracing } = options;
  const { store, lease, networks, queue, environment, baseUrl } = shared;
  const isLocal = config.mode === 'local';
  const responses = createResponses({ store, lease, log, announcer: queue });
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
    callerLimiter: queue.limits.perMinute('requests', config.limits.requestsPerMinute),
    linkLimiter: queue.limits.perMinute('links', LINK_PER_MINUTE),
    payerLimiter: queue.limits.perMinute('payments', isLocal ? 0 : PAYER_PER_MINUTE),
    // A stream keeps its socket, so half of them are left to all other requests.
    streamsMax: Math.min(STREAMS_MAX, Math.floor(connectionLimits().total / 2)),
    networks: [...networks.values()].map(({ apiNetwork }) => apiNetwork),
    notify,
    waitForChange: (id, timeoutMs, signal) => queue.waitFor(`payment:${id}`, timeoutMs, signal),
    responses: tracing?.watch(responses) ?? responses,
    ...(tracing && { traces: tracing.requests }),
    queueAnswers: queue.answers,
    collecting: createCollecting(options, shared, () => notify(null)),
    costs: createCosts({
      store,
      now: () => Date.now(),
      rules: config.costs,
      ageMinMs: config.solana.accountAgeDays * DAY_MS,
    }),
    screen: createScreen(config, { store, now: () => Date.now(), log }),
    events: shared.events.api,
    rewards: environment.hub && createRewards(environment.hub, toRewardLimits(isLocal, queue)),
    settings: {
      baseUrl,
      feeBps: config.fees.bps,
      feeFlat: config.fees.flatMicroUsdc,
      claimTtlMs: config.limits.claimTtlDays * DAY_MS,
      settlementWaitMs: options.settlementWaitMs ?? SETTLEMENT_WAIT_MS,
      localMode: isLocal,
      picturesDir: join(config.dataDir, 'pictures'),
      reservationsMax: config.limits.reservationsMax,
      botApiToken: environment.botApiToken,
      paymentChallenges: config.paymentChallenges,
      isTrustedProxy: trustProxies(config.http.trustedProxies),
      operator: shownOperator(config),
    },
  };
}

/** In local mode all callers share one address. */
function toRewardLimits(isLocal: boolean, { limits }: Pick<SharedParts['queue'], 'limits'>) {
  const creationLimiter = limits.perMinute('rewards made', isLocal ? 0 : REWARDS_PER_MINUTE);
  return { creationLimiter, untriedMax: isLocal ? null : REWARDS_UNTRIED_MAX };
}
