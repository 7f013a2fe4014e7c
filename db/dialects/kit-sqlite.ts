import { check, customType, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Integers that TypeScript sees as bigint: micro-USDC and signed ledger amounts. SQLite holds 64 bits, but the driver
 * hands out doubles, so anything beyond 2^53 (9 billion USDC) is refused in both directions, never rounded.
 */
const bigintColumn = customType<{ data: bigint; driverData: number | bigint }>({
  dataType: () => 'integer',
  fromDriver: (value) => BigInt(exact(value)),
  toDriver: (value) => exact(value),
});

function exact(value: number | bigint): number | bigint {
  if (!Number.isSafeInteger(Number(value))) throw new Error(`${value} does not fit a database integer (2^53)`);
  return value;
}

/** The columns that `db/tables` may use: one builder per kind of value, the same names in both dialects. */
export const kit = {
  table: sqliteTable,
  index,
  uniqueIndex,
  check,
  primaryKey,
  text: (name: string) => text(name),
  oneOf: <const T extends readonly [string, ...string[]]>(name: string, values: T) =>
    text(name, { enum: values as unknown as [T[number], ...T[number][]] }),
  bigint: (name: string) => bigintColumn(name),
  /** A safe integer: counts, block numbers, epoch milliseconds. */
  int: (name: string) => integer(name, { mode: 'number' }),
  bool: (name: string) => integer(name, { mode: 'boolean' }),
  json: <T>(name: string) => text(name, { mode: 'json' }).$type<T>(),
  serial: (name: string) => integer(name, { mode: 'number' }).primaryKey({ autoIncrement: true }),
};

export type Kit = typeof kit;
