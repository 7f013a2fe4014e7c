import type { SQL } from 'drizzle-orm';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../schema/tables.ts';
import type { Lock } from './locks.ts';

/** Queries are written against this surface in both dialects. */
export type Db = BaseSQLiteDatabase<'async', unknown, Record<string, never>>;

/**
 * The port to the database. `read` sees committed rows only and cannot write. `tx` is one transaction: it resolves
 * after COMMIT is durable and rejects with nothing kept. Only database calls may be awaited inside its function, and
 * it must not call `tx` again. The function may run more than once (serialization failures on PostgreSQL, a lost group
 * on SQLite), so it must have no effect but its queries. `locks` are held from its beginning, each by one transaction at a
 * time: name them where many processes write the same rows again and again.
 */
export type Store = {
  dialect: 'sqlite' | 'postgres';
  tables: Tables;
  read: Db;
  /** The database's clock in epoch milliseconds, for statements: the one clock that all processes share. */
  clock: SQL<number>;
  tx: <T>(work: (db: Db) => Promise<T>, locks?: readonly Lock[]) => Promise<T>;
  close: () => Promise<void>;
};
