import { migratePg, migrateSqlite, missingInPg, missingInSqlite, refuseMovedPg, refuseMovedSqlite } from './migrate.ts';
import { openPgStore } from './store-pg.ts';
import { openSqliteStore } from './store-sqlite.ts';
import type { Store } from './store.ts';

export type DatabaseAddress = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string; pooled?: boolean };

export type OpenOptions = {
  /** How long one transaction function may take before it is rolled back. */
  itemLimitMs?: number;
};

/** Runs the migrations, then opens the store. Called once a process, before any role starts. */
export async function openStore(database: DatabaseAddress, options: OpenOptions = {}): Promise<Store> {
  switch (database.kind) {
    case 'sqlite':
      await migrateSqlite(database.path);
      return openSqliteStore({ path: database.path, ...options });
    case 'postgres':
      await migratePg(database.url);
      return openPgStore({ ...database, ...options });
  }
}

/**
 * For a command beside the service: it makes no database and changes no schema. Where there is none that this version has
 * made, it throws an Error of one line.
 */
export async function openExistingStore(database: DatabaseAddress): Promise<Store> {
  const isFile = database.kind === 'sqlite';
  const missing = isFile ? missingInSqlite(database.path) : await missingInPg(database.url);
  const where = isFile ? `in the file ${database.path}` : 'behind DATABASE_URL';
  if (missing === null) {
    throw new Error(
      `There is no database of this service ${where}. The service makes it when it starts for the first time.`,
    );
  }
  if (missing > 0) {
    throw new Error(`The database ${where} is of an older version. Start the service of this version first.`);
  }
  if (isFile) refuseMovedSqlite(database.path);
  else await refuseMovedPg(database.url);
  return isFile ? openSqliteStore({ path: database.path }) : openPgStore(database);
}
