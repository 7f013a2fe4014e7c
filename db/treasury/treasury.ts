import { asc, eq, lte } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type TreasuryRow = Store['tables']['treasuries']['$inferSelect'];
export type Treasury = Pick<TreasuryRow, 'walletId' | 'transport' | 'communityId'>;

/** Stored before its addresses are first shown, so that no money lies in a wallet we do not know of. */
export async function openTreasury(store: Store, treasury: Treasury, nowMs: number): Promise<void> {
  const { treasuries } = store.tables;
  const [known] = await store.read.select().from(treasuries).where(eq(treasuries.walletId, treasury.walletId));
  if (known) return;
  const row = { ...treasury, lookedAtMs: 0, createdAtMs: nowMs };
  await store.tx((db) => db.insert(treasuries).values(row).onConflictDoNothing());
}

/** Treasuries whose balances were not read since then, the longest first. */
export async function treasuriesNotSeenSince(store: Store, untilMs: number, limit: number): Promise<TreasuryRow[]> {
  const { treasuries } = store.tables;
  return store.read
    .select()
    .from(treasuries)
    .where(lte(treasuries.lookedAtMs, untilMs))
    .orderBy(asc(treasuries.lookedAtMs))
    .limit(limit);
}

export async function markTreasurySeen(store: Store, walletId: string, nowMs: number): Promise<void> {
  const { treasuries } = store.tables;
  await store.tx((db) => db.update(treasuries).set({ lookedAtMs: nowMs }).where(eq(treasuries.walletId, walletId)));
}
