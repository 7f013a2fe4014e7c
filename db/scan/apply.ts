import type { Network } from '../../core/networks.ts';
import { and, eq, lte, sql } from 'drizzle-orm';
import { factOf, type ObservedBlock, type ObservedTransfer, type SealedCarrier } from '../../core/observed.ts';
import { sealBatch } from '../carriers/batch.ts';
import { countSettled } from '../payments/backlog.ts';
import { settlePayments, type Landing, type Paid, type SettleDependencies } from '../payments/settle.ts';
import { scheduleRefundWithin } from '../refunds/return-transfer.ts';
import { landTransfer } from './land-transfer.ts';
import { ledgerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import { stopSigningWithin } from '../store/stops.ts';
import { advanceFinality } from './finality.ts';
import { findPaidBy, findSigned, openLanding, paysFor, signedBy, type SignedPayments } from './inbound.ts';
import { consume, insertObserved } from './seen-statements.ts';

export type ScanStep = {
  network: Network;
  /** Where the caller believes the cursor stands; another writer having moved it makes this step do nothing. */
  from: { block: number; hash: string };
  blocks: readonly ObservedBlock[];
  transfers: readonly ObservedTransfer[];
  sealed: readonly SealedCarrier[];
  safeBlock: number;
  finalizedBlock: number;
  ownAddresses: readonly string[];
};

export type ScanResult = {
  applied: boolean;
  changedPayments: string[];
  changedTransfers: string[];
};

/**
 * Takes newly sealed blocks into the books, all of it in one transaction with the cursor: what landed, what of our own
 * batches has its place, and how far finality has come. Running it twice with the same input changes nothing.
 */
export async function applyBlocks(
  store: Store,
  step: ScanStep,
  settle: Omit<SettleDependencies, 'tables'>,
): Promise<ScanResult> {
  return store.tx(
    async (db) => {
      const result: ScanResult = { applied: false, changedPayments: [], changedTransfers: [] };
      if (!(await moveCursor(db, store, step))) return result;
      result.applied = true;
      const dependencies = { ...settle, tables: store.tables };
      await takeTransfers(db, store, dependencies, step, result);
      for (const batch of step.sealed) await sealBatch(db, store, batch, settle.nowMs);
      result.changedPayments.push(...(await advanceFinality(db, store, step, settle.nowMs)));
      return result;
    },
    [ledgerLock(step.network)],
  );
}

async function moveCursor(db: Db, store: Store, step: ScanStep): Promise<boolean> {
  const { scanCursors, scannedBlocks } = store.tables;
  const last = step.blocks.at(-1);
  const moved = await db
    .update(scanCursors)
    .set({
      safeBlock: step.safeBlock,
      finalizedBlock: step.finalizedBlock,
      ...(last ? { block: last.number, blockHash: last.hash, blockTime: last.time } : {}),
    })
    .where(
      and(
        eq(scanCursors.network, step.network),
        eq(scanCursors.block, step.from.block),
        eq(scanCursors.blockHash, step.from.hash),
      ),
    )
    .returning({ network: scanCursors.network });
  if (moved.length === 0) return false;
  const recent = step.blocks.filter((block) => block.number > step.finalizedBlock);
  if (recent.length > 0) {
    await db
      .insert(scannedBlocks)
      .values(recent.map((block) => ({ network: step.network, number: block.number, hash: block.hash })))
      .onConflictDoUpdate({
        target: [scannedBlocks.network, scannedBlocks.number],
        set: { hash: sql`excluded.hash` },
      });
  }
  await db
    .delete(scannedBlocks)
    .where(and(eq(scannedBlocks.network, step.network), lte(scannedBlocks.number, step.finalizedBlock - 1)));
  return true;
}

/**
 * Takes transfers outside a block's own step, by the same rules, in a transaction of its own: one that an earlier reading
 * left out, or those of a transaction of ours that was looked up by its name.
 */
export async function applyTransfers(
  store: Store,
  seen: { network: Network; transfers: readonly ObservedTransfer[]; ownAddresses: readonly string[] },
  settle: Omit<SettleDependencies, 'tables'>,
): Promise<ScanResult> {
  return store.tx(
    async (db) => {
      const result: ScanResult = { applied: true, changedPayments: [], changedTransfers: [] };
      const dependencies = { ...settle, tables: store.tables };
      await takeTransfers(db, store, dependencies, seen, result);
      return result;
    },
    [ledgerLock(seen.network)],
  );
}

type AllSeen = Pick<ScanStep, 'network' | 'transfers' | 'ownAddresses'>;

/** So many payments settle together at most: each has some ten values in a statement. */
const TOGETHER_MAX = 200;

/** What a step has to do with its transfers, and the payments that they pay and that are not settled yet. */
type Taking = AllSeen & {
  dependencies: SettleDependencies;
  signed: SignedPayments;
  pending: (Paid & { isConsumed: boolean })[];
  result: ScanResult;
};

/** Those of one step, in their order; payments that come one after the other settle together. */
export async function takeTransfers(
  db: Db,
  store: Store,
  dependencies: SettleDependencies,
  seen: AllSeen,
  result: ScanResult,
): Promise<void> {
  const before = result.changedPayments.length;
  const inbound = seen.transfers.filter(({ from }) => !seen.ownAddresses.includes(from));
  const signed = await findSigned(db, store, seen.network, inbound);
  const taking: Taking = { ...seen, dependencies, signed, pending: [], result };
  for (const transfer of seen.transfers) await takeTransfer(db, store, taking, transfer);
  await settlePending(db, store, taking);
  const taken = result.changedPayments.slice(before);
  await countSettled(db, store, seen.network, taken.length);
  await feedAudit(db, store, taken);
}

/** The triggers tell the audit of changes only, and what a payment explains is inserted so. */
async function feedAudit(db: Db, { tables: { auditFeed } }: Store, paymentIds: readonly string[]): Promise<void> {
  if (paymentIds.length === 0) return;
  await db.insert(auditFeed).values(paymentIds.map((id) => ({ kind: 'consumer' as const, key: `payment:${id}` })));
}

/** One transfer touching our addresses: recorded once per landing, and matched to what explains it. */
async function takeTransfer(db: Db, store: Store, taking: Taking, transfer: ObservedTransfer): Promise<void> {
  const { network, dependencies, pending } = taking;
  if (transfer.value === 0n) return;
  const fact = factOf(network, transfer);
  const outgoing = taking.ownAddresses.includes(transfer.from);
  // What leaves may be what has just come.
  if (outgoing || pending.length >= TOGETHER_MAX) await settlePending(db, store, taking);
  const signed = outgoing ? null : signedBy(taking.signed, transfer);
  const isTaken = pending.some(({ payment }) => payment.id === signed?.id);
  const consumedBy = signed !== null && !isTaken && paysFor(signed, transfer) ? `payment:${signed.id}` : null;
  const recorded = await recordLanding(
    db,
    store,
    network,
    { fact, transfer, outgoing, consumedBy },
    dependencies.nowMs,
  );
  const landing = recorded?.landing ?? (await openLanding(db, store, fact));
  if (landing === null) return;
  const landed = { fact, landing, transaction: transfer.transaction, block: transfer.block };
  if (outgoing) return takeOutgoing(db, store, taking, transfer, landed);
  const payment = signed ?? (await findPaidBy(db, store, fact));
  if (payment === null) return;
  if (isTaken || !paysFor(payment, transfer)) {
    // The money came by a proof that we refused, or that landed before it was presented.
    await scheduleRefundWithin(db, store, fact);
    return;
  }
  pending.push({ payment, landed, isConsumed: recorded?.isNew === true && consumedBy !== null });
}

async function settlePending(db: Db, store: Store, taking: Taking): Promise<void> {
  const paid = taking.pending.splice(0);
  if (paid.length === 0) return;
  const settled = new Set((await settlePayments(db, taking.dependencies, paid)).map(({ id }) => id));
  for (const { payment, landed, isConsumed } of paid) {
    const { fact } = landed;
    if (isConsumed && !settled.has(payment.id))
      throw new Error(`payment ${payment.id} did not take the transfer ${fact} that pays it`);
    if (!settled.has(payment.id)) continue;
    if (!isConsumed) await consume(db, { fact, consumer: `payment:${payment.id}` });
    taking.result.changedPayments.push(payment.id);
  }
}

async function takeOutgoing(
  db: Db,
  store: Store,
  { network, dependencies: { nowMs }, result }: Taking,
  transfer: ObservedTransfer,
  landed: Landing,
): Promise<void> {
  const { fact } = landed;
  const transferId = await landTransfer(db, store, network, transfer, landed, nowMs);
  if (transferId === null)
    return stopSigningWithin(db, store, { reason: 'unexplained_outflow', network, detail: fact }, nowMs);
  await consume(db, { fact, consumer: `transfer:${transferId}` });
  result.changedTransfers.push(transferId);
}

/**
 * Inserts the fact, or lands it again after a reorganisation. Null when it is already known as landed. What a payment explains
 * is inserted so: a row that nothing explains is what reservations look for, and one that has been there for a moment
 * conflicts with all of them.
 */
async function recordLanding(
  db: Db,
  store: Store,
  network: Network,
  seen: { fact: string; transfer: ObservedTransfer; outgoing: boolean; consumedBy: string | null },
  nowMs: number,
): Promise<{ landing: number; isNew: boolean } | null> {
  const { fact, transfer, outgoing, consumedBy } = seen;
  const { observedTransfers } = store.tables;
  const place = {
    transaction: transfer.transaction,
    logIndex: transfer.logIndex,
    block: transfer.block,
    blockHash: transfer.blockHash,
  };
  const inserted = await insertObserved(db, {
    fact,
    network,
    ...place,
    fromAddress: transfer.from,
    toAddress: transfer.to,
    amountMicroUsdc: transfer.value,
    authorizer: transfer.authorizer ?? null,
    nonce: transfer.nonce ?? null,
    memo: transfer.memo ?? null,
    outgoing,
    consumedBy,
    seenAtMs: nowMs,
  });
  if (inserted.length > 0) return { landing: 1, isNew: true };
  const [again] = await db
    .update(observedTransfers)
    .set({ ...place, landed: true, landings: sql`${observedTransfers.landings} + 1` })
    .where(and(eq(observedTransfers.fact, fact), eq(observedTransfers.landed, false)))
    .returning({ landings: observedTransfers.landings });
  return again === undefined ? null : { landing: again.landings, isNew: false };
}
