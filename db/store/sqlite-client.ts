import type Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { CLOCKS, type Definition } from './prepare.ts';
import type { Db } from './store.ts';
import type { Tables } from '../schema/tables.ts';

/** Runs one statement, or throws because its user may not run one now. */
export type Gate = <T>(call: () => T) => T;

type Compiled = { plain: Database.Statement; raw: Database.Statement | null };
export type StatementCache = (query: string) => Compiled;

const STATEMENTS_MAX = 500;
// What would end or leave the executor's transaction, or change the connection under it.
const FORBIDDEN = /^\s*(begin|commit|end|rollback|savepoint|release|pragma|attach|detach|vacuum)\b/i;

/** Compiled statements by their text: compiling one costs as much as running it. */
export function createStatementCache(handle: Database.Database): StatementCache {
  const statements = new Map<string, Compiled>();
  return (query) => {
    const known = statements.get(query);
    if (known) return known;
    if (FORBIDDEN.test(query)) throw new Error(`not allowed through the store: ${query.slice(0, 40)}`);
    const plain = handle.prepare(query);
    // Two, because raw mode is a switch on the statement and both modes are used.
    const compiled = { plain, raw: plain.reader ? handle.prepare(query).raw() : null };
    const oldest = statements.size < STATEMENTS_MAX ? undefined : statements.keys().next().value;
    if (oldest !== undefined) statements.delete(oldest);
    statements.set(query, compiled);
    return compiled;
  };
}

/** Drizzle over compiled statements. Every statement goes through the gate, also one of a builder kept for later. */
export function createSqliteDb(compile: StatementCache, gate: Gate): Db {
  const prepare = (query: string) => gate(() => gatedStatement(compile(query), gate));
  const transaction = () => {
    throw new Error('db.transaction is not part of the store: the function given to tx is the transaction');
  };
  // The two members of a connection that drizzle calls. It runs synchronously; `await` makes it look like PostgreSQL.
  const client = { prepare, transaction } as unknown as Database.Database;
  return drizzle(client) as unknown as Db;
}

function gatedStatement({ plain, raw }: Compiled, gate: Gate) {
  const rows = raw ?? plain;
  return {
    run: (...values: unknown[]) => gate(() => plain.run(...values)),
    all: (...values: unknown[]) => gate(() => plain.all(...values)),
    get: (...values: unknown[]) => gate(() => plain.get(...values)),
    raw: () => ({
      all: (...values: unknown[]) => gate(() => rows.all(...values)),
      get: (...values: unknown[]) => gate(() => rows.get(...values)),
    }),
  };
}

type SyncQuery = { execute: (values: Record<string, unknown>) => { sync: () => unknown } };

/** Prepared queries of one connection, built through `db` and kept as long as the connection lives. */
export function createPreparedQueries(db: Db, tables: Tables) {
  const queries = new Map<Definition, SyncQuery>();
  return (definition: Definition, values: Record<string, unknown>): unknown => {
    const known = queries.get(definition);
    // Drizzle's synchronous prepared query; the surface is typed as the asynchronous one.
    const query = known ?? (definition.build(db, tables, CLOCKS.sqlite).prepare(definition.name) as SyncQuery);
    if (!known) queries.set(definition, query);
    return query.execute(values).sync();
  };
}
