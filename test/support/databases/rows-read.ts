/** How much a statement reads, as the database itself says. Nothing of what it writes stays. */
import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Client } from 'pg';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { openSqlite } from '../../../db/store/store-sqlite.ts';
import type { Recorded } from './recorded.ts';

/** By the statement's text; what cannot run a second time reads nothing. */
export type Reads = ReadonlyMap<string, number>;

export async function readsOf(database: DatabaseAddress, statements: Recorded): Promise<Reads> {
  return database.kind === 'sqlite' ? pagesRead(database.path, statements) : rowsRead(database.url, statements);
}

const PAGE = 4_096;

/**
 * SQLite counts no rows, but each page that is not cached is one read of the file, and a connection that was just opened
 * has cached none.
 */
function pagesRead(path: string, statements: Recorded): Reads {
  const reads = new Map<string, number>();
  for (const [text, samples] of statements) {
    if (!/^\s*(select|with|insert|update|delete|\()/i.test(text)) continue;
    reads.set(text, Math.max(...samples.map((values) => pagesOf(path, text, values))));
  }
  return reads;
}

function pagesOf(path: string, text: string, values: readonly unknown[]): number {
  const handle = openSqlite(path, 0);
  try {
    handle.pragma('cache_size = 10');
    handle.exec('begin');
    const statement = handle.prepare(text);
    const before = bytesRead();
    run(statement, values);
    const pages = Math.round((bytesRead() - before) / PAGE);
    handle.exec('rollback');
    return pages;
  } finally {
    handle.close();
  }
}

function run(statement: Database.Statement, values: readonly unknown[]): void {
  try {
    if (statement.reader) statement.all(...values);
    else statement.run(...values);
  } catch {
    // A row that is there already: what was read until then counts.
  }
}

const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);

/** Without scans of whole tables, which are the cheaper ones while tables are small; what is left of them has no index. */
async function rowsRead(url: string, statements: Recorded): Promise<Reads> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Whether the database has done so by itself depends on when one looks, and other plans come of it. Some of them read what was deleted.
  await client.query('vacuum analyze');
  const reads = new Map<string, number>();
  for (const [text, samples] of statements) {
    if (!/^\s*(select|with|insert|update|delete|\()/i.test(text)) continue;
    for (const values of samples) reads.set(text, Math.max(reads.get(text) ?? 0, await rowsOf(client, text, values)));
  }
  await client.end();
  return reads;
}

async function rowsOf(client: Client, text: string, values: readonly unknown[]): Promise<number> {
  await client.query('begin; set local enable_seqscan = off');
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, [
      ...values,
    ]);
    return rows[0]?.['QUERY PLAN'].reduce((sum, { Plan }) => sum + rowsIn(Plan), 0) ?? 0;
  } catch {
    return 0;
  } finally {
    await client.query('rollback');
    for (const [, table] of text.matchAll(WRITES)) await client.query(`vacuum ${table}`);
  }
}

/** What was tried and taken back lies in a table like what was deleted. */
const WRITES = /(?:insert into|update|delete from) ("\w+")/gi;

type Plan = {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
};

function rowsIn(plan: Plan): number {
  const inside = (plan.Plans ?? []).reduce((sum, each) => sum + rowsIn(each), 0);
  if (!plan['Node Type'].endsWith('Scan')) return inside;
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  // The index and the table tell the same rows: which plan is chosen may change between two looks.
  return plan['Node Type'] === 'Bitmap Heap Scan' ? Math.max(inside, own) : inside + own;
}
