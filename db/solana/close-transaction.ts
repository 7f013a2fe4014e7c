import { and, eq, isNull } from 'drizzle-orm';
import { addWithin } from '../store/counters.ts';
import { bookCost, type Rent } from '../costs/book.ts';
import { takeBackOpenings } from '../costs/openings.ts';
import { move } from '../store/move.ts';
import type { PaymentRow, TransferRow } from '../payments/records/find.ts';
import { rejectWithin } from '../payments/reject.ts';
import { renewWithin } from '../transfers/renew.ts';
import type { Db, Store } from '../store/store.ts';
import { stopSigningWithin } from '../store/stops.ts';
import { leftFormer } from '../rotations/formers.ts';
import { noteSweepFailed, noteSweepLanded } from '../rotations/stuck.ts';
import { endWithdrawalTransaction } from '../withdrawals/open-transaction.ts';
import { isBooked } from '../transfers/find.ts';
import type { OpenCarrier } from '../carriers/carriers.ts';
import type { Death } from '../transfers/death.ts';

/**
 * How a transaction on Solana ended, for good: it is final and moved the money; it is final and moved nothing (it cost its
 * fee); or it can never land.
 */
export type TransactionEnd =
  | { kind: 'final' | 'failed'; lamportsSpent: bigint; rents: readonly Rent[] }
  | { kind: 'dead' };

export type ClosedTransaction = { closed: boolean; rejectedPayments: string[]; renewedTransfers: string[] };

type Items = { payments: PaymentRow[]; transfers: TransferRow[] };

/**
 * Closes a transaction once: books what it cost, refuses the payment that it carried or frees its transfers for the next
 * one, ends its withdrawal. Money moves in no direction here: what landed was taken into the books from its transfers
 * before.
 */
export async function closeTransaction(
  store: Store,
  open: OpenCarrier,
  end: TransactionEnd,
  at: { nowMs: number; failuresCounter: (payer: string) => string },
): Promise<ClosedTransaction> {
  const { carrier } = open;
  return store.tx(async (db) => {
    const result: ClosedTransaction = { closed: false, rejectedPayments: [], renewedTransfers: [] };
    const { carriers } = store.tables;
    const items = await readItems(db, store, carrier.id);
    // The books still show it as landed: the scan takes that out of them first.
    if (end.kind !== 'final' && isInBooks(items)) return result;
    if (end.kind === 'final' && (await isUnbooked(db, store, open))) return result;
    const moved = await move(db, carriers, {
      from: ['open'],
      where: eq(carriers.id, carrier.id),
      set: { status: end.kind },
    });
    if (moved.length === 0) return result;
    result.closed = true;
    if (end.kind !== 'dead') {
      const { lamportsSpent: amount, rents } = end;
      await bookCost(db, store, { carrier, transaction: open.newest.hash, amount, rents }, at.nowMs);
    }
    if (carrier.kind === 'sweep') await noteSweeps(db, store, items, end.kind, at.nowMs);
    if (carrier.kind === 'withdrawal') await endWithdrawalTransaction(db, store, open, end.kind, at.nowMs);
    if (end.kind !== 'final') await takeBackOpenings(db, store.tables, carrier.id);
    if (end.kind === 'final') await checkLanded(db, store, open, items, at.nowMs);
    else {
      const release = { ...at, death: { closedCarrierId: carrier.id }, failed: end.kind === 'failed' };
      await releaseItems(db, store, items, release, result);
    }
    return result;
  });
}

/** What the scan books. A wallet withdrawal is ended by its transaction alone. */
async function readItems(db: Db, { tables }: Store, carrierId: string): Promise<Items> {
  const { payments, transfers } = tables;
  return {
    payments: await db.select().from(payments).where(eq(payments.carrierId, carrierId)),
    transfers: await db
      .select()
      .from(transfers)
      .where(and(eq(transfers.carrierId, carrierId), isBooked(tables))),
  };
}

/** What becomes of them tells whether a former address can still be swept. One that never landed tells nothing. */
async function noteSweeps(
  db: Db,
  { tables }: Store,
  { transfers }: Items,
  end: TransactionEnd['kind'],
  nowMs: number,
): Promise<void> {
  for (const { network, fromAddress: address } of transfers) {
    if (end === 'final') await noteSweepLanded(db, tables, { network, address });
    if (end === 'failed') await noteSweepFailed(db, tables, { network, address }, nowMs);
  }
}

/** What left a former address beside what someone else took there is booked together with that, once it is final. */
async function isUnbooked(db: Db, { tables }: Store, { carrier, newest }: OpenCarrier): Promise<boolean> {
  const { observedTransfers: seen } = tables;
  const isOpen = and(eq(seen.network, carrier.network), eq(seen.transaction, newest.hash), isNull(seen.consumedBy));
  const isOut = and(isOpen, eq(seen.landed, true), eq(seen.outgoing, true), leftFormer(tables));
  return (await db.select({ fact: seen.fact }).from(seen).where(isOut).limit(1)).length > 0;
}

function isInBooks({ payments, transfers }: Items): boolean {
  return (
    payments.some(({ status }) => status === 'settled' || status === 'final') ||
    transfers.some(({ status }) => status === 'confirmed' || status === 'final')
  );
}

/** If a final transaction's items are not all in the books, it did something we cannot explain. */
async function checkLanded(
  db: Db,
  store: Store,
  { carrier, newest }: OpenCarrier,
  { payments, transfers }: Items,
  nowMs: number,
): Promise<void> {
  const open = [
    ...payments.filter(({ status }) => status === 'settling'),
    ...transfers.filter(({ status }) => status === 'broadcast'),
  ];
  if (open.length === 0) return;
  const all = payments.length + transfers.length;
  const detail = `${newest.hash} is final, but ${open.length} of its ${all} items are not in it`;
  await stopSigningWithin(db, store, { reason: 'unexplained_outflow', network: carrier.network, detail }, nowMs);
}

type Release = { nowMs: number; death: Death; failed: boolean; failuresCounter: (payer: string) => string };

async function releaseItems(
  db: Db,
  store: Store,
  { payments, transfers }: Items,
  { nowMs, death, failed, failuresCounter }: Release,
  result: ClosedTransaction,
): Promise<void> {
  for (const payment of payments) {
    const reason = failed ? 'invalid_transaction_state' : 'payment_expired';
    if (!(await rejectWithin(db, store.tables, payment.id, reason, nowMs))) continue;
    result.rejectedPayments.push(payment.id);
    // Each failure on the chain has cost us a fee that the payer chose to cause.
    if (failed) await addWithin(db, store, failuresCounter(payment.payer), 1n);
  }
  for (const transfer of transfers) {
    if (transfer.status !== 'broadcast') continue;
    // What failed together is tried again in smaller batches, until the poisonous one is alone.
    const tries = failed ? transfer.tries + 1 : transfer.tries;
    if (await renewWithin(db, store, transfer, { death, tries, nowMs })) result.renewedTransfers.push(transfer.id);
  }
}
