import { expireTreasuryWithdrawals } from '../../db/bot/treasury-withdrawals.ts';
import type { CoreDeps } from './dependencies.ts';
import { noteBalances } from './treasury-balance.ts';
import { showCard } from './treasury-press.ts';

const EXPIRED_AT_ONCE = 100;

export type TreasuryWork = {
  /** Returns at once; what is asked of networks takes its time. */
  resume: () => Promise<void>;
  idle: () => Promise<void>;
};

/** What has to be done about treasuries when nobody asks. */
export function createTreasuryWork(deps: CoreDeps): TreasuryWork {
  let running: Promise<void> | null = null;
  return {
    async resume() {
      running ??= work(deps)
        .catch((error: unknown) => {
          if (deps.closing.aborted) return;
          deps.log.error({ error: String(error) }, 'treasuries could not be looked after');
        })
        .finally(() => (running = null));
    },
    async idle() {
      await running;
    },
  };
}

async function work(deps: CoreDeps): Promise<void> {
  for (const row of await expireTreasuryWithdrawals(deps.store, deps.clock.now(), EXPIRED_AT_ONCE)) {
    await showCard(deps, row);
  }
  await noteBalances(deps);
}
