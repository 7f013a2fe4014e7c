import type { SQL } from 'drizzle-orm';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type { Tables } from '../schema/tables.ts';
import type { Snapshot } from '../snapshot/question.ts';
import type { Lock } from './locks.ts';

/** Queries are written against this surface in both dialects. */
export type Db = BaseSQLiteDatabase<'async', unknown, Record<string, never>>;

declare const signing: unique symbol;

/** A transaction that may store what a key of ours has signed. Only `signingTx` (db/processes/signing.ts) opens one. */
export type SigningDb = Db & { readonly [signing]: true };

/**
 * The port to the database. `read` sees committed rows only and cannot write. `tx` is one transaction: it resolves
 * after COMMIT is durable and rejects with nothing kept. Only database calls may be awaited inside its function, and
 * it must not call `tx` again. The function may run more than once (serialization failures on PostgreSQL; the loss of a
 * group that is kept together), so it must have no effect but its queries. Statements that need nothing of each other may be
 * asked together (`Promise.all`), which PostgreSQL answers in one round trip: single statements, and never two flows that
 * each read and then write. `locks` are held from its beginning, each by one transaction at a time: name them where many
 * processes write the same rows again and again.
 */
export type Store = {
  dialect: 'sqlite' | 'postgres';
  tables: Tables;
  read: Db;
  /** The database's clock in epoch milliseconds, for statements: the one clock that all processes share. */
  clock: SQL<number>;
  tx: <T>(work: (db: Db) => Promise<T>, locks?: readonly Lock[]) => Promise<T>;
  /**
   * Throws where this process may not store signed bytes now, or does not hold what it signs under; absent where no process
   * has entered the database, as in a command of the operator. Answers what has to be done after the commit, before the
   * caller goes on.
   */
  guard?: (db: Db, under: string | null) => Promise<() => Promise<void>>;
  /** Questions of everything, on one snapshot, that hold up neither the thread that serves nor a writer. */
  snapshot: Snapshot;
  close: () => Promise<void>;
};
