/** A database with rows in every table, whose values are hard to move. They say nothing true about money. */
import Database from 'better-sqlite3';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { kit } from '../../../db/dialects/kit-sqlite.ts';
import { defineTables } from '../../../db/schema/tables.ts';

const HARD = ['', 'NULL', `it's "a" \\ {b,c}`, 'ß 😀 \u0001\t\n', '007', '1e3'];
/** One of them an endpoint has, and not both. */
const EITHER = ['task_id', 'payer'];
const ROWS = 3;
const CHOICES = 8;
const ATTEMPTS = [true, false].flatMap((isFull) =>
  Array.from({ length: CHOICES }, (_, choice) => ({ isFull, choice })),
);

export function fillEveryTable(path: string): string[] {
  const handle = new Database(path);
  handle.pragma('foreign_keys = OFF');
  const tables = Object.values(defineTables(kit)).map((table) => getTableConfig(table as unknown as SQLiteTable));
  for (const { name, columns } of tables) {
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const insert = handle.prepare(`INSERT INTO "${name}" (${names}) VALUES (${marks})`);
    for (let row = 0; row < ROWS; row += 1) {
      const isIn = ATTEMPTS.some(({ isFull, choice }) =>
        passes(() => {
          const shape = { row, choice, isFull: row === 1 ? !isFull : isFull };
          insert.run(columns.map((column, index) => valueOf(column, 10 * row + index, shape)));
        }),
      );
      if (!isIn) throw new Error(`no row that was tried passes the checks of ${name}`);
    }
  }
  // Numbers were given out above the highest that stands.
  handle.prepare(`UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'entries'`).run();
  handle.close();
  return tables.map(({ name }) => name);
}

/** False where a check of the table refuses it: some states want a value, and others want none. */
function passes(insert: () => void): boolean {
  try {
    insert();
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_CHECK') return false;
    throw error;
  }
}

type Shape = { row: number; choice: number; isFull: boolean };

function valueOf(
  column: SQLiteColumn,
  number: number,
  { row, choice, isFull }: Shape,
): string | number | bigint | null {
  const { name, enumValues = [] } = column;
  if (!column.notNull && !column.primary && (!isFull || name === EITHER[(row + choice) % EITHER.length])) return null;
  const [first] = enumValues;
  if (first !== undefined) return enumValues[column.primary ? row : choice % enumValues.length] ?? first;
  if (column.dataType === 'boolean') return row % 2;
  // Keys in an order of their own, and a character that PostgreSQL's jsonb refuses.
  if (column.dataType === 'json') return `{"b": ${number}, "a": "\\u0000 ${row}"}`;
  if (column.dataType === 'string')
    return /wei$|^amount$/.test(name)
      ? String(10n ** 30n + BigInt(row))
      : `${HARD[number % HARD.length]}-${name}-${row}`;
  if (column.dataType === 'number') return name === 'tried_at_ms' ? null : number + row;
  // As large as they get; some tables want one above another.
  return name === 'price_micro_usdc' ? 1n : 2n ** 53n - 100n + BigInt(row);
}
