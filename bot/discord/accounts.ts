import type { Log } from '../shared/log.ts';
import { within } from '../../queue/deadline.ts';
import type { Calls } from './calls.ts';
import type { Person } from './event.ts';

const KEPT_MAX = 10_000;
const ASKED_MAX = 5;
/** After this the tip goes on: if nobody collects it, it comes back. */
const LIMIT_MS = 2_000;
/** People call themselves something else now and then; what kind an account is never changes. */
const NAMED_MS = 24 * 3_600_000;

/** Says who these accounts are: programs or people, and what they are called. Those of whom Discord says nothing are left out. */
export type Accounts = { among: (ids: readonly string[]) => Promise<Person[]> };

type Deps = { calls: Pick<Calls, 'readAccount'>; now: () => number; log: Log };

/** Asks Discord about typed ids; for chosen ones it has answered already. */
export function createAccounts({ calls, now, log }: Deps): Accounts {
  const known = new Map<string, { account: Omit<Person, 'id'>; atMs: number }>();
  const accountOf = async (id: string): Promise<Person[]> => {
    const before = known.get(id);
    if (before !== undefined && now() - before.atMs < NAMED_MS) return [{ id, ...before.account }];
    const account = await within(calls.readAccount(id), LIMIT_MS, 'asking about an account');
    if (account === null) return [];
    if (known.size >= KEPT_MAX) known.clear();
    known.set(id, { account, atMs: now() });
    return [{ id, ...account }];
  };
  return {
    async among(ids) {
      const found = await Promise.allSettled(ids.slice(0, ASKED_MAX).map(accountOf));
      if (found.some(({ status }) => status === 'rejected')) log.warn({}, 'Discord did not say who is a program');
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    },
  };
}
