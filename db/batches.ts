import { and, asc, eq, inArray, isNull, lte, max, sql } from 'drizzle-orm';
import { move } from './move.ts';
import type { PaymentRow, PayoutRow } from './payments/find.ts';
import type { Db, Store } from './store.ts';
import type { BATCH_KINDS } from './tables/chain.ts';
import { freeSweeps, takeSweeps } from './tasks/sweeps.ts';

export type BatchKind = (typeof BATCH_KINDS)[number];
export type BatchRow = Store['tables']['batches']['$inferSelect'];
export type BatchTransactionRow = Store['tables']['batchTransactions']['$inferSelect'];

export type NewBatch = {
  network: string;
  kind: BatchKind;
  lane: string;
  laneNonce: number;
  target: string;
  calldata: string;
  gasLimit: number;
  itemIds: readonly string[];
  signed: SignedTransaction;
  nowMs: number;
};

export type SignedTransaction = { hash: string; raw: string; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Payments that may go into a batch now, oldest first. */
export async function inboundCandidates(store: Store, network: string, nowMs: number, limit: number) {
  const { payments } = store.tables;
  return store.read
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.status, ['received', 'settling']),
        isNull(payments.batchId),
        lte(payments.nextTryAtMs, nowMs),
        eq(payments.network, network),
        // Nobody signed anything that we could send again.
        isNull(payments.landedAddress),
      ),
    )
    .orderBy(asc(payments.createdAtMs))
    .limit(limit);
}

/** Payouts that may go into a batch now: their authorization is signed and stored. */
export async function payoutCandidates(store: Store, network: string, nowMs: number, limit: number) {
  const { payouts } = store.tables;
  return store.read
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.status, 'assigned'),
        isNull(payouts.batchId),
        lte(payouts.nextTryAtMs, nowMs),
        eq(payouts.network, network),
      ),
    )
    .orderBy(asc(payouts.createdAtMs))
    .limit(limit);
}

/**
 * Writes down what is about to be sent, before it is sent: the lane's nonce, the signed bytes, and which payments,
 * payouts or withdrawals they carry. Throws, with nothing kept, when one of them is no longer free or the nonce is taken;
 * the caller then looks again. Answers the batch id.
 */
export async function openBatch(store: Store, batch: NewBatch): Promise<number> {
  return store.tx(async (db) => {
    const { itemIds, signed, nowMs, ...row } = batch;
    const [inserted] = await db
      .insert(store.tables.batches)
      .values({ ...row, status: 'open', itemCount: itemIds.length, final: false, createdAtMs: nowMs })
      .onConflictDoNothing()
      .returning({ id: store.tables.batches.id });
    if (!inserted) throw new Error(`lane ${batch.lane} has already spent nonce ${batch.laneNonce}`);
    await insertTransaction(db, store, inserted.id, signed, nowMs);
    const taken = await TAKE[batch.kind](db, store, inserted.id, itemIds);
    if (taken !== itemIds.length) throw new Error(`${itemIds.length - taken} items of a new batch were not free`);
    return inserted.id;
  });
}

async function takePayments(db: Db, store: Store, batchId: number, ids: readonly string[]): Promise<number> {
  const { payments } = store.tables;
  const taken = await move(db, payments, {
    from: ['received', 'settling'],
    where: and(inArray(payments.id, [...ids]), isNull(payments.batchId)),
    set: { batchId, status: 'settling' },
  });
  return taken.length;
}

async function takePayouts(db: Db, store: Store, batchId: number, ids: readonly string[]): Promise<number> {
  const { payouts } = store.tables;
  const taken = await move(db, payouts, {
    from: ['assigned'],
    where: and(inArray(payouts.id, [...ids]), isNull(payouts.batchId)),
    set: { batchId, status: 'broadcast' },
  });
  return taken.length;
}

async function takeWithdrawals(db: Db, store: Store, batchId: number, ids: readonly string[]): Promise<number> {
  const { withdrawals } = store.tables;
  const taken = await move(db, withdrawals, {
    where: and(inArray(withdrawals.id, [...ids]), isNull(withdrawals.batchId)),
    set: { batchId, status: 'sent' },
  });
  return taken.length;
}

const TAKE = {
  inbound: takePayments,
  payout: takePayouts,
  withdrawal: takeWithdrawals,
  sweep: takeSweeps,
} as const satisfies Record<BatchKind, typeof takePayments>;

/** A replacement with higher fees at the same lane nonce, stored before it is sent. */
export async function addReplacement(store: Store, batchId: number, signed: SignedTransaction, nowMs: number) {
  await store.tx((db) => insertTransaction(db, store, batchId, signed, nowMs));
}

