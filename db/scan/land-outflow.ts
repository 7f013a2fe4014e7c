import { and, eq, inArray } from 'drizzle-orm';
import { familyOf } from '../../core/networks.ts';
import type { ObservedTransfer } from '../../core/observed.ts';
import type { Db, Store } from '../store/store.ts';
import { landTransfer, NAMES_RECIPIENT } from './land-transfer.ts';

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

/** Whether it is what the books have signed, to the last detail. */
export async function isSignedAs(db: Db, { transfers }: Store['tables'], row: Outflow): Promise<boolean> {
  const { network, nonce, authorizer, fromAddress, toAddress, amountMicroUsdc } = row;
  if (nonce === null || authorizer !== fromAddress) return false;
  const isIt = and(
    eq(transfers.network, network),
    eq(transfers.nonce, nonce),
    eq(transfers.fromAddress, fromAddress),
    NAMES_RECIPIENT[familyOf(network)] ? eq(transfers.toAddress, toAddress) : undefined,
    eq(transfers.amountMicroUsdc, amountMicroUsdc),
  );
  const isSigned = and(isIt, inArray(transfers.status, ['assigned', 'broadcast']));
  return (await db.select({ id: transfers.id }).from(transfers).where(isSigned).limit(1)).length > 0;
}
