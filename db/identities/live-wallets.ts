import { and, eq, gt, inArray, notInArray, or, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { ADDRESS_LAPSE_MS, LAPSING_PLATFORMS } from '../../core/claims/claims.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type WalletRow = Tables['wallets']['$inferSelect'];

/**
 * True of a stored address that still counts. Where names change owners, an address unused for long does not: its row
 * stays, but no money goes there until the name is proven again. `people` is the joined table that holds the platform.
 */
export function isLive(people: Tables['identities'] | Tables['lines'], tables: Tables, nowMs: number): SQL {
  return isUsed(people, tables, usedAfter(nowMs));
}

/** Since when an address that lapses must have been used. */
export const usedAfter = (nowMs: number): number => nowMs - ADDRESS_LAPSE_MS;

/** The same for a query that is built once: `afterMs` is what `usedAfter` answers. */
export function isUsed(
  people: Tables['identities'] | Tables['lines'],
  { wallets }: Tables,
  afterMs: number | Placeholder,
): SQL {
  const used = gt(wallets.usedAtMs, sql`${afterMs}`);
  const live = or(notInArray(people.platform, [...LAPSING_PLATFORMS]), used);
  if (live === undefined) throw new Error('two conditions made none');
  return live;
}

/** Where an identity's money goes now, at most one address a network. */
export async function liveWallets(db: Db, _tables: Tables, identityId: string, nowMs: number): Promise<WalletRow[]> {
  const rows = await selectLive(db, { identityId, usedAfterMs: usedAfter(nowMs) });
  return rows.map(({ wallet }) => wallet);
}

const selectLive = prepare((db, tables) => {
  const { identities, wallets } = tables;
  return db
    .select({ wallet: wallets })
    .from(wallets)
    .innerJoin(identities, eq(identities.id, wallets.identityId))
    .where(
      and(eq(wallets.identityId, placeholder('identityId')), isUsed(identities, tables, placeholder('usedAfterMs'))),
    );
});

/** Those of these people who have an address at all, live or not. */
export async function withWallets(
  db: Db,
  { wallets }: Tables,
  identityIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (identityIds.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ identityId: wallets.identityId })
    .from(wallets)
    .where(inArray(wallets.identityId, [...new Set(identityIds)]));
  return new Set(rows.map(({ identityId }) => identityId));
}
