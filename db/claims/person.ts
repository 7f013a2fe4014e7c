import { eq, min } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/** Who a proven claim belongs to. */
export async function findPerson(
  store: Store,
  identityId: string,
): Promise<{ platform: string; stableId: string } | null> {
  const { identities } = store.tables;
  const [row] = await store.read
    .select({ platform: identities.platform, stableId: identities.stableId })
    .from(identities)
    .where(eq(identities.id, identityId));
  return row ?? null;
}

/** When the first address that this claim put in another one's place begins to count; null when none waits. */
export async function findEffectiveAt(store: Store, claimId: string): Promise<number | null> {
  const { walletChanges } = store.tables;
  const [row] = await store.read
    .select({ atMs: min(walletChanges.effectiveAtMs) })
    .from(walletChanges)
    .where(eq(walletChanges.claimId, claimId));
  return row?.atMs ?? null;
}
