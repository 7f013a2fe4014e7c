import Database from 'better-sqlite3';
import { Client } from 'pg';

/** Every statement that a database was asked, by its text, with some of the values that it was asked with. */
export type Recorded = ReadonlyMap<string, readonly (readonly unknown[])[]>;

/** The newest ones are kept. */
const SAMPLES_MAX = 2;

/** How many statements `work` asks, by their texts. */
export async function countStatements(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const count = (text: string) => void counts.set(text, (counts.get(text) ?? 0) + 1);
  const ends = [recordSqlite(count), recordPostgres(count)];
  try {
    await work();
  } finally {
    for (const end of ends) end();
  }
  return counts;
}

/** Listens at both drivers, beneath everything of ours, until it is ended. */
export function recordStatements() {
  let isPaused = false;
  const statements = new Map<string, (readonly unknown[])[]>();
  const record = (text: string, values: readonly unknown[]): void => {
    if (!isPaused) statements.set(text, [...(statements.get(text) ?? []), values].slice(-SAMPLES_MAX));
  };
  const ends = [recordSqlite(record), recordPostgres(record)];
  return {
    statements: statements as Recorded,
    /** What a test asks for itself is not the service's. */
    async without<T>(ask: () => Promise<T>): Promise<T> {
      isPaused = true;
      try {
        return await ask();
      } finally {
        isPaused = false;
      }
    },
    end: () => ends.forEach((end) => end()),
  };
}

type Record = (text: string, values: readonly unknown[]) => void;

function recordSqlite(record: Record): () => void {
  const prototype: { prepare: Prepare } = Database.prototype;
  const { prepare } = prototype;
  prototype.prepare = function recorded(text) {
    const statement = prepare.call(this, text);
    for (const method of ['run', 'all', 'get'] as const) {
      const original = statement[method].bind(statement) as (...values: unknown[]) => never;
      statement[method] = (...values: unknown[]) => {
        record(text, values);
        return original(...values);
      };
    }
    return statement;
  };
  return () => void (prototype.prepare = prepare);
}

type Prepare = (this: Database.Database, text: string) => Database.Statement;

function recordPostgres(record: Record): () => void {
  const prototype = Client.prototype as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function recorded(this: Client, ...given: unknown[]) {
    const [config, values] = given;
    const text = typeof config === 'string' ? config : (config as { text?: string } | null)?.text;
    if (text !== undefined && Array.isArray(values)) record(text, values);
    return query.apply(this, given);
  };
  return () => void (prototype.query = query);
}
