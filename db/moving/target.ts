import type { Client } from 'pg';
import { createPgClient, applyPendingPg, MIGRATION_LOCK, MOVING } from '../store/migrate.ts';
import { MOVED_TABLES, quoted, type MovedTable, type Row } from './columns.ts';
import { MoveRefused } from './refused.ts';
import { BEFORE_ALL } from './source.ts';

/** Any number: who holds this advisory lock moves. */
const MOVE_LOCK = 8402_0002;
const FETCHED_AT_ONCE = 2_000;

export type Chunk = { rows: readonly Row[]; position: bigint };
export type Target = {
  /** The move that is under way there; `empty`: no row yet; `used`: rows of another installation. */
  state: () => Promise<{ kind: 'empty' | 'used' } | { kind: 'moving'; id: string }>;
  begin: (id: string) => Promise<void>;
  /** Up to which row of the other database each table is here. */
  positions: () => Promise<Map<string, bigint>>;
  /** Rows and position are kept together, or neither is. */
  write: (table: MovedTable, chunk: Chunk, beforeCommit: () => void) => Promise<void>;
  rows: (table: MovedTable) => AsyncIterable<Row>;
  countOn: (table: MovedTable, counted: bigint) => Promise<void>;
  analyze: () => Promise<void>;
  /** From here on the service may work on it. */
  end: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openTarget(url: string): Promise<Target> {
  const client = createPgClient(url);
  await client.connect();
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [MOVE_LOCK]);
  if (rows[0]?.free !== true) {
    await client.end();
    throw new MoveRefused('Another move into this database goes on.');
  }
  return {
    state: () => readState(client),
    begin: (id) => within(client, () => begin(client, id)),
    positions: () => readPositions(client),
    write: (table, chunk, beforeCommit) => within(client, () => write(client, table, chunk), beforeCommit),
    rows: (table) => readRows(client, table),
    countOn: (table, counted) => countOn(client, table, counted),
    analyze: async () => void (await client.query('ANALYZE')),
    end: async () => void (await client.query(`DROP TABLE ${MOVING}`)),
    close: () => client.end(),
  };
}

async function within(client: Client, work: () => Promise<void>, beforeCommit = () => {}): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    beforeCommit();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function isThere(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    quoted(table),
  ]);
  return rows[0]?.found === true;
}

async function readState(client: Client): ReturnType<Target['state']> {
  if (await isThere(client, MOVING)) {
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM ${MOVING} LIMIT 1`);
    return { kind: 'moving', id: rows[0]?.id ?? '' };
  }
  return { kind: (await isEmpty(client)) ? 'empty' : 'used' };
}

async function isEmpty(client: Client): Promise<boolean> {
  for (const { name } of MOVED_TABLES) {
    if (!(await isThere(client, name))) continue;
    const { rows } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (rows.length > 0) return false;
  }
  return true;
}

/** Under the lock of the migrations: a service that starts meanwhile has made the tables, or finds the move. */
async function begin(client: Client, id: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await applyPendingPg(client);
  if (!(await isEmpty(client))) throw new MoveRefused('The database behind DATABASE_URL is in use meanwhile.');
  await client.query(`CREATE TABLE ${MOVING} (id text NOT NULL, name text PRIMARY KEY, position bigint NOT NULL)`);
  for (const { name } of MOVED_TABLES)
    await client.query(`INSERT INTO ${MOVING} VALUES ($1, $2, $3)`, [id, name, BEFORE_ALL]);
}

async function readPositions(client: Client): Promise<Map<string, bigint>> {
  const { rows } = await client.query<{ name: string; position: string }>(`SELECT name, position FROM ${MOVING}`);
  return new Map(rows.map(({ name, position }) => [name, BigInt(position)]));
}

async function write(client: Client, { name, columns }: MovedTable, { rows, position }: Chunk): Promise<void> {
  const list = columns.map((column) => quoted(column.name)).join(', ');
  const values = columns.map(({ type }, index) => `c${index}::${type}`).join(', ');
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const names = columns.map((_, index) => `c${index}`).join(', ');
  await client.query(
    `INSERT INTO ${quoted(name)} (${list}) SELECT ${values} FROM unnest(${arrays}) AS chunk(${names})`,
    columns.map((_, index) => rows.map((row) => row[index])),
  );
  await client.query(`UPDATE ${MOVING} SET position = $1 WHERE name = $2`, [position, name]);
}

async function* readRows(client: Client, { name, columns }: MovedTable): AsyncIterable<Row> {
  const list = columns.map((column) => `${quoted(column.name)}::text`).join(', ');
  await client.query('BEGIN READ ONLY');
  try {
    await client.query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${list} FROM ${quoted(name)}`);
    for (;;) {
      const text = `FETCH ${FETCHED_AT_ONCE} FROM moved`;
      const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
      yield* rows;
      if (rows.length < FETCHED_AT_ONCE) return;
    }
  } finally {
    await client.query('ROLLBACK');
  }
}

async function countOn(client: Client, { name, columns }: MovedTable, counted: bigint): Promise<void> {
  const serial = columns.find(({ isSerial }) => isSerial);
  if (serial === undefined) throw new Error(`${name} has no number that counts up`);
  await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [quoted(name), serial.name, counted]);
}
