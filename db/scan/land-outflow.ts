import { eq } from 'drizzle-orm';
import type { ObservedTransfer } from '../../core/observed.ts';
import type { Db, Store } from '../store/store.ts';
import { landTransfer } from './land-transfer.ts';

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
