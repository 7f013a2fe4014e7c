import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { whileBusy } from './busy.ts';
import { createGroupCommit } from './group-commit.ts';
import { kit } from '../dialects/kit-sqlite.ts';
import { CLOCKS, setPreparedRunner } from './prepare.ts';
import { createPreparedQueries, createSqliteDb, createStatementCache } from './sqlite-client.ts';
import { createSqliteSnapshot } from '../snapshot/sqlite.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import type { Db, Store } from './store.ts';
import { defineTables } from '../schema/tables.ts';

/** Readers wait only while another process opens or closes the file. */
const READ_BUSY_MS = 5_000;
/** Short, because it blocks the event loop; the executor does the long waiting. */
const WRITE_BUSY_MS = 5;
const BUSY_LIMIT_MS = 15_000;
const ITEM_LIMIT_MS = 10_000;
/** Describing them takes longer than opening a file, and they are the same for all. */
const tables = defineTables(kit);

/** Opens a database whose migrations have run. One host only: the file must not lie on a network drive. */
export async function openSqliteStore(options: { path: string; itemLimitMs?: number }): Promise<Store> {
  const writer = await whileBusy(() => openSqlite(options.path, WRITE_BUSY_MS), BUSY_LIMIT_MS);
  const reader = await whileBusy(() => openSqlite(options.path, READ_BUSY_MS), BUSY_LIMIT_MS);
  const group = createGroupCommit(createSqliteWriter(writer, tables), {
    itemsMax: 256,
    waitingMax: 20_000,
    itemLimitMs: options.itemLimitMs ?? ITEM_LIMIT_MS,
    busyLimitMs: BUSY_LIMIT_MS,
  });
  const snapshot = createSqliteSnapshot(options.path);
  return {
    dialect: 'sqlite',
    tables,
    clock: CLOCKS.sqlite,
    read: createReader(reader),
    tx: group.tx,
    snapshot: snapshot.ask,
    async close() {
      await snapshot.close();
      await group.close();
      // The writer last: the last to close writes the log back into the file, and the reader may not write.
      reader.close();
      writer.close();
    },
  };
}

function createReader(handle: Database.Database): Db {
  handle.pragma('query_only = ON');
  const db = createSqliteDb(createStatementCache(handle), (call) => call());
  const runPrepared = createPreparedQueries(db, tables);
  setPreparedRunner(db, async (definition, values) => runPrepared(definition, values));
  return db;
}

/** A connection with the settings that durability and triggers rest on. */
export function openSqlite(path: string, busyMs: number): Database.Database {
  if (path === '' || path === ':memory:') throw new Error(`a SQLite database needs a file, found "${path}"`);
  const handle = new Database(path, { timeout: busyMs });
  try {
    handle.pragma('journal_mode = WAL');
    handle.pragma('synchronous = FULL');
    handle.pragma('foreign_keys = ON');
    // Or INSERT OR REPLACE would delete a ledger row past its trigger.
    handle.pragma('recursive_triggers = ON');
    // PostgreSQL has it; an audit compares with what was made of a hash.
    handle.function('sha256_hex', { deterministic: true }, (text) =>
      createHash('sha256').update(String(text)).digest('hex'),
    );
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}
