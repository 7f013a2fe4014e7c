import { and, inArray, type SQL } from 'drizzle-orm';
import { suspenseReceived } from '../../core/ledger.ts';
import { postEntry } from '../ledger/ledger.ts';
import type { Db, Store } from '../store/store.ts';
import { isUnexplained } from '../tasks/fitting.ts';

/** In one step: strangers can send us thousands of small transfers, and a step that is too long rolls back for ever. */
const SUSPENSE_MAX = 500;

/** Those of the unexplained that are meant, at most `SUSPENSE_MAX`. Answers how many. */
export async function moveToSuspense(
  db: Db,
  store: Pick<Store, 'tables'>,
  which: SQL | undefined,
  nowMs: number,
): Promise<number> {
  const { observedTransfers } = store.tables;
  const due = db
    .select({ fact: observedTransfers.fact })
    .from(observedTransfers)
    // An outflow that no row explains is not money that arrived; it keeps signing stopped instead.
    .where(and(which, isUnexplained(store.tables)))
    .limit(SUSPENSE_MAX);
  const rows = await db
    .update(observedTransfers)
    .set({ consumedBy: 'suspense', returnWanted: false })
    .where(inArray(observedTransfers.fact, due))
    .returning();
  for (const { network, toAddress: address, fact, landings: landing, amountMicroUsdc: amount } of rows)
    await postEntry(db, store.tables, suspenseReceived({ network, address, fact, landing, amount }), nowMs);
  return rows.length;
}
