import type { Network } from '../../core/networks.ts';
import { hasOpenWork } from '../../db/scan/waiting.ts';
import type { Store } from '../../db/store/store.ts';

type Resting = { store: Pick<Store, 'read'>; profile: { network: Network }; pace: { idleEveryMs?: number } };

/**
 * The pace of a loop that finds its work in rows. Where nothing is open on its network it rests: new work wakes it, and
 * work that nobody announces waits until the next look.
 */
export function createRest({ store, profile, pace }: Resting, busyMs: number) {
  const { idleEveryMs = busyMs } = pace;
  let isBusy = true;
  return {
    isBusy: () => isBusy,
    /** Work has come; until the next look it counts as open. True: it ends a rest. */
    noteWork(): boolean {
      const wasResting = !isBusy;
      isBusy = true;
      return wasResting;
    },
    everyMs: () => (isBusy ? busyMs : Math.max(busyMs, idleEveryMs)),
    /** At the end of a step. */
    look: async (): Promise<void> => {
      isBusy = idleEveryMs <= busyMs || (await hasOpenWork(store, profile.network));
    },
  };
}
