import type { Network } from '../../core/networks.ts';
import { eq } from 'drizzle-orm';
import type { ObservedBlock, ObservedTransfer, SealedCarrier } from '../../core/observed.ts';
import { sealBatch } from '../carriers/batch.ts';
import { countSettled } from '../payments/backlog.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import { arrivedAt, settlePayments, type SettleDependencies, type Settling } from '../payments/settle.ts';
import { scheduleRefundWithin } from '../refunds/return-transfer.ts';
import { landTransfer } from './land-transfer.ts';
import { ledgerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import { takeTurn } from '../store/busy.ts';
import { hasLeftFormer } from '../rotations/formers.ts';
import { stopSigningWithin } from '../store/stops.ts';
import { advanceFinality } from './finality.ts';
import { moveCursor } from './move-cursor.ts';
import { consume, findPayments, recordLandings, type Landed } from './landings.ts';

/**
 * On SQLite nothing else runs meanwhile, and more save hardly anything. On PostgreSQL each statement is a round trip for
 * which others wait.
 */
const TOGETHER_MAX = { sqlite: 50, postgres: 300 } as const;

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

type AllSeen = Pick<ScanStep, 'network' | 'transfers' | 'ownAddresses'>;

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
    known.has(block) ? known.get(block) === hash.toLowerCase() : block <= cursor.finalizedBlock;
  return isKnown(at.block, at.hash) && transfers.every(({ block, blockHash }) => isKnown(block, blockHash));
}

/** Those of one step, in their order: what comes to us may be what leaves again further down. */
export async function takeTransfers(
  db: Db,
  store: Store,
  dependencies: SettleDependencies,
  { network, transfers, ownAddresses }: AllSeen,
  result: ScanResult,
): Promise<void> {
  const before = result.changedPayments.length;
  const seen = transfers.filter(({ value }) => value !== 0n);
  let incoming: Landed[] = [];
  const takeAllIncoming = async () => {
    await takeIncoming(db, store, dependencies, { network, landed: incoming }, result);
    incoming = [];
  };
  for (const landed of await recordLandings(db, store, { network, seen, ownAddresses }, dependencies.nowMs)) {
    if (!landed.outgoing) {
      incoming.push(landed);
      if (incoming.length === TOGETHER_MAX[store.dialect]) await takeAllIncoming();
      continue;
    }
    await takeAllIncoming();
    await takeOutgoing(db, store, { network, landed }, { result, nowMs: dependencies.nowMs });
  }
  await takeAllIncoming();
  await countSettled(db, store, network, result.changedPayments.length - before);
}

/** What came to our addresses, matched to what explains it. */
async function takeIncoming(
  db: Db,
  store: Store,
  dependencies: SettleDependencies,
  { network, landed }: { network: Network; landed: readonly Landed[] },
  result: ScanResult,
): Promise<void> {
  if (landed.length === 0) return;
  await takeTurn(db);
  const paying = new Map<string, Settling & { landed: Landed }>();
  const later: Landed[] = [];
  for (const [one, payment] of await findPayments(db, store, network, landed)) {
    // The money came by a proof that we refused, or that landed before it was presented.
    if (!paysFor(payment, one.transfer)) await scheduleRefundWithin(db, store, one.fact);
    // Both pay for the same: the second finds it settled.
    else if (paying.has(payment.id)) later.push(one);
    else paying.set(payment.id, { payment, landed: one });
  }
  const settled = await settlePayments(db, dependencies, [...paying.values()]);
  const consumed = [...paying.values()].filter(({ payment }) => settled.has(payment.id));
  await consume(
    db,
    store.tables,
    consumed.map(({ payment, landed: { fact } }) => ({ fact, consumer: `payment:${payment.id}` })),
  );
  result.changedPayments.push(...consumed.map(({ payment }) => payment.id));
  await takeIncoming(db, store, dependencies, { network, landed: later }, result);
}

async function takeOutgoing(
  db: Db,
  store: Store,
  { network, landed }: { network: Network; landed: Landed },
  { result, nowMs }: { result: ScanResult; nowMs: number },
): Promise<void> {
  const { fact, transfer } = landed;
  const transferId = await landTransfer(db, store, network, transfer, landed, nowMs);
  if (transferId === null) {
    // Anyone who knows a key that was replaced could stop the network otherwise. It is booked once it is final.
    if (await hasLeftFormer(db, store.tables, { network, address: transfer.from, block: transfer.block })) return;
    return stopSigningWithin(db, store, { reason: 'unexplained_outflow', network, detail: fact }, nowMs);
  }
  await consume(db, store.tables, [{ fact, consumer: `transfer:${transferId}` }]);
  result.changedTransfers.push(transferId);
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
