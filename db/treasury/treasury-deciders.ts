import { desc, eq, max } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/**
 * Who has decided about the money of a treasury: set or stopped an address, confirmed a withdrawal, a reward or a drop. The last ones
 * first. They may have lost their role since; what they are told is announced to all.
 */
export async function decidersOf(store: Store, walletId: string, limit: number): Promise<string[]> {
  const { read, tables } = store;
  const { rewardCards, rewardConfirmations, treasuryAddresses, treasuryConfirmations, treasuryWithdrawals } = tables;
  const { drops, dropConfirmations } = tables;
  const lastMs = max(treasuryConfirmations.confirmedAtMs);
  const confirmed = await read
    .select({ userId: treasuryConfirmations.userId, atMs: lastMs })
    .from(treasuryConfirmations)
    .innerJoin(treasuryWithdrawals, eq(treasuryWithdrawals.id, treasuryConfirmations.withdrawalId))
    .where(eq(treasuryWithdrawals.walletId, walletId))
    .groupBy(treasuryConfirmations.userId)
    .orderBy(desc(lastMs))
    .limit(limit);
  const rewardedMs = max(rewardConfirmations.confirmedAtMs);
  const rewarded = await read
    .select({ userId: rewardConfirmations.userId, atMs: rewardedMs })
    .from(rewardConfirmations)
    .innerJoin(rewardCards, eq(rewardCards.id, rewardConfirmations.cardId))
    .where(eq(rewardCards.walletId, walletId))
    .groupBy(rewardConfirmations.userId)
    .orderBy(desc(rewardedMs))
    .limit(limit);
  const droppedMs = max(dropConfirmations.confirmedAtMs);
  const dropped = await read
    .select({ userId: dropConfirmations.userId, atMs: droppedMs })
    .from(dropConfirmations)
    .innerJoin(drops, eq(drops.id, dropConfirmations.dropId))
    .where(eq(drops.walletId, walletId))
    .groupBy(dropConfirmations.userId)
    .orderBy(desc(droppedMs))
    .limit(limit);
  const addresses = await read
    .select()
    .from(treasuryAddresses)
    .where(eq(treasuryAddresses.walletId, walletId))
    .orderBy(desc(treasuryAddresses.setAtMs))
    .limit(limit);
  const named = addresses.flatMap(({ setBy, setAtMs, cancelledBy, cancelledAtMs }) => [
    { userId: setBy, atMs: setAtMs },
    ...(cancelledBy === null ? [] : [{ userId: cancelledBy, atMs: cancelledAtMs }]),
  ]);
  const newest = [...confirmed, ...rewarded, ...dropped, ...named].toSorted(
    (one, other) => (other.atMs ?? 0) - (one.atMs ?? 0),
  );
  return [...new Set(newest.map(({ userId }) => userId))].slice(0, limit);
}
