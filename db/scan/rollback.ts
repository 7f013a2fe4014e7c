import { and, desc, eq, gt } from 'drizzle-orm';
import { suspenseUndone } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import type { ObservedBlock } from '../../core/observed.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { isInSuspense } from '../transfers/holdings.ts';
import { unsettlePayment } from '../payments/settle.ts';
import { unlandTransfer } from './land-transfer.ts';
import { stopSigningWithin } from '../store/stops.ts';
import { ledgerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';

export type Rollback = {
  network: Network;
  from: { block: number; hash: string };
  /** The last block that our books and the chain have in common. */
  fork: ObservedBlock;
};

/**
 * Blocks that we had taken into the books are no longer on the chain. Reverses, newest first, what they proved; the
 * signed transactions stay and are sent again. Answers the payments that are open again.
 */
export async function rollBack(store: Store, rollback: Rollback, nowMs: number): Promise<string[]> {
  return store.tx(
    async (db) => {
      if (!(await moveCursorBack(db, store, rollback))) return [];
      await reopenBatches(db, store, rollback);
      const { observedTransfers } = store.tables;
      const gone = await db
        .select()
        .from(observedTransfers)
        .where(
          and(
            eq(observedTransfers.network, rollback.network),
            eq(observedTransfers.landed, true),
            gt(observedTransfers.block, rollback.fork.number),
          ),
        )
        .orderBy(desc(observedTransfers.block), desc(observedTransfers.logIndex));
      const reopened: string[] = [];
      for (const transfer of gone) reopened.push(...(await undoTransfer(db, store, transfer, nowMs)));
      return reopened;
    },
    [ledgerLock(rollback.network)],
  );
}

async function moveCursorBack(db: Db, store: Store, { network, from, fork }: Rollback): Promise<boolean> {
  const { scanCursors, scannedBlocks } = store.tables;
  const moved = await db
    .update(scanCursors)
    .set({ block: fork.number, blockHash: fork.hash, blockTime: fork.time })
    .where(
      and(eq(scanCursors.network, network), eq(scanCursors.block, from.block), eq(scanCursors.blockHash, from.hash)),
    )
    .returning({ network: scanCursors.network });
  if (moved.length === 0) return false;
  await db.delete(scannedBlocks).where(and(eq(scannedBlocks.network, network), gt(scannedBlocks.number, fork.number)));
  return true;
}

async function reopenBatches(db: Db, store: Store, { network, fork }: Rollback): Promise<void> {
  const { carriers } = store.tables;
  await move(db, carriers, {
    where: and(eq(carriers.network, network), gt(carriers.sealedBlock, fork.number)),
    set: { status: 'open', sealedTransaction: null, sealedBlock: null, sealedBlockHash: null, feeWei: null },
  });
}

type ObservedRow = Store['tables']['observedTransfers']['$inferSelect'];

/** Reverses what one landing proved. Answers the payment that is open again, if it was one. */
export async function undoTransfer(db: Db, store: Store, transfer: ObservedRow, nowMs: number): Promise<string[]> {
  const { observedTransfers, payments } = store.tables;
  await db.update(observedTransfers).set({ landed: false }).where(eq(observedTransfers.fact, transfer.fact));
  const landed = { fact: transfer.fact, landing: transfer.landings };
  const [kind, id] = (transfer.consumedBy ?? '').split(':');
  if (kind === 'payment' && id !== undefined) {
    const [payment] = await db.select().from(payments).where(eq(payments.id, id));
    if (!payment) throw new Error(`transfer ${transfer.fact} names payment ${id}, which does not exist`);
    await unsettlePayment(db, store.tables, payment, landed, nowMs);
    return [payment.id];
  }
  if (kind === 'transfer' && id !== undefined) await unlandTransfer(db, store, id, landed, nowMs);
  if (kind === 'suspense') {
    const network = transfer.network;
    const event = { network, address: transfer.toAddress, amount: transfer.amountMicroUsdc, ...landed };
    // Money that has gone on from suspense cannot be taken out of it again; the scan must go on all the same.
    const isThere = await isInSuspense(db, store.tables, network, transfer.amountMicroUsdc);
    if (isThere) await postEntry(db, store.tables, suspenseUndone(event), nowMs);
    else await stopSigningWithin(db, store, { reason: 'books_behind_chain', network, detail: transfer.fact }, nowMs);
  }
  return [];
}
