import type { Log } from '../shared/log.ts';
import { within } from '../../queue/deadline.ts';
import type { Calls } from './calls.ts';

const KEPT_MAX = 10_000;
const ASKED_MAX = 5;
/** After this the tip goes on: if nobody collects it, it comes back. */
const LIMIT_MS = 2_000;

/** Says which accounts are not people. */
export type Programs = { among: (ids: readonly string[]) => Promise<string[]> };

/**
 * Asks Discord about typed ids; for chosen ones it has answered already. An account never changes kind, so answers are
 * kept.
 */
export function createPrograms({ calls, log }: { calls: Pick<Calls, 'isProgram'>; log: Log }): Programs {
  const known = new Map<string, boolean>();
  const isProgram = async (id: string): Promise<boolean> => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const found = await within(calls.isProgram(id), LIMIT_MS, 'asking about an account');
    if (known.size >= KEPT_MAX) known.clear();
    known.set(id, found);
    return found;
  };
  return {
    async among(ids) {
      const asked = ids.slice(0, ASKED_MAX);
      const found = await Promise.allSettled(asked.map(isProgram));
      if (found.some(({ status }) => status === 'rejected')) log.warn({}, 'Discord did not say who is a program');
      return asked.filter((_, index) => {
        const one = found[index];
        return one?.status === 'fulfilled' && one.value;
      });
    },
  };
}
