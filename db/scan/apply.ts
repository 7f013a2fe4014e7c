import type { Network } from '../../core/networks.ts';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { factOf, type ObservedBlock, type ObservedTransfer, type SealedCarrier } from '../../core/observed.ts';
import { sealBatch } from '../carriers/batch.ts';
import { countSettled } from '../payments/backlog.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import { arrivedAt, settlePayment, type Landing, type SettleDependencies } from '../payments/settle.ts';
import { scheduleRefundWithin } from '../refunds/return-transfer.ts';
import { landTransfer } from './land-transfer.ts';
import { ledgerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import { hasLeftFormer } from '../rotations/formers.ts';
import { stopSigningWithin } from '../store/stops.ts';
import { advanceFinality } from './finality.ts';
import { moveCursor } from './move-cursor.ts';
import { consume, insertObserved, selectSigned } from './seen-statements.ts';

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
      if (!(await moveCursor(db, store.tables, step))) return result;
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

/**
 * Takes transfers outside a block's own step, by the same rules, in a transaction of its own: one that an earlier reading
 * left out, or those of a transaction of ours that was looked up by its name. `at`: a block that was read; where a
 * reorganisation has undone it meanwhile, nothing is taken.
 */
export async function applyTransfers(
  store: Store,
  seen: AllSeen & { at?: { block: number; hash: string } },
  settle: Omit<SettleDependencies, 'tables'>,
): Promise<ScanResult> {
  return store.tx(
    async (db) => {
      const result: ScanResult = { applied: true, changedPayments: [], changedTransfers: [] };
      if (seen.at && !(await areInBooks(db, store, seen, seen.at))) return { ...result, applied: false };
      const dependencies = { ...settle, tables: store.tables };
      await takeTransfers(db, store, dependencies, seen, result);
      return result;
    },
    [ledgerLock(seen.network)],
  );
}

type Seen = { network: Network; transfer: ObservedTransfer; ownAddresses: readonly string[] };

/** Whether the books were read to this block, and every transfer stands in a block that they know, or that is final. */
async function areInBooks(
  db: Db,
  { tables: { scanCursors, scannedBlocks } }: Store,
  { network, transfers }: AllSeen,
  at: { block: number; hash: string },
): Promise<boolean> {
  const [cursor] = await db.select().from(scanCursors).where(eq(scanCursors.network, network));
  if (cursor === undefined) return false;
  const recent = await db
    .select({ number: scannedBlocks.number, hash: scannedBlocks.hash })
    .from(scannedBlocks)
    .where(eq(scannedBlocks.network, network));
  const known = new Map(recent.map(({ number, hash }) => [number, hash.toLowerCase()]));
  known.set(cursor.block, cursor.blockHash.toLowerCase());
  const isKnown = (block: number, hash: string) =>
    block < cursor.finalizedBlock ? !known.has(block) : known.get(block) === hash.toLowerCase();
  return isKnown(at.block, at.hash) && transfers.every(({ block, blockHash }) => isKnown(block, blockHash));
}

type AllSeen = Pick<ScanStep, 'network' | 'transfers' | 'ownAddresses'>;

/** Those of one step, in their order. */
export async function takeTransfers(
  db: Db,
  store: Store,
  dependencies: SettleDependencies,
  { network, transfers, ownAddresses }: AllSeen,
  result: ScanResult,
): Promise<void> {
  const before = result.changedPayments.length;
  for (const transfer of transfers)
    await takeTransfer(db, store, dependencies, { network, transfer, ownAddresses }, result);
  await countSettled(db, store, network, result.changedPayments.length - before);
}

/** One transfer touching our addresses: recorded once per landing, and matched to what explains it. */
async function takeTransfer(
  db: Db,
  store: Store,
  dependencies: SettleDependencies,
  seen: Seen,
  result: ScanResult,
): Promise<void> {
  const { network, transfer } = seen;
  if (transfer.value === 0n) return;
  const fact = factOf(network, transfer);
  const outgoing = seen.ownAddresses.includes(transfer.from);
  const landing =
    (await recordLanding(db, store, network, { fact, transfer, outgoing }, dependencies.nowMs)) ??
    (await openLanding(db, store, fact));
  if (landing === null) return;
  const landed = { fact, landing, transaction: transfer.transaction, block: transfer.block };
  if (outgoing) {
    await takeOutgoing(db, store, seen, landed, { result, nowMs: dependencies.nowMs });
    return;
  }
  const payment = (await findSigned(db, network, transfer)) ?? (await findPaidBy(db, store, fact));
  if (payment === null) return;
  if (!paysFor(payment, transfer)) {
    // The money came by a proof that we refused, or that landed before it was presented.
    await scheduleRefundWithin(db, store, fact);
    return;
  }
  if (!(await settlePayment(db, dependencies, payment, landed))) return;
  await consume(db, { fact, consumer: `payment:${payment.id}` });
  result.changedPayments.push(payment.id);
}

async function takeOutgoing(
  db: Db,
  store: Store,
  { network, transfer }: Seen,
  landed: Landing,
  { result, nowMs }: { result: ScanResult; nowMs: number },
): Promise<void> {
  const { fact } = landed;
  const transferId = await landTransfer(db, store, network, transfer, landed, nowMs);
  if (transferId === null) {
    // Anyone who knows a key that was replaced could stop the network otherwise. It is booked once it is final.
    if (await hasLeftFormer(db, store.tables, { network, address: transfer.from, block: transfer.block })) return;
    return stopSigningWithin(db, store, { reason: 'unexplained_outflow', network, detail: fact }, nowMs);
  }
  await consume(db, { fact, consumer: `transfer:${transferId}` });
  result.changedTransfers.push(transferId);
}

/** Inserts the fact, or lands it again after a reorganisation. Null when it is already known as landed. */
async function recordLanding(
  db: Db,
  store: Store,
  network: Network,
  seen: { fact: string; transfer: ObservedTransfer; outgoing: boolean },
  nowMs: number,
): Promise<number | null> {
  const { fact, transfer, outgoing } = seen;
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
    seenAtMs: nowMs,
  });
  if (inserted.length > 0) return 1;
  const [again] = await db
    .update(observedTransfers)
    .set({ ...place, landed: true, landings: sql`${observedTransfers.landings} + 1` })
    .where(and(eq(observedTransfers.fact, fact), eq(observedTransfers.landed, false)))
    .returning({ landings: observedTransfers.landings });
  return again?.landings ?? null;
}

