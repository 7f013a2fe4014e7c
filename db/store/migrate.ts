import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { Client, DatabaseError } from 'pg';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { whileBusy } from './busy.ts';
import { openSqlite } from './store-sqlite.ts';

type Migration = { sql: string[]; hash: string; folderMillis: number };

const CONNECT_LIMIT_MS = 10_000;
const WAIT_LIMIT_MS = 60_000;
/** Any number, the same in every process: who holds this advisory lock migrates. */
export const MIGRATION_LOCK = 8402_0001;
/** A table of this name stands in a database from which, or into which, a move goes on (db/moving). */
export const MOVING = 'moving';
/** PostgreSQL's code of `database "x" does not exist`. */
const NO_SUCH_DATABASE = '3D000';

const readMigrations = (tree: string): Migration[] =>
  readMigrationFiles({ migrationsFolder: join(import.meta.dirname, '..', 'migrations', tree) });

/**
 * Brings the file up to date, and makes it when there is none. Safe when several processes start at once: on a new
 * file even the switch to WAL answers BUSY without waiting, so the whole attempt is repeated, not only its BEGIN.
 */
export async function migrateSqlite(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const migrations = readMigrations('sqlite');
  await whileBusy(() => applySqlite(path, migrations), WAIT_LIMIT_MS);
}

function applySqlite(path: string, migrations: Migration[]): void {
  const handle = openSqlite(path, 0);
  try {
    refuseMovedFrom(handle, path);
    handle.transaction(() => applyPendingSqlite(handle, migrations)).immediate();
  } finally {
    handle.close();
  }
}

function applyPendingSqlite(handle: Database.Database, migrations: Migration[]): void {
  handle.exec('CREATE TABLE IF NOT EXISTS migrations (hash text NOT NULL, made_at_ms integer NOT NULL)');
  const applied = handle.prepare('SELECT hash FROM migrations ORDER BY rowid').pluck().all() as string[];
  for (const migration of pendingMigrations(migrations, applied)) {
    for (const statement of migration.sql) handle.exec(statement);
    handle.prepare('INSERT INTO migrations VALUES (?, ?)').run(migration.hash, migration.folderMillis);
  }
}

/** One connection, not connected yet. A lost one rejects its query; without a listener the same event would end the process. */
export function createPgClient(url: string): Client {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  client.on('error', () => undefined);
  return client;
}

/** The same on PostgreSQL, in one transaction on a connection of its own. */
export async function migratePg(url: string): Promise<void> {
  const client = createPgClient(url);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await refuseMovedInto(client);
    await applyPendingPg(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

export async function applyPendingPg(client: Client, migrations: Migration[] = readMigrations('pg')): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (position serial PRIMARY KEY, hash text NOT NULL, made_at_ms bigint NOT NULL)',
  );
  const applied = await client.query<{ hash: string }>('SELECT hash FROM migrations ORDER BY position');
  const hashes = applied.rows.map((row) => row.hash);
  for (const migration of pendingMigrations(migrations, hashes)) {
    for (const statement of migration.sql) await client.query(statement);
    const values = [migration.hash, migration.folderMillis];
    await client.query('INSERT INTO migrations (hash, made_at_ms) VALUES ($1, $2)', values);
  }
}

/** What was written into it now would be missing where it moves to. */
function refuseMovedFrom(handle: Database.Database, path: string): void {
  if (handle.prepare('SELECT name FROM sqlite_master WHERE name = ?').get(MOVING) === undefined) return;
  throw new Misconfigured(
    `the file ${path} moves, or has moved, to PostgreSQL: name that in DATABASE_URL (docs/operating.md, "From SQLite to PostgreSQL")`,
  );
}

async function refuseMovedInto(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [MOVING]);
  if (rows[0]?.found !== true) return;
  throw new Misconfigured('a move into the database behind DATABASE_URL has not ended: run operator move again');
}

/** Throws Misconfigured while a move stands in the way. */
export function refuseMovedSqlite(path: string): void {
  const handle = openSqlite(path, WAIT_LIMIT_MS);
  try {
    refuseMovedFrom(handle, path);
  } finally {
    handle.close();
  }
}
export async function refuseMovedPg(url: string): Promise<void> {
  const client = createPgClient(url);
  try {
    await client.connect();
    await refuseMovedInto(client);
  } finally {
    await client.end();
  }
}

/** How many migrations a database lacks, without changing it; null where there is no database of this service. */
export const missingInSqlite = (path: string): number | null => countMissing('sqlite', appliedSqlite(path));
export const missingInPg = async (url: string): Promise<number | null> => countMissing('pg', await appliedPg(url));

const countMissing = (tree: string, applied: string[] | null): number | null =>
  applied === null ? null : pendingMigrations(readMigrations(tree), applied).length;

function appliedSqlite(path: string): string[] | null {
  // To open a file is to make it.
  if (!existsSync(path)) return null;
  const handle = openSqlite(path, WAIT_LIMIT_MS);
  try {
    const isThere = handle.prepare("SELECT name FROM sqlite_master WHERE name = 'migrations'").get() !== undefined;
    return isThere ? (handle.prepare('SELECT hash FROM migrations ORDER BY rowid').pluck().all() as string[]) : null;
  } finally {
    handle.close();
  }
}

async function appliedPg(url: string): Promise<string[] | null> {
  const client = createPgClient(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS found`);
    if (rows[0]?.found !== true) return null;
    const applied = await client.query<{ hash: string }>('SELECT hash FROM migrations ORDER BY position');
    return applied.rows.map(({ hash }) => hash);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === NO_SUCH_DATABASE) return null;
    throw error;
  } finally {
    await client.end();
  }
}

/** What has run must be the beginning of what is known; anything else is a database of another version. */
export function pendingMigrations(known: Migration[], applied: string[]): Migration[] {
  const differs = applied.findIndex((hash, index) => known[index]?.hash !== hash);
  if (differs !== -1) {
    throw new Misconfigured(
      `the database has ${applied.length} migrations and number ${differs + 1} is not one of the ${known.length} of ` +
        'this version: use the version that made it, or an empty database',
    );
  }
  return known.slice(applied.length);
}
