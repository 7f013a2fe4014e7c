import { and, asc, eq, isNull, not } from 'drizzle-orm';
import type { StopScope } from '../../core/payments/outages.ts';
import { leftFormer } from '../rotations/formers.ts';
import { landOutflow } from '../scan/land-outflow.ts';
import type { Store } from '../store/store.ts';

/**
 * Looks again at transfers that left us and that nothing explained when they were seen: the books may know more now, as
 * after a deposit that was not final then. Answers how many are explained, and how many are not. What left a former address
 * stops nothing and is booked by the scan.
 */
export async function explainOutflows(
  store: Store,
  scope: StopScope,
  nowMs: number,
): Promise<{ explained: number; left: number }> {
  const { observedTransfers } = store.tables;
  return store.tx(async (db) => {
    const open = await db
      .select()
      .from(observedTransfers)
      .where(
        and(
          eq(observedTransfers.outgoing, true),
          eq(observedTransfers.landed, true),
          isNull(observedTransfers.consumedBy),
          not(leftFormer(store.tables)),
          ...(scope === 'all' ? [] : [eq(observedTransfers.network, scope)]),
        ),
      )
      .orderBy(asc(observedTransfers.block), asc(observedTransfers.logIndex));
    let explained = 0;
    for (const row of open) if (await landOutflow(db, store, row, nowMs)) explained += 1;
    return { explained, left: open.length - explained };
  });
}
