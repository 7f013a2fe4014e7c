import type { Network } from '../../core/networks.ts';
import { and, desc, eq, gt, gte, isNull, lte, sql } from 'drizzle-orm';
import type { Entry } from '../../core/ledger.ts';
import type { ObservedTransfer } from '../../core/observed.ts';
import { postEntry } from '../ledger/ledger.ts';
import type { SettleDependencies } from '../payments/settle.ts';
import { takeTransfers, type ScanResult } from '../scan/apply.ts';
import { advanceFinality } from '../scan/finality.ts';
import { undoTransfer } from '../scan/rollback.ts';
import { leftFormer } from '../rotations/formers.ts';
import { beginSignature, moveSignatures, UNREAD } from '../rotations/signatures.ts';
import { ledgerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';

export type SolanaScanStep = {
  network: Network;
  /** Where the caller believes the cursor stands; another writer having moved it makes this step do nothing. */
  from: { slot: number; signature: string; taskSignature: string | null };
  /** Up to here the confirmed transactions of our account are in `transfers` or in the books already. */
  toSlot: number;
  /** A finalized transaction that touched our account, after which the next step begins to read. */
  signature: string;
  /** The same for the task address's account; null where there is none. */
  taskSignature: string | null;
  /** The same for the account of each former address. */
  formerSignatures: ReadonlyMap<string, string>;
  finalizedSlot: number;
  /** Everything before this moment (unix seconds) is read; null while a backlog is left. */
  readUntil: number | null;
  transfers: readonly ObservedTransfer[];
  /** Facts that were in the books and are not on the chain any more. */
  vanished: readonly string[];
  ownAddresses: readonly string[];
};

/** Takes what was confirmed since the last step into the books, and what has vanished out of them, in one transaction. */
export async function applySolanaScan(
  store: Store,
  step: SolanaScanStep,
  settle: Omit<SettleDependencies, 'tables'>,
): Promise<ScanResult> {
  const { network, finalizedSlot } = step;
  return store.tx(
    async (db) => {
      const result: ScanResult = { applied: false, changedPayments: [], changedTransfers: [] };
      if (!(await moveCursor(db, store, step))) return result;
      await moveSignatures(db, store.tables, network, step.formerSignatures);
      result.applied = true;
      for (const fact of step.vanished) result.changedPayments.push(...(await undoFact(db, store, fact, settle.nowMs)));
      const dependencies = { ...settle, tables: store.tables };
      await takeTransfers(db, store, dependencies, step, result);
      // Confirmed means that two thirds of the stake have voted for it; only finalized cannot come back.
      const finality = { network, safeBlock: finalizedSlot, finalizedBlock: finalizedSlot };
      result.changedPayments.push(...(await advanceFinality(db, store, finality, settle.nowMs)));
      return result;
    },
    [ledgerLock(network)],
  );
}

async function moveCursor(db: Db, store: Store, step: SolanaScanStep): Promise<boolean> {
  const { scanCursors } = store.tables;
  const moved = await db
    .update(scanCursors)
    .set({
      block: step.toSlot,
      blockHash: step.signature,
      taskSignature: step.taskSignature,
      safeBlock: step.finalizedSlot,
      finalizedBlock: step.finalizedSlot,
      ...(step.readUntil === null ? {} : { blockTime: step.readUntil }),
    })
    .where(
      and(
        eq(scanCursors.network, step.network),
        eq(scanCursors.block, step.from.slot),
        eq(scanCursors.blockHash, step.from.signature),
        step.from.taskSignature === null
          ? isNull(scanCursors.taskSignature)
          : eq(scanCursors.taskSignature, step.from.taskSignature),
      ),
    )
    .returning({ network: scanCursors.network });
  return moved.length > 0;
}

async function undoFact(db: Db, store: Store, fact: string, nowMs: number): Promise<string[]> {
  const { observedTransfers } = store.tables;
  const [transfer] = await db
    .select()
    .from(observedTransfers)
    .where(and(eq(observedTransfers.fact, fact), eq(observedTransfers.landed, true)));
  return transfer ? undoTransfer(db, store, transfer, nowMs) : [];
}

/** From here on the task address is in the books, with what it held. Of several processes one writes it. */
export async function openTaskAccount(
  store: Store,
  account: { network: Network; signature: string; opening: readonly Entry[] },
  nowMs: number,
): Promise<void> {
  const { scanCursors } = store.tables;
  await store.tx(async (db) => {
    const begun = await db
      .update(scanCursors)
      .set({ taskSignature: account.signature })
      .where(and(eq(scanCursors.network, account.network), isNull(scanCursors.taskSignature)))
      .returning({ network: scanCursors.network });
    if (begun.length === 0) return;
    for (const entry of account.opening) await postEntry(db, store.tables, entry, nowMs);
  });
}

/** Reading of the treasury's or the task address's account begins here, where a rotation has brought it. */
export async function beginReading(
  store: Store,
  { network, role, signature }: { network: Network; role: 'treasury' | 'task'; signature: string },
): Promise<void> {
  const { scanCursors: cursors } = store.tables;
  const [column, set] =
    role === 'treasury'
      ? ([cursors.blockHash, { blockHash: signature }] as const)
      : ([cursors.taskSignature, { taskSignature: signature }] as const);
  const isUnread = and(eq(cursors.network, network), eq(column, UNREAD));
  await store.tx((db) => db.update(cursors).set(set).where(isUnread));
}

/** The same for a former address; what it held is booked where books begin that have never read it. */
export async function beginFormer(
  store: Store,
  account: { network: Network; address: string; signature: string; opening: readonly Entry[] },
  nowMs: number,
): Promise<void> {
  await store.tx(async (db) => {
    if (!(await beginSignature(db, store.tables, account))) return;
    for (const entry of account.opening) await postEntry(db, store.tables, entry, nowMs);
  });
}

/** What is in the books as landed in these slots, newest first, the order in which it is undone: each must still be there when the slots are finalized. */
export async function landedBetween(
  store: Store,
  network: Network,
  afterSlot: number,
  toSlot: number,
): Promise<{ fact: string; transaction: string; slot: number }[]> {
  const { observedTransfers } = store.tables;
  return store.read
    .select({ fact: observedTransfers.fact, transaction: observedTransfers.transaction, slot: observedTransfers.block })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, network),
        eq(observedTransfers.landed, true),
        gt(observedTransfers.block, afterSlot),
        lte(observedTransfers.block, toSlot),
      ),
    )
    .orderBy(desc(observedTransfers.block), desc(observedTransfers.logIndex));
}

