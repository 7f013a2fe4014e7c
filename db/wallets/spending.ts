import { and, asc, eq, gte, isNotNull, type SQL } from 'drizzle-orm';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { SpendingLimits } from '../../core/wallets/spending-limits.ts';
import { addWithin, readCounter, takeWithin } from '../store/counters.ts';
import { dayOf } from '../limits/daily.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { isSigned } from './passkeys.ts';
import { findLock } from './spending-locks.ts';
import { walletLimitsAt } from './wallet-limits.ts';

/**
 * What has left a wallet on a day by tips, and at once by withdrawals (`withdrawals/leaving.ts`): one guarded counter a wallet
 * and day, over all chats and pages. An order counts with its full price from when it is priced, and until it is certain that it takes
 * nothing. Its day is the one that it was made on, which never changes, so nothing is moved between counters at midnight.
 */
type OrderRow = Tables['orders']['$inferSelect'];
export type SpendingProblem = 'wallet_locked' | 'passkey_needed' | 'over_tip_limit' | 'over_day_limit';

/** Counters are kept longer than names may be, so a wallet is in them by an opaque id. */
export function spentCounter(walletId: string, day: string): string {
  return `spent:${day}:${payerAccountId(walletId)}`;
}

/** On the day that the order counts on. */
export function readSpentOnDayOf(store: Store, { walletId, createdAtMs }: Pick<OrderRow, 'walletId' | 'createdAtMs'>) {
  return spentOn(store, walletId, createdAtMs);
}

/** On the day of this time. */
export async function spentOn(store: Store, walletId: string, atMs: number): Promise<MicroUsdc> {
  return microUsdc(await readCounter(store, spentCounter(walletId, dayOf(atMs))));
}

/** The largest part that one recipient of an order gets. */
function largestPart({ lines, amountMicroUsdc }: Pick<OrderRow, 'lines' | 'amountMicroUsdc'>): bigint {
  const parts = lines?.map((line) => BigInt(line.amountMicroUsdc)) ?? [amountMicroUsdc];
  return parts.reduce((most, part) => (part > most ? part : most), 0n);
}

/**
 * Takes the order's part of its day's limit; belongs in the transaction that prices it, which writes
 * `countedMicroUsdc`. Priced again it takes only the difference; with a problem it takes nothing. Limits lowered and
 * locks set since the order was made already apply; limits raised since then do not yet.
 */
export async function takeSpending(
  db: Db,
  tables: Tables,
  order: OrderRow,
  total: bigint,
): Promise<SpendingProblem | null> {
  const { walletId, countedMicroUsdc, createdAtMs } = order;
  const limits = await walletLimitsAt(db, walletId, createdAtMs);
  if ((await findLock(db, tables, order, createdAtMs)) !== null) return 'wallet_locked';
  if (!(await isSigned(db, tables, order, createdAtMs))) return 'passkey_needed';
  if (largestPart(order) > limits.tip) return 'over_tip_limit';
  const more = total - (countedMicroUsdc ?? 0n);
  const isTaken = await takeWithin(db, { tables }, spentCounter(walletId, dayOf(createdAtMs)), more, limits.day);
  return isTaken ? null : 'over_day_limit';
}

/** Gives back what the order has taken, if it certainly pays nothing. The caller's transaction clears the column. */
export async function giveBackSpending(db: Db, tables: Tables, order: Counted): Promise<void> {
  const { walletId, countedMicroUsdc, createdAtMs } = order;
  if (countedMicroUsdc === null) return;
  await addWithin(db, { tables }, spentCounter(walletId, dayOf(createdAtMs)), -countedMicroUsdc);
}

/** For an order paid after all: it counts even above the limit. */
export async function addSpending(
  db: Db,
  tables: Tables,
  { walletId, createdAtMs }: Pick<OrderRow, 'walletId' | 'createdAtMs'>,
  total: bigint,
): Promise<void> {
  await addWithin(db, { tables }, spentCounter(walletId, dayOf(createdAtMs)), total);
}

type Counted = Pick<OrderRow, 'walletId' | 'countedMicroUsdc' | 'createdAtMs'>;

/** Failed orders that still count, because their header could have been used. */
export async function failedAndCounted(store: Store, sinceMs: number, limit: number): Promise<OrderRow[]> {
  const { orders } = store.tables;
  const isFailed = and(eq(orders.status, 'failed'), isNotNull(orders.countedMicroUsdc));
  return store.read
    .select()
    .from(orders)
    .where(and(isFailed, gte(orders.createdAtMs, sinceMs)))
    .orderBy(asc(orders.createdAtMs))
    .limit(limit);
}

/** Gives back what a failed order has taken, once; the caller has checked that its header can no longer be used. */
export async function releaseFailed(store: Store, id: string): Promise<boolean> {
  const { orders } = store.tables;
  return store.tx(async (db) => {
    const [order] = await db.select().from(orders).where(eq(orders.id, id));
    if (!order) throw new Error(`there is no order ${id}`);
    const isCounted = and(eq(orders.id, id), eq(orders.status, 'failed'), isNotNull(orders.countedMicroUsdc));
    return clearCount(db, store.tables, order, isCounted);
  });
}

/** Only the call that clears the column gives back, so it is given back once. */
export async function clearCount(db: Db, tables: Tables, order: Counted, where: SQL | undefined): Promise<boolean> {
  const { orders } = tables;
  const cleared = await db.update(orders).set({ countedMicroUsdc: null }).where(where).returning({ id: orders.id });
  if (cleared.length === 0) return false;
  await giveBackSpending(db, tables, order);
  return true;
}

/** Payments out of this wallet that are signed and have no answer yet. */
export async function walletOnItsWay(
  store: Store,
  walletId: string,
  network: OrderRow['network'],
): Promise<{ count: number; sumMicroUsdc: bigint }> {
  const { orders } = store.tables;
  const rows = await store.read
    .select({ total: orders.totalMicroUsdc })
    .from(orders)
    .where(and(eq(orders.walletId, walletId), eq(orders.status, 'signed'), eq(orders.network, network)));
  return { count: rows.length, sumMicroUsdc: rows.reduce((sum, { total }) => sum + (total ?? 0n), 0n) };
}

export type Spending = { limits: SpendingLimits; spentToday: MicroUsdc };

/** The wallet's limits, and what is used up today. */
export async function readSpending(store: Store, walletId: string, nowMs: number): Promise<Spending> {
  const limits = await walletLimitsAt(store.read, walletId, nowMs);
  return { limits, spentToday: await spentOn(store, walletId, nowMs) };
}
