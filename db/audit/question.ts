import { sql, type SQL } from 'drizzle-orm';
import { unindexed } from '../dialects/unindexed.ts';
import type { Db, Store } from '../store/store.ts';
import type { AUDITED_KINDS } from '../tables/ledger.ts';

/** A view of the database at one moment. */
export type View = Pick<Store, 'tables' | 'dialect'> & { read: Db };

export type Key = string | number;
/** The rows whose key comes after one and not after the other. Null: from the first row, or to the last. */
export type Part = { after: Key | null; upTo: Key | null };

/**
 * Which rows are checked. `all`: every row there is. `changed`: rows that are open, rows that were finished or changed since an
 * audit looked at them last, and the entries after the checkpoint. A part: of all, where a question has keys.
 */
export type Scope = 'all' | 'changed' | Part;

/**
 * Its answer is the list of differences, each as a sentence for the operator and what has to stop. Rows that agree never
 * leave the database. `keys`: the indexed column by which it can be asked about a part.
 */
export type Question = { rule: string; query: Query; keys: Keys | null };
export type Keys = { table: SQL; column: SQL };
type Query = PromiseLike<{ detail: string; network: string }[]> & {
  toSQL: () => { sql: string; params: unknown[] };
};
export type Check = (view: View, scope: Scope) => Question;

type Extent = { network?: SQL; keys?: Keys };

/**
 * `from` is the rest of the statement after FROM. `network`: the one that has to stop, where a difference concerns only
 * one; where the books disagree with themselves, all stop.
 */
export function ask({ read }: View, rule: string, detail: SQL, from: SQL, extent: Extent = {}): Question {
  const { network = sql`'all'`, keys = null } = extent;
  const columns = { detail: sql<string>`${detail}`, network: sql<string>`${network}` };
  return { rule, query: read.select(columns).from(sql`${from}`), keys };
}

/** Whether a row is in the part that a question is asked about. */
export function isWithin(scope: Scope, column: SQL): SQL {
  if (typeof scope === 'string') return sql`true`;
  const [after, upTo] = [scope.after, scope.upTo];
  const begins = after === null ? sql`true` : sql`${column} > ${after}`;
  return upTo === null ? begins : sql`${begins} and ${column} <= ${upTo}`;
}

/** Where the part ends that begins after this key and has so many rows; no row: with the last. */
export const endOfPart = ({ read }: View, { table, column }: Keys, after: Key | null, rows: number) =>
  read.select({ key: sql`${column}` })
    .from(sql`${table} where ${isWithin({ after, upTo: null }, column)} and ${column} is not null
      order by ${column} limit 1 offset ${rows - 1}`);

/** The keys of this kind that the triggers have noted. */
export const fed = ({ auditFeed }: View['tables'], kind: (typeof AUDITED_KINDS)[number]): SQL =>
  sql`select ${auditFeed}.key from ${auditFeed} where ${auditFeed}.kind = '${sql.raw(kind)}'`;

/** Where keys lead to the rows, states must not: an index on states leads to everything that ever finished. */
export const isAmong = (scope: Scope, column: SQL, states: readonly string[]): SQL =>
  scope === 'all' ? sql`${column} in (${quoted(states)})` : sql`${unindexed(column)} in (${quoted(states)})`;

/** The entry after which `audited_balances` does not count. */
export const checkpointOf = ({ auditCheckpoints }: View['tables']): SQL =>
  sql`(select coalesce(max(${auditCheckpoints}.entry_id), 0) from ${auditCheckpoints})`;

export const quoted = (states: readonly string[]): SQL => sql.raw(states.map((state) => `'${state}'`).join(', '));
