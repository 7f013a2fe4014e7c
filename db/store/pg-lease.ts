import { drizzle } from 'drizzle-orm/node-postgres';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import type { Lease } from './group-commit.ts';
import { setPreparedRunner, type PreparedRunner } from './prepare.ts';
import type { Db } from './store.ts';
import type { Tables } from '../schema/tables.ts';
import type { Failure } from './work.ts';

/**
 * One transaction's permission to use a connection. After `revoke` nothing gets through: the connection is back in
 * the pool, and a late statement would run in another transaction.
 */
export function leaseClient(client: PoolClient, tables: Tables): Lease {
  let failure: Failure | null = null;
  let isRevoked = false;
  async function query(config: QueryConfig, values: unknown[]): Promise<QueryResult> {
    if (isRevoked) throw new Error('this transaction is over; its db cannot be used any more');
    try {
      return await client.query(config, values);
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  }
  // The one member of a connection that drizzle calls for builders.
  const db = drizzle({ query } as unknown as PoolClient) as unknown as Db;
  setPreparedRunner(db, createPgRunner(db, tables));
  return { db, failure: () => failure, revoke: () => void (isRevoked = true) };
}

/** The server keeps the plan by name on each connection; building the text again is small beside the round trip. */
export function createPgRunner(db: Db, tables: Tables): PreparedRunner {
  return (definition, values) => {
    const query = definition.build(db, tables).prepare(definition.name) as {
      execute: (values: Record<string, unknown>) => Promise<unknown>;
    };
    return query.execute(values);
  };
}
