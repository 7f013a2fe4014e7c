import {
  inArray,
  sql,
  type Column,
  type GetColumnData,
  type Placeholder,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';

/**
 * A column of text as an expression, which no index is on. Nothing here runs ANALYZE, so SQLite believes that any value is as
 * rare as any other: it would read all rows that ever came to a state, and leave the index on what names a few of them.
 */
export const unindexed = (column: SQLWrapper): SQL => sql`${column} || ''`;

/** Whether it is one of these: looked at in the rows that the other conditions lead to, and never the way to them. */
export const isOneOf = <C extends Column>(column: C, values: readonly (GetColumnData<C, 'raw'> | Placeholder)[]): SQL =>
  inArray(unindexed(column), [...values]);
