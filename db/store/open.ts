import { migratePg, migrateSqlite } from './migrate.ts';
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
