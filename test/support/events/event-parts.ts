/** What tells endpoints, for tests: a secret of its own, and receivers on this machine. */
import { createEventSecrets } from '../../../chain/event-secrets.ts';
import { NETWORKS } from '../../../core/networks.ts';
import { createReceiverFetch } from '../../../identity/receivers.ts';
import { createRateLimiter } from '../../../queue/rate-limiter.ts';

const TREASURY_KEYS = new Map(NETWORKS.map((network, index) => [network, new Uint8Array(32).fill(index + 1)]));

export const testEventSecrets = createEventSecrets(TREASURY_KEYS);

export function createTestEvents() {
  const fetch = createReceiverFetch({ isLocal: true, dnsServers: [] });
  const unlimited = createRateLimiter(0, () => Date.now());
  const hosts = { callerToHost: unlimited, host: unlimited, all: unlimited };
  const limits = { caller: unlimited, ...hosts, tasks: hosts };
  const limiters = { hostLimiter: unlimited, payerLimiter: unlimited };
  const ofTasks = { taskHostLimiter: unlimited, openerLimiter: unlimited };
  return {
    api: { secrets: testEventSecrets, fetch, limits, allowsHttp: true },
    worker: { secrets: testEventSecrets, fetch, ...limiters, ...ofTasks },
    close: () => fetch.close(),
  };
}
