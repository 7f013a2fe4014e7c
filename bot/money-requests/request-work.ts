import { REQUEST_KEPT_MS } from '../../core/money-requests/money-requests.ts';
import { dueRequests, endRequest, findRequest, forgetRequests } from '../../db/money-requests/money-requests.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { showRequest } from './request-views.ts';

const LOOKED_AT_ONCE = 100;

/** Ends what nobody has answered, and shows on its card how each one ended. It reminds nobody. */
export async function lookAfterRequests(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'random' | 'clock' | 'messengers'>,
): Promise<void> {
  const { store, clock } = deps;
  const nowMs = clock.now();
  for (const { id } of await dueRequests(store, nowMs, LOOKED_AT_ONCE)) {
    await endRequest(store, id, nowMs);
    const row = await findRequest(store, id);
    if (row) await showRequest(deps, row);
  }
  await forgetRequests(store, nowMs - REQUEST_KEPT_MS, nowMs);
}
