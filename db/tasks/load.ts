import { and, eq, lte, sql, type SQL } from 'drizzle-orm';
import { move } from '../store/move.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** In one step; the rest is found by the next one. */
const EXPIRED_MAX = 500;

/** One open task fewer of this caller; who has none is forgotten, because callers are known by their addresses. */
export async function releaseUnpaid(db: Db, { taskLoads }: Tables, caller: string | null): Promise<void> {
  if (caller === null) return;
  await db
    .update(taskLoads)
    .set({ unpaid: sql`${taskLoads.unpaid} - 1` })
    .where(eq(taskLoads.caller, caller));
  await db.delete(taskLoads).where(and(eq(taskLoads.caller, caller), lte(taskLoads.unpaid, 0)));
}

/** Expires those of these tasks whose time is over: from then on they count against no caller. */
export async function expireWithin(db: Db, tables: Tables, which: SQL | undefined, nowMs: number): Promise<void> {
  const { tasks } = tables;
  const over = await db
    .select({ id: tasks.id, caller: tasks.caller })
    .from(tasks)
    .where(and(eq(tasks.status, 'open'), lte(tasks.expiresAtMs, nowMs), which))
    .limit(EXPIRED_MAX);
  for (const { id, caller } of over) {
    const moved = await move(db, tasks, { where: eq(tasks.id, id), set: { status: 'expired', caller: null } });
    if (moved.length > 0) await releaseUnpaid(db, tables, caller);
  }
}
