import { and, eq, inArray } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { Community } from './community-settings.ts';

/** The menu that a community was shown, and what the bot was not allowed to do there then. */
export type ShownMenu = { lacks: readonly string[]; menuHash: string };

export async function shownMenus(
  { read, tables: { communityMenus: table } }: Store,
  transport: string,
  communityIds: readonly string[],
): Promise<Map<string, ShownMenu>> {
  if (communityIds.length === 0) return new Map();
  const rows = await read
    .select()
    .from(table)
    .where(and(eq(table.transport, transport), inArray(table.communityId, [...communityIds])));
  return new Map(rows.map(({ communityId, lacks, menuHash }) => [communityId, { lacks, menuHash }]));
}

export async function noteMenu(store: Store, community: Community, { lacks, menuHash }: ShownMenu): Promise<void> {
  const { communityMenus: table } = store.tables;
  const { transport, communityId } = community;
  const shown = { lacks: [...lacks], menuHash };
  await store.tx((db) =>
    db
      .insert(table)
      .values({ transport, communityId, ...shown })
      .onConflictDoUpdate({ target: [table.transport, table.communityId], set: shown }),
  );
}

/** From now on it is not known what is shown there. */
export async function forgetMenu(store: Store, community: Community): Promise<void> {
  if ((await shownMenus(store, community.transport, [community.communityId])).size === 0) return;
  await store.tx((db) => db.delete(store.tables.communityMenus).where(isOf(store.tables, community)));
}

function isOf({ communityMenus: table }: Tables, { transport, communityId }: Community) {
  return and(eq(table.transport, transport), eq(table.communityId, communityId));
}
