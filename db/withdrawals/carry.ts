import type { Network } from '../../core/networks.ts';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';
import { isOfKind } from '../transfers/find.ts';

/** `sealedBlock`: where the batch that carries it has its place on the chain, if it has one. */
export type LivingWithdrawal = { withdrawal: TransferRow; sealedBlock: number | null };

/** Authorizations that could still land, or have landed unnoticed. */
export async function livingWithdrawals(store: Store, network: Network, limit: number): Promise<LivingWithdrawal[]> {
  const { transfers, carriers } = store.tables;
  const isAlive = and(isOfKind(store.tables, 'withdrawal'), inArray(transfers.status, ['assigned', 'broadcast']));
  return store.read
    .select({ withdrawal: transfers, sealedBlock: carriers.sealedBlock })
    .from(transfers)
    .leftJoin(carriers, eq(carriers.id, transfers.carrierId))
    .where(and(eq(transfers.network, network), isAlive))
    .orderBy(asc(transfers.createdAtMs))
    .limit(limit);
}

/** Wallets that something is on its way from: what is left in them cannot be read off the chain. */
export async function sendingAddresses(store: Store, network: Network): Promise<Set<string>> {
  const { transfers } = store.tables;
  const isSent = and(isOfKind(store.tables, 'withdrawal'), eq(transfers.status, 'broadcast'));
  const rows = await store.read
    .selectDistinct({ address: transfers.fromAddress })
    .from(transfers)
    .where(and(eq(transfers.network, network), isSent));
  return new Set(rows.map(({ address }) => address));
}
