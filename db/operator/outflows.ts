import { and, asc, eq, isNull } from 'drizzle-orm';
import type { ObservedTransfer } from '../../core/observed.ts';
import { landTransfer } from '../scan/land-transfer.ts';
import type { Store } from '../store/store.ts';

/**
 * Looks again at transfers that left us and that nothing explained when they were seen: the books may know more now, as
 * after a deposit that was not final then. Answers how many are explained, and how many are not.
 */
export async function explainOutflows(store: Store, nowMs: number): Promise<{ explained: number; left: number }> {
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
        ),
      )
      .orderBy(asc(observedTransfers.block), asc(observedTransfers.logIndex));
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
      const landed = { fact, landing, transaction, block };
      const transferId = await landTransfer(db, store, network, transfer, landed, nowMs);
      if (transferId === null) continue;
      const consumedBy = `transfer:${transferId}`;
      await db.update(observedTransfers).set({ consumedBy }).where(eq(observedTransfers.fact, fact));
      explained += 1;
    }
    return { explained, left: open.length - explained };
  });
}
