import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { CarrierKind } from '../../core/transfers/carriers.ts';
import type { SealedCarrier } from '../../core/observed.ts';
import type { Network } from '../../core/networks.ts';
import type { TransferKind } from '../../core/transfers/purposes.ts';
import { bookCost } from '../costs/book.ts';
import { laneHolding } from '../processes/owner.ts';
import { signingTx } from '../processes/signing.ts';
import { move } from '../store/move.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { PaymentRow, TransferRow } from '../payments/records/find.ts';
import type { Db, Store } from '../store/store.ts';
import { isBooked, isOfKind } from '../transfers/find.ts';
import { insertCarrier, type NewCarrier } from './carriers.ts';

/**
 * A batch of an EVM network: one lane nonce, spent on authorizations that were signed and stored before. What does not
 * land in it goes on, with the same authorization, in another one.
 */

/** Ends the transaction and keeps nothing. */
class Taken extends Error {}

/**
 * Stores what is about to be sent, before it is sent: the lane's nonce, the signed bytes, and which payments or
 * transfers they carry. False, with nothing kept, when one of them is no longer free: another lane has it, so the caller
 * looks again. Throws when the nonce is spent.
 */
export async function openBatch(
  store: Store,
  batch: NewCarrier & { laneNonce: number },
  itemIds: readonly string[],
  nowMs: number,
): Promise<boolean> {
  const { id, kind, network, sender } = batch;
  const right = { under: laneHolding(network, sender), carrier: { network, kind, step: 'new' } } as const;
  try {
    await signingTx(store, right, async (db) => {
      await insertCarrier(db, store, batch, { itemIds, nowMs });
      const taken = await TAKE[kind](db, store, id, itemIds);
      if (taken !== itemIds.length) throw new Taken(`${itemIds.length - taken} items of batch ${id} were not free`);
    });
    return true;
  } catch (error) {
    if (error instanceof Taken) return false;
    throw error;
  }
}

async function takePayments(db: Db, store: Store, carrierId: string, ids: readonly string[]): Promise<number> {
  const { payments } = store.tables;
  const taken = await move(db, payments, {
    from: ['received', 'settling'],
    where: and(inArray(payments.id, [...ids]), isNull(payments.carrierId)),
    set: { carrierId, status: 'settling' },
  });
  return taken.length;
}

function takeTransfersOf(kind: TransferKind) {
  return async (db: Db, store: Store, carrierId: string, ids: readonly string[]): Promise<number> => {
    const { transfers } = store.tables;
    const taken = await move(db, transfers, {
      from: ['assigned'],
      where: and(inArray(transfers.id, [...ids]), isOfKind(store.tables, kind), isNull(transfers.carrierId)),
      set: { carrierId, status: 'broadcast' },
    });
    return taken.length;
  };
}

const TAKE = {
  inbound: takePayments,
  payout: takeTransfersOf('payout'),
  withdrawal: takeTransfersOf('withdrawal'),
  sweep: takeTransfersOf('sweep'),
} as const satisfies Record<CarrierKind, typeof takePayments>;

/** A batch has its place on the chain: items that did not land in it are free for another one. */
export async function sealBatch(db: Db, store: Store, sealed: SealedCarrier, nowMs: number): Promise<void> {
  const { carriers } = store.tables;
  const moved = await move(db, carriers, {
    where: eq(carriers.id, sealed.carrierId),
    set: {
      status: 'sealed',
      sealedTransaction: sealed.transaction,
      sealedBlock: sealed.block,
      sealedBlockHash: sealed.blockHash,
      feeWei: sealed.feeWei?.toString() ?? null,
    },
  });
  if (moved.length > 0) await releaseUnlanded(db, store, sealed.carrierId, nowMs);
}

/** Gas is booked once, when its transaction can no longer be reorganised. */
export async function finishBatches(
  db: Db,
  store: Store,
  step: { network: Network; finalizedBlock: number },
  nowMs: number,
): Promise<void> {
  const { network, finalizedBlock } = step;
  const done = await moveToFinal(db, { network, finalizedBlock });
  for (const { sealedTransaction: transaction, feeWei, ...carrier } of done) {
    // A nonce that a foreign transaction spent has no transaction of ours, and no gas to book.
    if (transaction === null || feeWei === null) continue;
    await bookCost(db, store, { carrier, transaction, amount: BigInt(feeWei), rents: [] }, nowMs);
  }
}

const moveToFinal = prepare((db, { carriers }) =>
  move(db, carriers, {
    from: ['sealed'],
    where: and(eq(carriers.network, placeholder('network')), lte(carriers.sealedBlock, placeholder('finalizedBlock'))),
    set: { status: 'final' },
  }),
);

/** How long an item that went through a batch without landing waits before the next, by how often that happened. */
function retryDelayMs(tries: number): number {
  return Math.min(250 * 2 ** Math.min(tries, 8), 30_000);
}

/**
 * A batch has its place on the chain, but some of its items did not land in it. An inner failure proves nothing about
 * them, so they are free for another batch with the same authorization. Wallet withdrawals are not ours to scan for: what
 * became of them is asked afterwards (`freeWithdrawal`).
 */
export async function releaseUnlanded(db: Db, store: Store, carrierId: string, nowMs: number): Promise<void> {
  const { payments, transfers } = store.tables;
  const waitingPayments = await db
    .select()
    .from(payments)
    .where(and(eq(payments.carrierId, carrierId), eq(payments.status, 'settling')));
  for (const payment of waitingPayments) await freePayment(db, store, payment, nowMs);
  const waitingTransfers = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.carrierId, carrierId), eq(transfers.status, 'broadcast'), isBooked(store.tables)));
  for (const transfer of waitingTransfers) await freeTransfer(db, store, transfer, nowMs);
}

async function freePayment(db: Db, store: Store, { id, tries }: PaymentRow, nowMs: number): Promise<void> {
  const { payments } = store.tables;
  await move(db, payments, {
    from: ['settling'],
    where: eq(payments.id, id),
    set: {
      carrierId: null,
      status: 'settling',
      tries: sql`${payments.tries} + 1`,
      nextTryAtMs: nowMs + retryDelayMs(tries),
    },
  });
}

async function freeTransfer(db: Db, store: Store, transfer: TransferRow, nowMs: number): Promise<boolean> {
  const { transfers } = store.tables;
  const { id, carrierId, tries } = transfer;
  if (carrierId === null) return false;
  const freed = await move(db, transfers, {
    from: ['broadcast'],
    where: and(eq(transfers.id, id), eq(transfers.carrierId, carrierId)),
    set: { carrierId: null, status: 'assigned', tries: tries + 1, nextTryAtMs: nowMs + retryDelayMs(tries) },
  });
  return freed.length > 0;
}

/** The same for a wallet withdrawal, once the chain was asked whether it landed in its batch. */
export async function freeWithdrawal(store: Store, transfer: TransferRow, nowMs: number): Promise<boolean> {
  return store.tx((db) => freeTransfer(db, store, transfer, nowMs));
}
