import type Database from 'better-sqlite3';
import { LEASE_MS } from '../processes/owner.ts';
import { missingInSqlite, MOVING } from '../store/migrate.ts';
import { openSqlite } from '../store/store-sqlite.ts';
import { MOVED_TABLES, quoted, type Column, type MovedTable, type Row } from './columns.ts';
import { MoveRefused } from './refused.ts';

const BUSY_MS = 15_000;
/** Below every row. */
export const BEFORE_ALL = -(2n ** 63n);
const CHANGES = ['INSERT', 'UPDATE', 'DELETE'] as const;
const FROZEN = 'this database moves, or has moved, to PostgreSQL';

/** `begun`: it may be given back to the service; `ended`: the service works on the other one. */
export type MoveState = { id: string; state: 'begun' | 'ended' };
export type Place = { position: bigint; row: Row };
export type Source = {
  /** Null: it was never moved. */
  state: () => MoveState | null;
  /** From here on nothing can write into it, until `giveBack`. */
  freeze: (id: string) => void;
  giveBack: () => void;
  end: () => void;
  /** Its rows after a position, in the order in which they came. */
  rows: (table: MovedTable, after: bigint) => Iterable<Place>;
  /** The highest number that was ever given out; null: none was. */
  counted: (table: string) => bigint | null;
  close: () => void;
};

/** Throws MoveRefused where the file is not one of this version's. */
export function openSource(path: string): Source {
  const missing = missingInSqlite(path);
  if (missing === null) throw new MoveRefused(`There is no database of this service in the file ${path}.`);
  if (missing > 0)
    throw new MoveRefused(`The file ${path} is of an older version. Start the service of this version with it first.`);
  const handle = openSqlite(path, BUSY_MS);
  handle.defaultSafeIntegers(true);
  return {
    state: () => readState(handle),
    freeze: (id) => handle.transaction(() => freeze(handle, id)).immediate(),
    giveBack: () => handle.transaction(() => thaw(handle)).immediate(),
    end: () => void handle.prepare(`UPDATE ${MOVING} SET state = 'ended'`).run(),
    rows: (table, after) => readRows(handle, table, after),
    counted: (table) =>
      handle.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) as bigint | null,
    close: () => void handle.close(),
  };
}

const isMarked = (handle: Database.Database) =>
  handle.prepare('SELECT name FROM sqlite_master WHERE name = ?').get(MOVING) !== undefined;

function readState(handle: Database.Database): MoveState | null {
  if (!isMarked(handle)) return null;
  return handle.prepare(`SELECT id, state FROM ${MOVING}`).get() as MoveState;
}

/**
 * An expired lease proves nothing about a process that was stopped and wakes later, so each table refuses every
 * change from here on.
 */
function freeze(handle: Database.Database, id: string): void {
  const alive = handle
    .prepare(`SELECT count(*) FROM processes WHERE beat_at_ms > unixepoch('now', 'subsec') * 1000 - ?`)
    .pluck()
    .get(LEASE_MS);
  if (alive !== 0n) {
    const seconds = LEASE_MS / 1_000;
    throw new MoveRefused(
      `${String(alive)} of the service's processes live, or ended less than ${seconds} s ago: stop them all first.`,
    );
  }
  for (const { name } of MOVED_TABLES) {
    for (const change of CHANGES) {
      handle.exec(
        `CREATE TRIGGER ${triggerOf(name, change)} BEFORE ${change} ON ${quoted(name)} BEGIN SELECT RAISE(ABORT, '${FROZEN}'); END`,
      );
    }
  }
  handle.exec(`CREATE TABLE ${MOVING} (id text NOT NULL, state text NOT NULL)`);
  handle.prepare(`INSERT INTO ${MOVING} VALUES (?, 'begun')`).run(id);
}

function thaw(handle: Database.Database): void {
  for (const { name } of MOVED_TABLES) {
    for (const change of CHANGES) handle.exec(`DROP TRIGGER ${triggerOf(name, change)}`);
  }
  handle.exec(`DROP TABLE ${MOVING}`);
}

const triggerOf = (table: string, change: string) => quoted(`${MOVING}_${table}_${change.toLowerCase()}`);

function* readRows(handle: Database.Database, { name, columns }: MovedTable, after: bigint): Iterable<Place> {
  const list = columns.map((column) => quoted(column.name)).join(', ');
  const select = handle.prepare(`SELECT rowid, ${list} FROM ${quoted(name)} WHERE rowid > ? ORDER BY rowid`).raw();
  for (const found of select.iterate(after)) {
    const [position, ...values] = found as [bigint, ...unknown[]];
    yield { position, row: values.map((value, index) => toText(value, columns[index])) };
  }
}

/** As PostgreSQL writes the same value. */
function toText(value: unknown, column: Column | undefined): string | null {
  if (value === null) return null;
  if (column?.type === 'boolean') return value === 0n ? 'false' : 'true';
  if (typeof value === 'string' || typeof value === 'bigint') return String(value);
  throw new Error(`${column?.name} holds a ${typeof value}, which no column of this service can`);
}
