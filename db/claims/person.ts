import { and, eq, min } from 'drizzle-orm';
import type { Language } from '../../core/languages.ts';
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

export type WalletOwner = { id: string; key: string; language: Language | null };

/** Whose a personal wallet is, by its id; null for one that is not kept for a name. */
export async function findOwner(store: Store, walletId: string): Promise<WalletOwner | null> {
  const { identities } = store.tables;
  const at = walletId.indexOf(':');
  const isIt = and(eq(identities.platform, walletId.slice(0, at)), eq(identities.stableId, walletId.slice(at + 1)));
  const { id, key, language } = identities;
  const [row] = await store.read.select({ id, key, language }).from(identities).where(isIt);
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
