import { and, eq, gte, lte } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { Store } from '../store/store.ts';

/** Where on the chain the booked transfers of these blocks stand. */
export async function bookedPlaces(
  store: Store,
  network: Network,
  { from, to }: { from: number; to: number },
): Promise<{ blockHash: string; logIndex: number }[]> {
  const { observedTransfers: seen } = store.tables;
  const rows = await store.read
    .select({ blockHash: seen.blockHash, logIndex: seen.logIndex })
    .from(seen)
    .where(and(eq(seen.network, network), eq(seen.landed, true), gte(seen.block, from), lte(seen.block, to)));
  return rows;
}
