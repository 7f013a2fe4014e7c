import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';
import { isOfKind } from './find.ts';

/** Queued payouts that were planned for an address which is the treasury no longer. */
export async function payoutsOfFormers(
  store: Store,
  { network, formers, limit }: { network: Network; formers: readonly string[]; limit: number },
): Promise<TransferRow[]> {
  const { transfers } = store.tables;
  return store.read
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.status, 'queued'),
        isOfKind(store.tables, 'payout'),
        inArray(transfers.fromAddress, [...formers]),
      ),
    )
    .orderBy(asc(transfers.createdAtMs))
    .limit(limit);
}

/**
 * The treasury pays these from now on. Needs proof that nothing which the former one has signed for them can land: the
 * token refuses a second landing under the same key only.
 */
export async function takeOver(store: Store, payouts: readonly TransferRow[], treasury: string): Promise<void> {
  const { transfers } = store.tables;
  await store.tx(async (db) => {
    for (const { id, generation, fromAddress } of payouts) {
      const isIt = and(eq(transfers.id, id), eq(transfers.generation, generation));
      await db
        .update(transfers)
        .set({ fromAddress: treasury, nonce: null, validBefore: null, signature: null })
        .where(and(isIt, eq(transfers.status, 'queued'), eq(transfers.fromAddress, fromAddress)));
    }
  });
}

/** Sweeps that are not signed go to the treasury, not to one that it has replaced. */
export async function redirectSweeps(
  store: Store,
  { network, from, to }: { network: Network; from: readonly string[]; to: string },
): Promise<void> {
  const { transfers } = store.tables;
  const isStale = and(
    eq(transfers.network, network),
    eq(transfers.status, 'queued'),
    isOfKind(store.tables, 'sweep'),
    inArray(transfers.toAddress, [...from]),
  );
  // Read beside the writer first: there is hardly ever one.
  const [stale] = await store.read.select({ id: transfers.id }).from(transfers).where(isStale).limit(1);
  if (stale !== undefined) await store.tx((db) => db.update(transfers).set({ toAddress: to }).where(isStale));
}
