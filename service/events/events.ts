import type { Events } from '../../api/environment/dependencies.ts';
import { createEventSecrets, type EventSecrets } from '../../chain/event-secrets.ts';
import type { Config } from '../../core/config/config.ts';
import { createReceiverFetch } from '../../identity/receivers.ts';
import type { GuardedFetch } from '../../identity/guarded-fetch.ts';
import type { RateLimiter, RateLimits } from '../../queue/rate-limiter.ts';
import { treasuryKeysOf } from '../networks/keys.ts';

/** Requests a minute: to one host, and because of one payer, whose 60 payments a minute have up to four events each. */
const HOST_PER_MINUTE = 600;
const PAYER_PER_MINUTE = 240;
/** The same for tasks, which cost nothing to open: because of all tasks of one address, and to one host. */
const OPENER_PER_MINUTE = 240;
const TASK_HOST_PER_MINUTE = 300;
/** Challenges a minute: asked for by one caller, by one caller of one host, sent to one host, and in all. */
const CALLER_CHALLENGES = 10;
const CALLER_HOST_CHALLENGES = 3;
const HOST_CHALLENGES = 10;
const ALL_CHALLENGES = 120;

export type EventParts = {
  api: Events;
  worker: {
    secrets: EventSecrets;
    fetch: GuardedFetch;
    hostLimiter: RateLimiter;
    payerLimiter: RateLimiter;
    taskHostLimiter: RateLimiter;
    openerLimiter: RateLimiter;
  };
  close: () => Promise<void>;
};

/** What tells payers' endpoints, and registers them. In local mode all callers share one address, and hosts this machine. */
export function createEventParts(config: Config, limits: Pick<RateLimits, 'perMinute'>): EventParts {
  const isLocal = config.mode === 'local';
  const secrets = createEventSecrets(treasuryKeysOf(config));
  const fetch = createReceiverFetch({ isLocal, dnsServers: config.identity.dnsServers });
  const perMinute = (name: string, countMax: number) => limits.perMinute(name, isLocal ? 0 : countMax);
  return {
    api: {
      secrets,
      fetch,
      allowsHttp: isLocal,
      limits: {
        caller: perMinute('endpoints registered', CALLER_CHALLENGES),
        callerToHost: perMinute('challenges of a caller to a host', CALLER_HOST_CHALLENGES),
        host: perMinute('challenges to a host', HOST_CHALLENGES),
        all: perMinute('challenges', ALL_CHALLENGES),
        tasks: {
          callerToHost: perMinute('challenges of a task caller to a host', CALLER_HOST_CHALLENGES),
          host: perMinute('challenges of tasks to a host', HOST_CHALLENGES),
          all: perMinute('challenges of tasks', ALL_CHALLENGES),
        },
      },
    },
    worker: {
      secrets,
      fetch,
      hostLimiter: perMinute('events to a host', HOST_PER_MINUTE),
      payerLimiter: perMinute('events of a payer', PAYER_PER_MINUTE),
      taskHostLimiter: perMinute('events of tasks to a host', TASK_HOST_PER_MINUTE),
      openerLimiter: perMinute('events of an address', OPENER_PER_MINUTE),
    },
    close: () => fetch.close(),
  };
}
