import { and, asc, eq, isNull } from 'drizzle-orm';
import type { StopScope } from '../../core/payments/outages.ts';
import type { ObservedTransfer } from '../../core/observed.ts';
import { landTransfer } from '../scan/land-transfer.ts';
import type { Db, Store } from '../store/store.ts';

/**
 * Looks again at transfers that left us and that nothing explained when they were seen: the books may know more now, as
 * after a deposit that was not final then. Answers how many are explained, and how many are not.
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
          ...(scope === 'all' ? [] : [eq(observedTransfers.network, scope)]),
        ),
      )
      .orderBy(asc(observedTransfers.block), asc(observedTransfers.logIndex));
    let explained = 0;
    for (const row of open) if (await landOutflow(db, store, row, nowMs)) explained += 1;
    return { explained, left: open.length - explained };
  });
}

type Outflow = Store['tables']['observedTransfers']['$inferSelect'];

/** Lands the transfer that the books have signed under this outflow's nonce. False where there is none that agrees. */
export async function landOutflow(db: Db, store: Store, row: Outflow, nowMs: number): Promise<boolean> {
  const { observedTransfers } = store.tables;
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
  if (transferId === null) return false;
  const consumedBy = `transfer:${transferId}`;
  await db.update(observedTransfers).set({ consumedBy }).where(eq(observedTransfers.fact, fact));
  return true;
}
