import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateSqlite } from '../../../db/store/migrate.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { openPgStore } from '../../../db/store/store-pg.ts';
import { openSqliteStore } from '../../../db/store/store-sqlite.ts';
import type { Store } from '../../../db/store/store.ts';

let template: Promise<string> | undefined;

/** What a service allows a function is for one that hangs. Many tests share few cores, where one that works may take as long. */
const ITEM_LIMIT_MS = 60_000;

/**
 * Opens a database that has all migrations. A file that is not there yet is made: the migrations run once a process, and
 * what they made is copied, because they take longer than most tests.
 */
export async function openMigrated(database: DatabaseAddress): Promise<Store> {
  if (database.kind === 'postgres') return openPgStore({ ...database, itemLimitMs: ITEM_LIMIT_MS });
  if (!existsSync(database.path)) await copyMigrated(database.path);
  return openSqliteStore({ path: database.path, itemLimitMs: ITEM_LIMIT_MS });
}

/** The file alone. */
export async function copyMigrated(path: string): Promise<void> {
  template ??= migrateTemplate();
  copyFileSync(await template, path);
}

async function migrateTemplate(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'pennypost-migrated-')), 'migrated.sqlite');
  await migrateSqlite(path);
  return path;
}
