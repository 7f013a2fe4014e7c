import { sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Db } from './store.ts';
import type { Tables } from '../schema/tables.ts';

type Builder<T> = PromiseLike<T> & { prepare: (name: string) => unknown };
type Values = Record<string, unknown>;

/** A query as its builder describes it, with `placeholder('name')` where the values go. */
export type Definition = { name: string; build: Build<{ prepare: (name: string) => unknown }> };
type Build<T> = (db: Db, tables: Tables, clock: SQL<number>) => T;
export type PreparedRunner = (definition: Definition, values: Values) => Promise<unknown>;

const runners = new WeakMap<Db, PreparedRunner>();
let definitions = 0;

/**
 * A query for a hot path, built once a connection instead of once a call. Define it at the top of a module and call
 * it with the `db` of a transaction or with `store.read`; on a `db` whose transaction is over it throws as usual. What it
 * is built from are the tables and the database's clock; what leases ask is built each time, because in their tests a store
 * has a clock of its own.
 *
 *     const insertSeal = prepare((db, { seals }) =>
 *       db.insert(seals).values({ entryId: placeholder('entryId'), hash: placeholder('hash') }).returning());
 *     const rows = await insertSeal(db, { entryId: 1, hash });
 */
export function prepare<T>(build: Build<Builder<T>>): (db: Db, values: Values) => Promise<T> {
  definitions += 1;
  // PostgreSQL keeps prepared statements by name, one text a name.
  const definition = { name: `prepared_${definitions}`, build };
  return async (db, values) => {
    const runner = runners.get(db);
    if (!runner) throw new Error('a prepared query needs the db of a store');
    return runner(definition, values) as Promise<T>;
  };
}

/** For the stores: says how prepared queries run through this `db`. */
export function setPreparedRunner(db: Db, runner: PreparedRunner): void {
  runners.set(db, runner);
}

/** Where a value of a prepared query goes. */
export const placeholder = (name: string) => sql.placeholder(name);

/** The same for each of these columns of a row, under its own name. One that is stored as JSON has no null this way. */
export const given = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, placeholder(name)])) as Record<Name, Placeholder>;

/** The database's clock in epoch milliseconds, by its dialect. */
export const CLOCKS = {
  sqlite: sql<number>`cast(unixepoch('now', 'subsec') * 1000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
} as const;
