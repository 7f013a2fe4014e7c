import { eq, or } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { StopScope } from '../../core/payments/outages.ts';
import type { StopReason } from '../../core/payments/stops.ts';
import { placeholder, prepare } from './prepare.ts';
import type { Db, Store } from './store.ts';

/** What is wrong on one network stops that one; what cannot be told apart stops all. */
export type NewStop = { reason: StopReason; network: StopScope; detail: string };

/** Stops what signs there, until an operator has looked. Its payment proofs get `service_paused` meanwhile. */
export async function stopSigning(store: Store, stop: NewStop, nowMs: number): Promise<void> {
  await store.tx((db) => stopSigningWithin(db, store, stop, nowMs));
}

export async function stopSigningWithin(
  db: Db,
  { tables }: Pick<Store, 'tables'>,
  stop: NewStop,
  nowMs: number,
): Promise<void> {
  await db
    .insert(tables.signingStops)
    .values({ ...stop, sinceMs: nowMs })
    .onConflictDoNothing();
}

export type SigningStop = { reason: string; network: StopScope; detail: string };

export async function signingStops(store: Store): Promise<SigningStop[]> {
  return allStops(store.read, {});
}

const allStops = prepare((db, { signingStops: stops }) =>
  db.select({ reason: stops.reason, network: stops.network, detail: stops.detail }).from(stops),
);

/** Those that hold for this network. */
export async function stopsOn(store: Store, network: Network): Promise<SigningStop[]> {
  return stopsOfNetwork(store.read, { network });
}

/** The same inside a transaction. */
export async function stopsWithin(db: Db, network: Network): Promise<SigningStop[]> {
  return stopsOfNetwork(db, { network });
}

const stopsOfNetwork = prepare((db, { signingStops: stops }) =>
  db
    .select({ reason: stops.reason, network: stops.network, detail: stops.detail })
    .from(stops)
    .where(or(eq(stops.network, placeholder('network')), eq(stops.network, 'all'))),
);

/** Whether this database has lost its newest part, and nobody has reconciled it since. */
export async function isRestored(db: Db): Promise<boolean> {
  return (await restoredStop(db, {})).length > 0;
}

const restoredStop = prepare((db, { signingStops: stops }) =>
  db.select({ reason: stops.reason }).from(stops).where(eq(stops.reason, 'database_restored')),
);
