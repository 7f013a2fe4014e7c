import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { Watched } from '../connections/watch.ts';
import type { Places } from '../connections/places.ts';
import type { Pressure } from '../connections/pressure.ts';
import { isConnectionLost } from './busy.ts';
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
export function leaseClient(
  client: PoolClient,
  watched: Watched,
  { tables, named }: { tables: Tables; named: boolean },
): Lease & { lastSignMs: () => number } {
  let failure: Failure | null = null;
  let isRevoked = false;
  let lastSignMs = performance.now();
  const sign = () => {
    lastSignMs = performance.now();
    watched.touch();
  };
  const db = createDb(tables, named, async (config, values) => {
    if (isRevoked) throw new Error('this transaction is over; its db cannot be used any more');
    sign();
    try {
      return await client.query(config, values);
    } catch (error) {
      failure ??= { error };
      throw error;
    } finally {
      sign();
    }
  });
  return { db, failure: () => failure, revoke: () => void (isRevoked = true), lastSignMs: () => lastSignMs };
}

/** Values travel apart from the text, so what begins as a question and names no writing verb writes nothing. */
const QUESTION = /^[\s(]*(select|with)\b/i;
const WRITING = /\b(insert\s+into|update\s+"|delete\s+from|for\s+update|for\s+share)\b/i;

/** Behind so many others a question is not asked any more. */
const WAIT_LIMIT_MS = 10_000;
/** A question has no effect, so it is asked again where its connection was lost. */
const ATTEMPTS = 3;

export type Reading = { pool: Pool; connectLimitMs: number; places: Places; pressure: Pressure };

/** Sees committed rows only. What it may do is read off each statement: a mode of the session would stay in a pooler. */
export function createPgReader(
  { pool, connectLimitMs, places, pressure }: Reading,
  tables: Tables,
  named: boolean,
): Db {
  return createDb(tables, named, async (config, values) => {
    if (!QUESTION.test(config.text) || WRITING.test(config.text))
      throw new Error('store.read cannot write: use store.tx');
    const leave = pressure.enter();
    const giveBack = await places.take({ withinMs: WAIT_LIMIT_MS });
    leave(giveBack !== null);
    if (giveBack === null) throw pressure.overloaded();
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const startedMs = performance.now();
          const client = await pool.connect().catch((error: unknown) => {
            // A machine that has no time for a new connection in all that time is overloaded; a server that is away says so.
            throw performance.now() - startedMs < connectLimitMs ? error : pressure.overloaded();
          });
          return await ask(client, config, values);
        } catch (error) {
          if (attempt === ATTEMPTS || !isConnectionLost(error)) throw error;
        }
      }
    } finally {
      giveBack();
    }
  });
}

async function ask(client: PoolClient, config: QueryConfig, values: unknown[]): Promise<QueryResult> {
  try {
    const result = await client.query(config, values);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
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
