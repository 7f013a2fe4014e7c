import { and, desc, eq, max, notLike } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/** The communities of a chat in which the bot met a person last, the newest first; no private chats. */
export async function lastSeenCommunities(
  { read, tables: { communityPeople } }: Pick<Store, 'read' | 'tables'>,
  transport: string,
  limit: number,
): Promise<string[]> {
  const { communityId, seenAtMs } = communityPeople;
  const rows = await read
    .select({ communityId })
    .from(communityPeople)
    .where(and(eq(communityPeople.transport, transport), notLike(communityId, `${transport}:%`)))
    .groupBy(communityId)
    .orderBy(desc(max(seenAtMs)))
    .limit(limit);
  return rows.map((row) => row.communityId);
}
