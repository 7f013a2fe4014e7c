import { and, asc, eq } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';

export type Stop = { reason: string; detail: string; sinceMs: number };

export async function listStops(store: Store): Promise<Stop[]> {
  const { signingStops } = store.tables;
  return store.read.select().from(signingStops).orderBy(asc(signingStops.sinceMs));
}

/** Takes a stop away that the operator has read. One that was put up anew meanwhile stays: it says something else. */
export async function clearStop(store: Store, stop: Stop, command: Command, nowMs: number): Promise<boolean> {
  const { signingStops } = store.tables;
  return store.tx(async (db) => {
    const cleared = await db
      .delete(signingStops)
      .where(and(eq(signingStops.reason, stop.reason), eq(signingStops.sinceMs, stop.sinceMs)))
      .returning({ reason: signingStops.reason });
    if (cleared.length === 0) return false;
    await recordAction(db, store.tables, command, { result: `cleared ${stop.reason}: ${stop.detail}`, nowMs });
    return true;
  });
}
