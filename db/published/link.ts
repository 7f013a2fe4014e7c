import type { Network } from '../../core/networks.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { liveWallets } from '../identities/live-wallets.ts';
import type { Store } from '../store/store.ts';
import { releaseWaiting, storeWallet, type ReleaseDependencies } from '../transfers/link-wallet.ts';

export type PublishedLink = { identityId: string; addresses: readonly { network: Network; address: string }[] };

/**
 * Uses published addresses, already checked, for a person who gave us none: what waits goes there at once. Null, and
 * nothing changed, when the person has an address by now or opted out: an address given to us always wins over a
 * published one. Answers the ids of the new payouts.
 */
export async function linkPublished(
  store: Store,
  { identityId, addresses }: PublishedLink,
  dependencies: ReleaseDependencies,
): Promise<string[] | null> {
  const { tables } = store;
  const { identities } = tables;
  return store.tx(async (db) => {
    const [person] = await db
      .select({ id: identities.id })
      .from(identities)
      .where(and(eq(identities.id, identityId), isNull(identities.optedOutAtMs)));
    if (!person) return null;
    if ((await liveWallets(db, tables, identityId, dependencies.nowMs)).length > 0) return null;
    // All of them before anything is paid, or money would cross to the first network although its own has an address.
    for (const { network, address } of addresses) {
      await storeWallet(db, tables, { identityId, network, address, source: 'published' }, dependencies.nowMs);
    }
    const released = await releaseWaiting(db, tables, identityId, dependencies);
    return released.map(({ payoutId }) => payoutId);
  });
}
