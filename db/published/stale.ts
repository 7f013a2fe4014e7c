import type { Network } from '../../core/networks.ts';
import { and, asc, eq, lte, type SQL } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/** An address that was published when it was last checked. */
export type StaleAddress = {
  identityId: string;
  platform: string;
  stableId: string;
  key: string;
  network: Network;
  address: string;
};

/** Addresses not checked since then, the longest first. */
export async function stalePublished(store: Store, sinceMs: number, limit: number): Promise<StaleAddress[]> {
  const { identities, wallets } = store.tables;
  return store.read
    .select({
      identityId: identities.id,
      platform: identities.platform,
      stableId: identities.stableId,
      key: identities.key,
      network: wallets.network,
      address: wallets.address,
    })
    .from(wallets)
    .innerJoin(identities, eq(identities.id, wallets.identityId))
    .where(and(eq(wallets.source, 'published'), lte(wallets.linkedAtMs, sinceMs)))
    .orderBy(asc(wallets.linkedAtMs))
    .limit(limit);
}

/** It is still published. */
export async function renewPublished(store: Store, stale: StaleAddress, nowMs: number): Promise<void> {
  const { wallets } = store.tables;
  await store.tx((db) => db.update(wallets).set({ linkedAtMs: nowMs }).where(isIt(store, stale)));
}

/** No longer published: no money goes there, and the person is asked for another one when money waits. */
export async function forgetPublished(store: Store, stale: StaleAddress): Promise<boolean> {
  const { wallets } = store.tables;
  const gone = await store.tx((db) =>
    db.delete(wallets).where(isIt(store, stale)).returning({ network: wallets.network }),
  );
  return gone.length > 0;
}

/** An address its person has proven meanwhile is not touched. */
function isIt({ tables: { wallets } }: Store, { identityId, network, address }: StaleAddress): SQL | undefined {
  return and(
    eq(wallets.identityId, identityId),
    eq(wallets.network, network),
    eq(wallets.address, address),
    eq(wallets.source, 'published'),
  );
}
