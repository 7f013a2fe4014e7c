import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { Lease } from './group-commit.ts';
import { setPreparedRunner, type PreparedRunner } from './prepare.ts';
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
      failure ??= { error };
      throw error;
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
  const db = drizzle({ query } as unknown as PoolClient) as unknown as Db;
  setPreparedRunner(db, createPgRunner(db, tables, named));
  return db;
}

/** The server keeps the plan by name on each connection; building the text again is small beside the round trip. */
function createPgRunner(db: Db, tables: Tables, named: boolean): PreparedRunner {
  return (definition, values) => {
    const query = definition.build(db, tables).prepare(named ? definition.name : '') as {
      execute: (values: Record<string, unknown>) => Promise<unknown>;
    };
    return query.execute(values);
  };
}