async function insertTransaction(db: Db, store: Store, batchId: number, signed: SignedTransaction, nowMs: number) {
  await db.insert(store.tables.batchTransactions).values({
    hash: signed.hash,
    batchId,
    raw: signed.raw,
    maxFeePerGas: signed.maxFeePerGas.toString(),
    maxPriorityFeePerGas: signed.maxPriorityFeePerGas.toString(),
    signedAtMs: nowMs,
  });
}

export type OpenBatch = { batch: BatchRow; transactions: BatchTransactionRow[] };

/** Batches whose outcome is not on the chain yet, in the order of their nonces. */
export async function openBatches(store: Store, network: string): Promise<OpenBatch[]> {
  const { batches, batchTransactions } = store.tables;
  const rows = await store.read
    .select({ batch: batches, transaction: batchTransactions })
    .from(batches)
    .innerJoin(batchTransactions, eq(batchTransactions.batchId, batches.id))
    .where(and(eq(batches.network, network), eq(batches.status, 'open')))
    .orderBy(asc(batches.laneNonce), asc(batchTransactions.signedAtMs));
  const byId = new Map<number, OpenBatch>();
  for (const { batch, transaction } of rows) {
    const known = byId.get(batch.id) ?? { batch, transactions: [] };
    known.transactions.push(transaction);
    byId.set(batch.id, known);
  }
  return [...byId.values()];
}

/** The highest nonce that this lane has spent in our books; null when it never signed. */
export async function lastLaneNonce(store: Store, network: string, lane: string): Promise<number | null> {
  const { batches } = store.tables;
  const [row] = await store.read
    .select({ nonce: max(batches.laneNonce) })
    .from(batches)
    .where(and(eq(batches.network, network), eq(batches.lane, lane)));
  return row?.nonce ?? null;
}

/** What a sweep waits for takes seconds to come, if it comes at all. */
const SWEEP_RETRY_MS = 2_000;

/** How long an item that went through a batch without landing waits before the next, by how often that happened. */
function retryDelayMs(tries: number): number {
  return Math.min(250 * 2 ** Math.min(tries, 8), 30_000);
}

/**
 * A batch has its place on the chain, but some of its items did not land in it. An inner failure proves nothing about
 * them, so they are free for another batch with the same authorization. Withdrawals are not ours to scan for: what
 * became of them is asked afterwards (`freeWithdrawal`).
 */
export async function releaseUnlanded(db: Db, store: Store, batchId: number, nowMs: number): Promise<void> {
  const { payments, payouts } = store.tables;
  const waitingPayments = await db
    .select()
    .from(payments)
    .where(and(eq(payments.batchId, batchId), eq(payments.status, 'settling')));
  for (const payment of waitingPayments) await freePayment(db, store, payment, nowMs);
  const waitingPayouts = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.batchId, batchId), eq(payouts.status, 'broadcast')));
  for (const payout of waitingPayouts) await freePayout(db, store, payout, nowMs);
  await freeSweeps(db, store, batchId, nowMs + SWEEP_RETRY_MS);
}

async function freePayment(db: Db, store: Store, payment: PaymentRow, nowMs: number): Promise<void> {
  const { payments } = store.tables;
  await db
    .update(payments)
    .set({ batchId: null, tries: sql`${payments.tries} + 1`, nextTryAtMs: nowMs + retryDelayMs(payment.tries) })
    .where(and(eq(payments.id, payment.id), eq(payments.status, 'settling')));
}

async function freePayout(db: Db, store: Store, payout: PayoutRow, nowMs: number): Promise<void> {
  const { payouts } = store.tables;
  const nextTryAtMs = nowMs + retryDelayMs(payout.tries);
  await move(db, payouts, {
    from: ['broadcast'],
    where: eq(payouts.id, payout.id),
    set: { batchId: null, status: 'assigned', tries: sql`${payouts.tries} + 1`, nextTryAtMs },
  });
}

/** The same for a withdrawal, once the chain was asked whether it landed in its batch. */
export async function freeWithdrawal(
  store: Store,
  withdrawal: { id: string; batchId: number; tries: number },
  nowMs: number,
): Promise<boolean> {
  const { withdrawals } = store.tables;
  const { id, batchId, tries } = withdrawal;
  const nextTryAtMs = nowMs + retryDelayMs(tries);
  const freed = await store.tx((db) =>
    move(db, withdrawals, {
      from: ['sent'],
      where: and(eq(withdrawals.id, id), eq(withdrawals.batchId, batchId)),
      set: { batchId: null, status: 'signed', tries: tries + 1, nextTryAtMs },
    }),
  );
  return freed.length > 0;
}

/** Puts candidates off without a batch: their simulation says "not now" and only the chain may say "never". */
export async function postponePayments(store: Store, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  const { payments } = store.tables;
  await store.tx((db) =>
    db
      .update(payments)
      .set({ nextTryAtMs: nowMs + 1_000 })
      .where(and(inArray(payments.id, [...ids]), isNull(payments.batchId))),
  );
}
