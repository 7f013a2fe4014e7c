import { and, count, eq } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { Community } from './community-settings.ts';

type Member = Community & { userId: string };

/** This person may not tip there from now on. A second ban changes nothing. */
export async function ban(store: Store, member: Member, by: { bannedBy: string; nowMs: number }): Promise<void> {
  const { communityBans } = store.tables;
  const { transport, communityId, userId } = member;
  const row = { transport, communityId, userId, bannedBy: by.bannedBy, createdAtMs: by.nowMs };
  await store.tx((db) => db.insert(communityBans).values(row).onConflictDoNothing());
}

/** False for a member who was not banned. */
export async function unban(store: Store, member: Member): Promise<boolean> {
  const { communityBans } = store.tables;
  const rows = await store.tx((db) =>
    db.delete(communityBans).where(isMember(store, member)).returning({ userId: communityBans.userId }),
  );
  return rows.length > 0;
}

export async function isBanned(store: Store, member: Member): Promise<boolean> {
  const { communityBans } = store.tables;
  const [row] = await store.read
    .select({ userId: communityBans.userId })
    .from(communityBans)
    .where(isMember(store, member));
  return row !== undefined;
}

export async function countBans(store: Store, { transport, communityId }: Community): Promise<number> {
  const { communityBans } = store.tables;
  const [row] = await store.read
    .select({ bans: count() })
    .from(communityBans)
    .where(and(eq(communityBans.transport, transport), eq(communityBans.communityId, communityId)));
  return Number(row?.bans ?? 0);
}

function isMember({ tables }: Store, { transport, communityId, userId }: Member) {
  const { communityBans } = tables;
  return and(
    eq(communityBans.transport, transport),
    eq(communityBans.communityId, communityId),
    eq(communityBans.userId, userId),
  );
}