/** The newest payment reserved with this authorization. */
async function findSigned(db: Db, network: Network, { authorizer, nonce }: ObservedTransfer) {
  if (authorizer === undefined || nonce === undefined) return null;
  const [payment] = await selectSigned(db, { network, payer: authorizer, nonce });
  return payment ?? null;
}

/** A plain transfer that had paid a task before a reorganisation took it away, and has landed again. */
async function findPaidBy(db: Db, store: Store, fact: string): Promise<PaymentRow | null> {
  const { payments, observedTransfers } = store.tables;
  const [row] = await db
    .select({ consumer: observedTransfers.consumedBy })
    .from(observedTransfers)
    .where(eq(observedTransfers.fact, fact));
  const [kind, id] = (row?.consumer ?? '').split(':');
  if (kind !== 'payment' || id === undefined) return null;
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), isNotNull(payments.landedAddress)));
  return payment ?? null;
}

/**
 * For this amount, to this account, not refused since, and not on the chain before it was presented (or bound to its
 * request). No clocks are compared: the chain was asked before the reservation.
 */
function paysFor(payment: PaymentRow, transfer: ObservedTransfer): boolean {
  const total = payment.sumMicroUsdc + payment.feeMicroUsdc;
  if (payment.status !== 'received' && payment.status !== 'settling') return false;
  if (transfer.to !== arrivedAt(payment) || transfer.value !== total) return false;
  return payment.bound || !payment.landedBefore;
}

/** A transfer that stood in the books before its payment was reserved, and that nothing explains yet. */
async function openLanding(db: Db, store: Store, fact: string): Promise<number | null> {
  const { observedTransfers } = store.tables;
  const [row] = await db
    .select({ landings: observedTransfers.landings })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.fact, fact),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        eq(observedTransfers.returnWanted, false),
        isNull(observedTransfers.consumedBy),
      ),
    );
  return row?.landings ?? null;
}
