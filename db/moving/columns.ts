import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { kit } from '../dialects/kit-pg.ts';
import { defineTables } from '../schema/tables.ts';

/** `type` as PostgreSQL calls it; `serial`: the database counts it up. */
export type Column = { name: string; type: 'text' | 'bigint' | 'boolean' | 'json'; isSerial: boolean };
export type MovedTable = { name: string; columns: readonly Column[] };

/**
 * A row as both databases write its values. Numbers stay decimal text, so none is rounded on the way, and stored
 * JSON stays the text that it was.
 */
export type Row = readonly (string | null)[];

const TYPES = { text: 'text', bigint: 'bigint', bigserial: 'bigint', boolean: 'boolean', json: 'json' } as const;

/** Every table of the schema, in its order. */
export const MOVED_TABLES: readonly MovedTable[] = Object.values(defineTables(kit)).map((table) => {
  // The kit's tables are PostgreSQL's, typed as SQLite's.
  const { name, columns } = getTableConfig(table as unknown as PgTable);
  return { name, columns: columns.map((column) => readColumn(name, column.name, column.getSQLType())) };
});

function readColumn(table: string, name: string, sqlType: string): Column {
  const known = Object.entries(TYPES).find(([type]) => type === sqlType);
  if (known === undefined) throw new Error(`${table}.${name} is of the type ${sqlType}, which cannot be moved`);
  return { name, type: known[1], isSerial: sqlType === 'bigserial' };
}

export const quoted = (name: string): string => `"${name}"`;
