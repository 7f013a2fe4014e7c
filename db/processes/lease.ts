import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { aside } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { isAlive, type Owner } from './owner.ts';
import { closeResponsesOf } from './responses.ts';

/** How often a process shows that it is alive. */
export const BEAT_EVERY_MS = 2_000;
/** A process that was silent for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 60_000;

export type ProcessEntry = Owner & Place & { roles: readonly string[] };

export type Entering = { hasEnded?: (place: Place) => boolean; mayServe?: (db: Db) => Promise<void> };

/** Where a process listens, and its number on that host. */
export type Place = { address: string; pid: number };

/**
 * Begins an epoch; what was held in earlier ones is given up. The processes of one SQLite file are on one host, so a
 * process that listened at this address before has ended, as one has that `hasEnded` knows: what it held is given up too,
 * and nobody waits for its lease. Elsewhere a host's name proves nothing. `mayServe` throws in the same transaction where
 * the process may begin none.
 */
export async function beginEpoch(
  store: Store,
  { process: id, epoch, roles, address, pid }: ProcessEntry,
  { hasEnded = () => false, mayServe = async () => undefined }: Entering = {},
): Promise<void> {
  const { processes } = store.tables;
  const row = { roles: roles.join(','), address, pid, epoch, beatAtMs: store.clock };
  await store.tx(
    async (db) => {
      await mayServe(db);
      await giveUp(db, store.tables, id);
      if (store.dialect === 'sqlite') {
        const others = await db.select().from(processes).where(ne(processes.id, id));
        const ended = others.filter((other) => other.address === address || hasEnded(other));
        const ids = ended.map((other) => other.id);
        if (ids.length > 0) await forget(db, store.tables, inArray(processes.id, ids));
      }
      await db
        .insert(processes)
        .values({ id, ...row })
        .onConflictDoUpdate({ target: processes.id, set: row });
    },
    [aside],
  );
}

/** Renews the lease. False: it was over before, or the row is gone. */
export async function beat(store: Store, { process, epoch }: Owner): Promise<boolean> {
  const { processes } = store.tables;
  const renewed = await store.tx(
    (db) =>
      db
        .update(processes)
        .set({ beatAtMs: store.clock })
        .where(and(eq(processes.id, process), eq(processes.epoch, epoch), isAlive(store)))
        .returning({ id: processes.id }),
    [aside],
  );
  return renewed.length > 0;
}

/** How many processes serve a role now. */
export async function countServing({ read, tables, clock }: Store, role: string): Promise<number> {
  const alive = await read
    .select({ roles: tables.processes.roles })
    .from(tables.processes)
    .where(isAlive({ tables, clock }));
  return alive.filter(({ roles }) => roles.split(',').includes(role)).length;
}

/** At an orderly end, so that nobody waits for its lease. */
export async function leave(store: Store, { process }: Owner): Promise<void> {
  await store.tx((db) => forget(db, store.tables, eq(store.tables.processes.id, process)));
}

/** It does not matter when this happens: it keeps the tables as small as what is open. */
export async function forgetSilent(store: Store): Promise<void> {
  const { processes } = store.tables;
  const isSilent = sql`${processes.beatAtMs} <= ${store.clock} - ${FORGOTTEN_AFTER_MS}`;
  const [found] = await store.read.select({ id: processes.id }).from(processes).where(isSilent).limit(1);
  if (found !== undefined) await store.tx((db) => forget(db, store.tables, isSilent));
}

/**
 * Ends processes with all that they hold. A process that takes over from a silent one ends it in the same transaction: of
 * that and its next beat one wins, so none goes on holding what another has taken.
 */
export async function forget(db: Db, tables: Tables, which: SQL | undefined): Promise<void> {
  const { processes } = tables;
  const gone = await db.delete(processes).where(which).returning({ id: processes.id });
  for (const { id } of gone) await giveUp(db, tables, id);
}

async function giveUp(db: Db, tables: Tables, process: string): Promise<void> {
  await closeResponsesOf(db, tables, process);
  await db.delete(tables.holdings).where(eq(tables.holdings.process, process));
}
