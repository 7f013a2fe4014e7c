import { and, gt, isNotNull, isNull, ne, or } from 'drizzle-orm';
import type { Store } from '../../db/store/store.ts';
import { selectWithdrawals, toWithdrawal, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import { markTold } from '../../db/withdrawals/notified.ts';

/** As the worker does where everybody who holds the wallet can be told at once. Answers what was told now. */
export async function tellAll(store: Store, nowMs: number): Promise<WithdrawalRow[]> {
  const { walletWithdrawals } = store.tables;
  const { notifiedAtMs, calledOffAtMs, status, countedOn, notBeforeMs, createdAtMs } = walletWithdrawals;
  const isToNewOne = or(gt(notBeforeMs, createdAtMs), isNotNull(countedOn));
  const untold = await selectWithdrawals(store.read, store.tables).where(
    and(isNull(notifiedAtMs), isNull(calledOffAtMs), ne(status, 'failed'), isToNewOne),
  );
  for (const { withdrawal } of untold) await markTold(store, withdrawal.id, nowMs);
  return untold.map(toWithdrawal);
}
