import { expireTreasuryWithdrawals } from '../../db/treasury/treasury-withdrawals.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { noteBalances } from './treasury-balance.ts';
import { showCard } from './treasury-press.ts';

const EXPIRED_AT_ONCE = 100;

/** What has to be done about treasuries when nobody asks. */
export async function lookAfterTreasuries(deps: CoreDeps): Promise<void> {
  for (const row of await expireTreasuryWithdrawals(deps.store, deps.clock.now(), EXPIRED_AT_ONCE)) {
    await showCard(deps, row);
  }
  await noteBalances(deps);
}
