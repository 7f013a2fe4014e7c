import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/** What the proof will need again. False once the claim is not open any more. */
export async function keepProof(store: Store, id: string, proof: Record<string, unknown>): Promise<boolean> {
  const { claims } = store.tables;
  const kept = await store.tx((db) =>
    db
      .update(claims)
      .set({ proof })
      .where(and(eq(claims.id, id), eq(claims.status, 'open')))
      .returning({ id: claims.id }),
  );
  return kept.length > 0;
}

/**
 * Takes what was kept out of the row, for good: of many that come with one code or state, one gets it. Null when there
 * is nothing (any more). A statement answers rows as it leaves them, so what it removes is read before it, in the same
 * transaction.
 */
export async function takeProof(store: Store, id: string): Promise<Record<string, unknown> | null> {
  const { claims } = store.tables;
  return store.tx(async (db) => {
    const kept = and(eq(claims.id, id), eq(claims.status, 'open'), isNotNull(claims.proof));
    const [found] = await db.select({ proof: claims.proof }).from(claims).where(kept);
    const taken = await db.update(claims).set({ proof: null }).where(kept).returning({ id: claims.id });
    return taken.length > 0 ? (found?.proof ?? null) : null;
  });
}

/** Counts a try before it is judged, so that many at once are no more than were allowed. False when none is left. */
export async function countTry(store: Store, id: string, max: number): Promise<boolean> {
  const { claims } = store.tables;
  const counted = await store.tx((db) =>
    db
      .update(claims)
      .set({ tries: sql`${claims.tries} + 1` })
      .where(and(eq(claims.id, id), eq(claims.status, 'open'), lt(claims.tries, max)))
      .returning({ id: claims.id }),
  );
  return counted.length > 0;
}
