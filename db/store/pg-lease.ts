import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { Lease } from './group-commit.ts';
import { CLOCKS, setPreparedRunner, type Definition, type PreparedRunner } from './prepare.ts';
import type { Db } from './store.ts';
import type { Tables } from '../schema/tables.ts';
import type { Failure } from './work.ts';

type Query = (config: QueryConfig, values: unknown[]) => Promise<QueryResult>;

/**
 * One transaction's permission to use a connection. After `revoke` nothing gets through: the connection is back in
 * the pool, and a late statement would run in another transaction.
 */
export function leaseClient(client: PoolClient, tables: Tables, named: boolean): Lease {
  let failure: Failure | null = null;
  let isRevoked = false;
  const db = createDb(tables, named, async (config, values) => {
    if (isRevoked) throw new Error('this transaction is over; its db cannot be used any more');
    try {
      return await client.query(config, values);
    } catch (error) {
      // Of statements that were asked together those behind the one that failed say only that it has.
      failure ??= { error };
      throw failure.error;
    }
  });
  return { db, failure: () => failure, revoke: () => void (isRevoked = true) };
}

/** Values travel apart from the text, so what begins as a question and names no writing verb writes nothing. */
const QUESTION = /^[\s(]*(select|with)\b/i;
const WRITING = /\b(insert\s+into|update\s+"|delete\s+from|for\s+update|for\s+share)\b/i;

/** Sees committed rows only. What it may do is read off each statement: a mode of the session would stay in a pooler. */
export function createPgReader(pool: Pool, tables: Tables, named: boolean): Db {
  return createDb(tables, named, async (config, values) => {
    if (!QUESTION.test(config.text) || WRITING.test(config.text))
      throw new Error('store.read cannot write: use store.tx');
    return pool.query(config, values);
  });
}

function createDb(tables: Tables, named: boolean, query: Query): Db {
  // The one member of a connection that drizzle calls for builders.
  const client = { query };
  const db = drizzle(client as unknown as PoolClient) as unknown as Db;
  setPreparedRunner(db, createPgRunner(client, tables, named));
  return db;
}

/** Drizzle's prepared query, with the connection that it runs on as a member. */
type PgQuery = { client: { query: Query }; execute: (values: Record<string, unknown>) => Promise<unknown> };

/** By whether the server keeps them by name. */
const built = { true: new Map<Definition, PgQuery>(), false: new Map<Definition, PgQuery>() };

/** The server keeps the plan by name on each connection. The query itself is built once a process, and copied for each. */
function createPgRunner(client: { query: Query }, tables: Tables, named: boolean): PreparedRunner {
  const known = built[named ? 'true' : 'false'];
  return (definition, values) => {
    const query = known.get(definition) ?? buildQuery(definition, tables, named);
    known.set(definition, query);
    const copy = Object.assign(Object.create(Object.getPrototypeOf(query) as object) as PgQuery, query, { client });
    return copy.execute(values);
  };
}

function buildQuery(definition: Definition, tables: Tables, named: boolean): PgQuery {
  const nowhere = { query: () => Promise.reject(new Error('a prepared query was run without its connection')) };
  const db = drizzle(nowhere as unknown as PoolClient) as unknown as Db;
  const query = definition.build(db, tables, CLOCKS.postgres).prepare(named ? definition.name : '') as PgQuery;
  if (query.client !== (nowhere as unknown)) throw new Error('drizzle keeps the connection of a query elsewhere now');
  return query;
}
