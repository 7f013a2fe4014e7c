import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { OPEN_WITHDRAWAL_STATES } from '../withdrawals/states.ts';

export type TreasuryReceipt = Store['tables']['treasuryReceipts']['$inferSelect'];

type Place = { walletId: string; network: string };

/** What has left it for good; null while something is on its way: then nobody knows whether the balance is without it. */
export async function sentOutOf(store: Store, { walletId, network }: Place): Promise<bigint | null> {
  const { withdrawals } = store.tables;
  const isHere = and(eq(withdrawals.walletId, walletId), eq(withdrawals.network, network));
  const [open] = await store.read
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(isHere, inArray(withdrawals.status, [...OPEN_WITHDRAWAL_STATES])))
    .limit(1);
  if (open) return null;
  const [paid] = await store.read
    .select({ sum: sql<string | number | null>`sum(${withdrawals.amountMicroUsdc})` })
    .from(withdrawals)
    .where(and(isHere, eq(withdrawals.status, 'paid')));
  return BigInt(paid?.sum ?? 0);
}

/** Less than before is a node that lags, and says nothing. */
export async function noteReceived(store: Store, place: Place, total: bigint, nowMs: number): Promise<void> {
  const before = (await receiptsOf(store, place)).at(-1)?.totalMicroUsdc ?? 0n;
  if (total <= before) return;
  const { treasuryReceipts } = store.tables;
  const row = { ...place, totalMicroUsdc: total, seenAtMs: nowMs };
  await store.tx((db) => db.insert(treasuryReceipts).values(row).onConflictDoNothing());
}

/** From the first to the last. */
export async function receiptsOf(store: Store, { walletId, network }: Place): Promise<TreasuryReceipt[]> {
  const { treasuryReceipts: table } = store.tables;
  return store.read
    .select()
    .from(table)
    .where(and(eq(table.walletId, walletId), eq(table.network, network)))
    .orderBy(asc(table.totalMicroUsdc));
}
