import { and, asc, eq, lte } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { linkWithin, type ReleaseDependencies } from '../wallets.ts';

/** More than these are for the next round. */
const CHANGES_MAX = 100;

/**
 * Puts addresses into force whose day has passed without their owner stopping them. Each in a transaction of its own;
 * one that fails does not keep the others from it, and is thrown at the end. Answers how many count from now on.
 */
export async function applyDueChanges(store: Store, { newPayoutId, nowMs }: ReleaseDependencies): Promise<number> {
  const { walletChanges } = store.tables;
  const due = await store.read
    .select()
    .from(walletChanges)
    .where(lte(walletChanges.effectiveAtMs, nowMs))
    .orderBy(asc(walletChanges.effectiveAtMs))
    .limit(CHANGES_MAX);
  let applied = 0;
  const failures: unknown[] = [];
  for (const change of due) {
    try {
      if (await applyChange(store, change, { newPayoutId, nowMs })) applied += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} addresses could not be replaced`);
  return applied;
}

type Change = Store['tables']['walletChanges']['$inferSelect'];

/** Meanwhile it may have been stopped, or another address may have taken its place and begun its own day. */
async function applyChange(store: Store, change: Change, dependencies: ReleaseDependencies): Promise<boolean> {
  const { walletChanges } = store.tables;
  const { identityId, network, address, source, effectiveAtMs } = change;
  return store.tx(async (db) => {
    const taken = await db
      .delete(walletChanges)
      .where(
        and(
          eq(walletChanges.identityId, identityId),
          eq(walletChanges.network, network),
          eq(walletChanges.address, address),
          eq(walletChanges.effectiveAtMs, effectiveAtMs),
        ),
      )
      .returning({ network: walletChanges.network });
    if (taken.length === 0) return false;
    await linkWithin(db, store.tables, { identityId, network, address, source }, dependencies);
    return true;
  });
}
