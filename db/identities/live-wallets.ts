import { and, eq, gt, notInArray, or, type SQL } from 'drizzle-orm';
import { ADDRESS_LAPSE_MS, LAPSING_PLATFORMS } from '../../core/claims/claims.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type WalletRow = Tables['wallets']['$inferSelect'];

/**
 * True of a stored address that still counts. Where names change owners, an address unused for long does not: its row
 * stays, but no money goes there until the name is proven again. `people` is the joined table that holds the platform.
 */
export function isLive(people: Tables['identities'] | Tables['lines'], { wallets }: Tables, nowMs: number): SQL {
  const used = gt(wallets.usedAtMs, nowMs - ADDRESS_LAPSE_MS);
  const live = or(notInArray(people.platform, [...LAPSING_PLATFORMS]), used);
  if (live === undefined) throw new Error('two conditions made none');
  return live;
}

/** Where an identity's money goes now, at most one address a network. */
export async function liveWallets(db: Db, tables: Tables, identityId: string, nowMs: number): Promise<WalletRow[]> {
  const { identities, wallets } = tables;
  const rows = await db
    .select({ wallet: wallets })
    .from(wallets)
    .innerJoin(identities, eq(identities.id, wallets.identityId))
    .where(and(eq(wallets.identityId, identityId), isLive(identities, tables, nowMs)));
  return rows.map(({ wallet }) => wallet);
}
