import { and, count, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { ENDPOINTS_MAX, UNUSED_AFTER_MS } from '../../core/events/events.ts';
import type { Network } from '../../core/networks.ts';
import { payerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Tables } from '../schema/tables.ts';

export type EndpointRow = Tables['eventEndpoints']['$inferSelect'];

export type NewEndpoint = { id: string; network: Network; payer: string; url: string; nowMs: number };

/** False where the payer has as many as one may have. */
export async function addEndpoint(
  { tx, tables }: Pick<Store, 'tx' | 'tables'>,
  { nowMs, ...endpoint }: NewEndpoint,
): Promise<boolean> {
  const { eventEndpoints } = tables;
  const { network, payer } = endpoint;
  return tx(
    async (db) => {
      const theirs = and(
        eq(eventEndpoints.payer, payer),
        eq(eventEndpoints.network, network),
        isNull(eventEndpoints.endedAtMs),
      );
      const [row] = await db.select({ count: count() }).from(eventEndpoints).where(theirs);
      if ((row?.count ?? 0) >= ENDPOINTS_MAX) return false;
      await db.insert(eventEndpoints).values({ ...endpoint, createdAtMs: nowMs });
      return true;
    },
    [payerLock(payer)],
  );
}

export async function findEndpoint({ read, tables }: Store, id: string): Promise<EndpointRow | null> {
  const { eventEndpoints } = tables;
  const [row] = await read.select().from(eventEndpoints).where(eq(eventEndpoints.id, id));
  return row ?? null;
}

/** A payment names it. False where this payer has none of that id on this network. */
export async function useEndpoint(
  db: Db,
  { nowMs, ...named }: { id: string; network: Network; payer: string; nowMs: number },
): Promise<boolean> {
  const [row] = await selectOwn(db, named);
  if (row === undefined) return false;
  if (row.usedAtMs === null) await markUsed(db, { id: named.id, nowMs });
  return true;
}

const selectOwn = prepare((db, { eventEndpoints }) =>
  db
    .select({ usedAtMs: eventEndpoints.usedAtMs })
    .from(eventEndpoints)
    .where(
      and(
        eq(eventEndpoints.id, placeholder('id')),
        eq(eventEndpoints.network, placeholder('network')),
        eq(eventEndpoints.payer, placeholder('payer')),
      ),
    ),
);

const markUsed = prepare((db, { eventEndpoints }) =>
  db
    .update(eventEndpoints)
    .set({ usedAtMs: sql`${placeholder('nowMs')}` })
    .where(and(eq(eventEndpoints.id, placeholder('id')), isNull(eventEndpoints.usedAtMs))),
);

/** The rest is left to the next run. */
const FORGOTTEN_MAX = 500;

/** Strangers can register any number, so those that no payment has named go. Answers how many did. */
export async function forgetUnusedEndpoints({ read, tx, tables }: Store, nowMs: number): Promise<number> {
  const { eventEndpoints } = tables;
  const isOld = and(isNull(eventEndpoints.usedAtMs), lte(eventEndpoints.createdAtMs, nowMs - UNUSED_AFTER_MS));
  const old = await read.select({ id: eventEndpoints.id }).from(eventEndpoints).where(isOld).limit(FORGOTTEN_MAX);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx((db) => db.delete(eventEndpoints).where(and(inArray(eventEndpoints.id, ids), isOld)));
  return ids.length;
}
