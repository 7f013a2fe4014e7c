import type { Db, Store } from './store.ts';

export type StopReason = 'unexplained_outflow' | 'invariant_broken' | 'books_behind_chain' | 'operator';

/** Stops everything that signs, until an operator has looked. Payment routes answer `service_paused` meanwhile. */
export async function stopSigning(store: Store, reason: StopReason, detail: string, nowMs: number): Promise<void> {
  await store.tx((db) => stopSigningWithin(db, store, reason, detail, nowMs));
}

export async function stopSigningWithin(
  db: Db,
  store: Store,
  reason: StopReason,
  detail: string,
  nowMs: number,
): Promise<void> {
  await db.insert(store.tables.signingStops).values({ reason, detail, sinceMs: nowMs }).onConflictDoNothing();
}

export async function signingStops(store: Store): Promise<{ reason: string; detail: string }[]> {
  const { signingStops: stops } = store.tables;
  return store.read.select({ reason: stops.reason, detail: stops.detail }).from(stops);
}
