import { and, asc, eq } from 'drizzle-orm';
import { stopSigningWithin, type SigningStop } from '../store/stops.ts';
import type { Store } from '../store/store.ts';
import type { StopScope } from '../../core/payments/outages.ts';
import { recordAction, type Command } from './actions.ts';

export type Stop = SigningStop & { sinceMs: number };

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
      .where(
        and(
          eq(signingStops.reason, stop.reason),
          eq(signingStops.network, stop.network),
          eq(signingStops.sinceMs, stop.sinceMs),
        ),
      )
      .returning({ reason: signingStops.reason });
    if (cleared.length === 0) return false;
    await recordAction(db, store.tables, command, {
      result: `cleared ${stop.reason} on ${stop.network}: ${stop.detail}`,
      nowMs,
    });
    return true;
  });
}

/** What is signed already may still land. */
export async function stopByOperator(store: Store, network: StopScope, command: Command, nowMs: number): Promise<void> {
  await store.tx(async (db) => {
    await stopSigningWithin(db, store, { reason: 'operator', network, detail: 'by command' }, nowMs);
    await recordAction(db, store.tables, command, { result: `stopped ${network}`, nowMs });
  });
}