/** Transactions that are in the books already, of those named. */
export async function knownTransactions(store: Store, network: Network, afterSlot: number): Promise<Set<string>> {
  const { observedTransfers } = store.tables;
  const rows = await store.read
    .select({ transaction: observedTransfers.transaction })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, network),
        eq(observedTransfers.landed, true),
        gt(observedTransfers.block, afterSlot),
      ),
    );
  return new Set(rows.map(({ transaction }) => transaction));
}

/** What the books hold of slots after this one: how many transfers, and by how much they changed an address. */
export async function bookedAfter(
  store: Store,
  { network, address }: { network: Network; address: string },
  afterSlot: number,
): Promise<{ count: number; sum: bigint }> {
  const { observedTransfers } = store.tables;
  const rows = await store.read
    .select({
      from: observedTransfers.fromAddress,
      to: observedTransfers.toAddress,
      amount: observedTransfers.amountMicroUsdc,
      consumedBy: observedTransfers.consumedBy,
      isTaken: sql<number>`case when ${leftFormer(store.tables)} then 1 else 0 end`,
    })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, network),
        eq(observedTransfers.landed, true),
        gt(observedTransfers.block, afterSlot),
      ),
    );
  const sum = rows.reduce((total, { from, to, amount, consumedBy, isTaken }) => {
    // An outflow that nothing explains is in no account, unless it left a former address: there it counts at once.
    const left = from === address && (consumedBy !== null || Number(isTaken) === 1) ? amount : 0n;
    return total + (to === address ? amount : 0n) - left;
  }, 0n);
  return { count: rows.length, sum };
}

/** Whether a transfer of these slots has come into the books only after that moment. */
export async function bookedSince(store: Store, network: Network, toSlot: number, sinceMs: number): Promise<boolean> {
  const { observedTransfers } = store.tables;
  const [row] = await store.read
    .select({ fact: observedTransfers.fact })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, network),
        lte(observedTransfers.block, toSlot),
        gte(observedTransfers.seenAtMs, sinceMs),
      ),
    )
    .limit(1);
  return row !== undefined;
}
