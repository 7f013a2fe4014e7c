import type { Network } from '../../core/networks.ts';
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { OPEN_WITHDRAWAL_STATES } from '../../core/states.ts';

export type TreasuryDeposit = Store['tables']['treasuryDeposits']['$inferSelect'];

type Place = { walletId: string; network: Network };

/**
 * What had finally left the treasury by this time, in withdrawals, rewards and drops. Null while something is on its way or
 * arrived later: then a balance may or may not include it.
 */
export async function sentOutOf(store: Store, place: Place, arrivedUntilMs: number): Promise<bigint | null> {
  const withdrawn = await withdrawnFrom(store, place, arrivedUntilMs);
  const rewarded = await rewardedFrom(store, place, arrivedUntilMs);
  const dropped = await droppedFrom(store, place, arrivedUntilMs);
  return withdrawn === null || rewarded === null || dropped === null ? null : withdrawn + rewarded + dropped;
}

/** An order that is worked on is answered within this time, or dropped. */
const ORDER_MS = 20 * 60_000;

/** With their fees: the orders of its drops, which are the only ones that a treasury pays. */
async function droppedFrom(store: Store, { walletId, network }: Place, untilMs: number): Promise<bigint | null> {
  const { orders: table } = store.tables;
  const isHere = and(eq(table.walletId, walletId), eq(table.network, network));
  const isNew = and(eq(table.status, 'answered'), gt(table.createdAtMs, untilMs - ORDER_MS));
  const [open] = await store.read
    .select({ id: table.id })
    .from(table)
    .where(and(isHere, or(eq(table.status, 'signed'), isNew)))
    .limit(1);
  if (open) return null;
  const [paid] = await store.read
    .select({ sum: sql<string | number | null>`sum(${table.totalMicroUsdc})` })
    .from(table)
    .where(and(isHere, eq(table.status, 'answered')));
  return BigInt(paid?.sum ?? 0);
}

/** Drops that it has paid or is paying, the newest first. */
export async function dropsOutOf(store: Store, walletId: string, limit: number) {
  const { orders: table } = store.tables;
  const { network, totalMicroUsdc, status, createdAtMs } = table;
  return store.read
    .select({ network, totalMicroUsdc, status, createdAtMs })
    .from(table)
    .where(and(eq(table.walletId, walletId), inArray(status, ['signed', 'answered'])))
    .orderBy(desc(createdAtMs))
    .limit(limit);
}

async function withdrawnFrom(store: Store, { walletId, network }: Place, untilMs: number): Promise<bigint | null> {
  const { walletWithdrawals: table } = store.tables;
  const isHere = and(eq(table.walletId, walletId), eq(table.network, network));
  const isNew = and(eq(table.status, 'paid'), gt(table.endedAtMs, untilMs));
  const [open] = await store.read
    .select({ id: table.id })
    .from(table)
    .where(and(isHere, or(inArray(table.status, [...OPEN_WITHDRAWAL_STATES]), isNew)))
    .limit(1);
  if (open) return null;
  const [paid] = await store.read
    .select({ sum: sql<string | number | null>`sum(${table.amountMicroUsdc})` })
    .from(table)
    .where(and(isHere, eq(table.status, 'paid')));
  return BigInt(paid?.sum ?? 0);
}

/** With their fees. A reward that another payer paid has no header, or another wallet's. */
async function rewardedFrom(store: Store, { walletId, network }: Place, untilMs: number): Promise<bigint | null> {
  const { rewardCards: table } = store.tables;
  const isOurs = and(isNotNull(table.header), isNull(table.viaLink));
  const isHere = and(eq(table.walletId, walletId), eq(table.network, network), isOurs);
  const isNew = and(eq(table.status, 'paid'), gt(table.paidAtMs, untilMs));
  const [open] = await store.read
    .select({ id: table.id })
    .from(table)
    .where(and(isHere, or(eq(table.status, 'signed'), isNew)))
    .limit(1);
  if (open) return null;
  const [paid] = await store.read
    .select({ sum: sql<string | number | null>`sum(${table.totalMicroUsdc})` })
    .from(table)
    .where(and(isHere, eq(table.status, 'paid')));
  return BigInt(paid?.sum ?? 0);
}

/** Rewards that it has paid for or is paying for, the newest first. */
export async function rewardsOutOf(store: Store, walletId: string, limit: number) {
  const { rewardCards: table } = store.tables;
  const { network, totalMicroUsdc, status, createdAtMs, paidAtMs } = table;
  const isOurs = and(isNotNull(table.header), isNull(table.viaLink));
  const isOut = and(eq(table.walletId, walletId), isOurs, inArray(status, ['signed', 'paid']));
  return store.read
    .select({ network, totalMicroUsdc, status, createdAtMs, paidAtMs })
    .from(table)
    .where(isOut)
    .orderBy(desc(createdAtMs))
    .limit(limit);
}

/** A total below the last one comes from a lagging node and is ignored. */
export async function noteReceived(store: Store, place: Place, total: bigint, nowMs: number): Promise<void> {
  const before = (await receiptsOf(store, place)).at(-1)?.totalMicroUsdc ?? 0n;
  if (total <= before) return;
  const { treasuryDeposits } = store.tables;
  const row = { ...place, totalMicroUsdc: total, seenAtMs: nowMs };
  await store.tx((db) => db.insert(treasuryDeposits).values(row).onConflictDoNothing());
}

/** Oldest first. */
export async function receiptsOf(store: Store, { walletId, network }: Place): Promise<TreasuryDeposit[]> {
  const { treasuryDeposits: table } = store.tables;
  return store.read
    .select()
    .from(table)
    .where(and(eq(table.walletId, walletId), eq(table.network, network)))
    .orderBy(asc(table.totalMicroUsdc));
}
