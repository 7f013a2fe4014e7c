import { and, asc, eq, isNull } from 'drizzle-orm';
import type { ObservedTransfer } from '../../core/observed.ts';
import { landPayout } from '../payouts/land.ts';
import type { Store } from '../store.ts';

/**
 * Looks again at transfers that left us and that nothing explained when they were seen: the books may know more now, as
 * after a deposit that was not final then. Answers how many are explained, and how many are not.
 */
export async function explainOutflows(store: Store, nowMs: number): Promise<{ explained: number; left: number }> {
  const { transfers } = store.tables;
  return store.tx(async (db) => {
    const open = await db
      .select()
      .from(transfers)
      .where(and(eq(transfers.outgoing, true), eq(transfers.landed, true), isNull(transfers.consumedBy)))
      .orderBy(asc(transfers.block), asc(transfers.logIndex));
    let explained = 0;
    for (const row of open) {
      const { network, fact, transaction, block, blockHash, logIndex, landings: landing } = row;
      const transfer: ObservedTransfer = {
        transaction,
        logIndex,
        position: logIndex,
        block,
        blockHash,
        from: row.fromAddress,
        to: row.toAddress,
        value: row.amountMicroUsdc,
        ...(row.authorizer === null ? {} : { authorizer: row.authorizer }),
        ...(row.nonce === null ? {} : { nonce: row.nonce }),
      };
      const payoutId = await landPayout(db, store, network, transfer, { fact, landing, transaction, block }, nowMs);
      if (payoutId === null) continue;
      await db
        .update(transfers)
        .set({ consumedBy: `payout:${payoutId}` })
        .where(eq(transfers.fact, fact));
      explained += 1;
    }
    return { explained, left: open.length - explained };
  });
}
