import { and, asc, eq } from 'drizzle-orm';
import { stopSigningWithin, type SigningStop } from '../store/stops.ts';
import type { Store } from '../store/store.ts';
import type { StopScope } from '../../core/payments/outages.ts';
import { OPERATOR_STOPS, type StopKind } from '../../core/payments/stops.ts';
import { recordAction, type Command } from './actions.ts';

export type Stop = SigningStop & { sinceMs: number };

export async function listStops(store: Store): Promise<Stop[]> {
  const { signingStops } = store.tables;
  return store.read.select().from(signingStops).orderBy(asc(signingStops.sinceMs));
}

/** Removes a stop that the operator has read. One that was set again meanwhile stays: it has another reason. */
export async function clearStop(
  store: Store,
  stop: Stop,
  { command, detail }: { command: Command; detail: string },
  nowMs: number,
): Promise<boolean> {
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
      result: `cleared ${stop.reason} on ${stop.network} (${stop.detail}): ${detail}`,
      nowMs,
    });
    return true;
  });
}

/** What is already signed may still land. `detail`: who stopped it, and why. */
export async function stopByOperator(
  store: Store,
  { kind, network, detail }: { kind: StopKind; network: StopScope; detail: string },
  command: Command,
  nowMs: number,
): Promise<void> {
  await store.tx(async (db) => {
    await stopSigningWithin(db, store, { reason: OPERATOR_STOPS[kind], network, detail }, nowMs);
    await recordAction(db, store.tables, command, { result: `stopped ${kind} on ${network}: ${detail}`, nowMs });
  });
}
