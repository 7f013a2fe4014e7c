import type { Logger } from 'pino';
import { createResponses, type CallerConnection } from '../../../api/responses/responses.ts';
import type { ProcessLease } from '../../../db/processes/owner.ts';
import type { Store } from '../../../db/store/store.ts';
import { createAnnouncer } from '../../../queue/announcer.ts';

/** Of a process that never loses it. */
export const STEADY_LEASE: ProcessLease = {
  owner: () => ({ process: 'test', epoch: 1 }),
  holds: () => true,
  onBeat: () => undefined,
  onLost: () => undefined,
};

/** The waiting callers of the only process there is. */
export function createTestResponses(store: Store, log: Logger) {
  return createResponses({ store, log, lease: STEADY_LEASE, announcer: createAnnouncer({ target: null, log }) });
}

/** A caller without a socket, which waits until it is answered. */
export function patientConnection(id: string): CallerConnection {
  const controller = new AbortController();
  return { id, signal: controller.signal, destroy: () => controller.abort() };
}
