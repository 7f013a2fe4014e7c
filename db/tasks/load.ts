import { and, eq, lte, sql } from 'drizzle-orm';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** One unpaid task fewer of this caller; who has none is forgotten, because callers are known by their addresses. */
export async function releaseUnpaid(db: Db, { taskLoads }: Tables, caller: string | null): Promise<void> {
  if (caller === null) return;
  await db
    .update(taskLoads)
    .set({ unpaid: sql`${taskLoads.unpaid} - 1` })
    .where(eq(taskLoads.caller, caller));
  await db.delete(taskLoads).where(and(eq(taskLoads.caller, caller), lte(taskLoads.unpaid, 0)));
}
