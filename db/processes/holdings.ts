import { and, eq, inArray, not, notExists, sql } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { forget } from './lease.ts';
import { isAlive, type Hold, type Owner } from './owner.ts';
import { checkLease } from './signing.ts';

/** Who has what; `process` is null where its holder is silent or gone. */
export type Holding = { name: string; process: string | null };

/** What one role of this process has or does alone. */
export type Holder = {
  /** Names this process in a holding of its own. */
  process: string;
  /** Takes it as soon as it is free, and again after each loss. */
  want: (name: string) => Hold;
  /** Gives these up, and stops asking for them. */
  release: (names: readonly string[]) => Promise<void>;
  /** Who holds what now, among the names with this prefix. */
  read: (prefix: string) => Promise<Holding[]>;
  /** Gives all up at once, so that another process need not wait for the end of the lease. */
  close: () => Promise<void>;
};

/** All holdings whose names have this prefix. They need no beat of their own: a holding lives as long as its process. */
export async function readHoldings(store: Store, prefix: string): Promise<Holding[]> {
  const { holdings, processes } = store.tables;
  const holder = and(eq(processes.id, holdings.process), eq(processes.epoch, holdings.epoch), isAlive(store));
  return store.read
    .select({ name: holdings.name, process: processes.id })
    .from(holdings)
    .leftJoin(processes, holder)
    .where(sql`substr(${holdings.name}, 1, ${prefix.length}) = ${prefix}`);
}

/**
 * Takes those that no living process holds, and answers those that this process holds then. A silent holder is
 * ended in the same transaction. Throws where this process itself has lost its lease.
 */
export async function takeHoldings(store: Store, owner: Owner, names: readonly string[]): Promise<string[]> {
  const { holdings, processes } = store.tables;
  return store.tx(async (db) => {
    await checkLease(db, store, owner);
    const wanted = inArray(holdings.name, [...names]);
    const holders = db.select({ id: holdings.process }).from(holdings).where(wanted);
    await forget(db, store.tables, and(inArray(processes.id, holders), not(isAlive(store))));
    const isHeld = and(eq(processes.id, holdings.process), eq(processes.epoch, holdings.epoch));
    const living = db.select({ id: processes.id }).from(processes).where(isHeld);
    const mine = { process: owner.process, epoch: owner.epoch };
    await db
      .insert(holdings)
      .values(names.map((name) => ({ name, ...mine })))
      .onConflictDoUpdate({ target: holdings.name, set: mine, setWhere: notExists(living) });
    const held = and(wanted, eq(holdings.process, owner.process), eq(holdings.epoch, owner.epoch));
    const rows = await db.select({ name: holdings.name }).from(holdings).where(held);
    return rows.map(({ name }) => name);
  });
}

/** So that another process may take them at once. */
export async function giveUpHoldings(store: Store, owner: Owner, names: readonly string[]): Promise<void> {
  const { holdings } = store.tables;
  const mine = and(eq(holdings.process, owner.process), eq(holdings.epoch, owner.epoch));
  await store.tx((db) => db.delete(holdings).where(and(inArray(holdings.name, [...names]), mine)));
}
