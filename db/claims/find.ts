import { and, desc, eq, gt } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type ClaimRow = Tables['claims']['$inferSelect'];

const OPEN_MAX = 20;

export async function findClaim(store: Store, id: string): Promise<ClaimRow | null> {
  const { claims } = store.tables;
  const [row] = await store.read.select().from(claims).where(eq(claims.id, id));
  return row ?? null;
}

/** The claims that a browser may be coming back for from a provider: the state says which, and only the caller compares it. */
export async function findOpenByOauthState(
  store: Store,
  platform: string,
  browserId: string,
  nowMs: number,
): Promise<ClaimRow[]> {
  const { claims } = store.tables;
  return store.read
    .select()
    .from(claims)
    .where(
      and(
        eq(claims.browserId, browserId),
        eq(claims.platform, platform),
        eq(claims.status, 'open'),
        gt(claims.expiresAtMs, nowMs),
      ),
    )
    .orderBy(desc(claims.createdAtMs), desc(claims.id))
    .limit(OPEN_MAX);
}
