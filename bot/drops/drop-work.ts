import { DROP_KEPT_MS } from '../../core/drops/drops.ts';
import { closeDrop, dueDrops, endDrop, forgetDrops } from '../../db/drops/drops.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { showDrop } from './drop-views.ts';

const LOOKED_AT_ONCE = 100;

/** Closes each drop when its time is over, ends what its giver did not pay, and shows on the card how each one ended. */
export async function lookAfterDrops(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'random' | 'clock' | 'messengers' | 'failpoint'>,
): Promise<void> {
  const { store, clock } = deps;
  const nowMs = clock.now();
  for (const { id, status } of await dueDrops(store, nowMs, LOOKED_AT_ONCE)) {
    if (status === 'open') {
      await closeDrop(store, id, nowMs);
      deps.failpoint?.('drop.after-close');
    }
    if (status === 'closed') await endDrop(store, id, { reason: 'lapsed', nowMs });
    await showDrop(deps, id);
  }
  await forgetDrops(store, nowMs - DROP_KEPT_MS, LOOKED_AT_ONCE);
}
