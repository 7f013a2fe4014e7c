/** Many finished payments, made by copying some that the real service has finished: sound books within seconds. */
import Database from 'better-sqlite3';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { Client } from 'pg';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import type { Store } from '../../../db/store/store.ts';
import type { Finished, Row } from './finished-payment.ts';

/** Times and blocks of copies lie before their original's, as history does. */
const EARLIER_MS = 1_000;
const COPIES_AT_ONCE = 10_000;
/** More entries and lines than a payment has. */
const STRIDE = 100;
/** The service may write meanwhile. */
const BUSY_MS = 15_000;
/** Stands for the number of the copy. */
const NUMBER = '§';

/**
 * Adds copies of finished payments with all their rows: lines, transfers, carriers, what was observed, entries, balances.
 * Every key of a copy carries its number, so each is another payer, another recipient and another transaction. `first` is
 * the number of the first copy; a second call begins where the one before has ended.
 */
export async function addHistory(
  { tables, dialect }: Pick<Store, 'tables' | 'dialect'>,
  database: DatabaseAddress,
  originals: readonly Finished[],
  { first, copies }: { first: number; copies: number },
): Promise<void> {
  const run = await openRunner(database);
  try {
    const [newest] = await run('select max(id) as id from entries');
    const entriesFrom = Number(newest?.['id'] ?? 0) - first * STRIDE;
    for (let number = first; number < first + copies; number += COPIES_AT_ONCE) {
      const numbers = [number, Math.min(first + copies, number + COPIES_AT_ONCE) - 1] as const;
      await run(dialect === 'sqlite' ? 'begin immediate' : 'begin');
      for (const [index, original] of originals.entries()) {
        const place = { dialect, every: originals.length, index, numbers, entriesFrom };
        for (const statement of statementsFor(tables, original, place)) await run(statement);
        await addBalances(run, original, countOf(place));
      }
      await run('commit');
    }
    if (dialect === 'postgres') {
      await run(`select setval('entries_id_seq', (select max(id) from entries))`);
      await run('analyze');
    }
  } finally {
    await run(null);
  }
}

type Run = (statement: string | null) => Promise<Row[]>;

/** A connection of its own, without the limits of the store; null closes it. */
async function openRunner(database: DatabaseAddress): Promise<Run> {
  if (database.kind === 'sqlite') {
    const handle = new Database(database.path, { timeout: BUSY_MS });
    handle.pragma('synchronous = off');
    return async (statement) => {
      if (statement === null) return (handle.close(), []);
      const prepared = handle.prepare(statement);
      return prepared.reader ? (prepared.all() as Row[]) : (prepared.run(), []);
    };
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return async (statement) => {
    if (statement === null) return (await client.end(), []);
    return (await client.query<Row>(statement)).rows;
  };
}

type Place = {
  dialect: Store['dialect'];
  /** This original is copied for every so-manieth number, beginning at its index. */
  every: number;
  index: number;
  numbers: readonly [number, number];
  entriesFrom: number;
};

function countOf({ every, index, numbers: [first, last] }: Place): number {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((n) => n % every === index).length;
}

function statementsFor(tables: Store['tables'], { rows, keys }: Finished, place: Place): string[] {
  const series = `with recursive copies(n) as (select ${place.numbers[0]} union all select n + 1 from copies where n < ${place.numbers[1]})`;
  const those = `from copies where n % ${place.every} = ${place.index}`;
  const pattern = new RegExp(
    keys
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|'),
    'g',
  );
  const entryIds = (rows.find(([name]) => name === 'entries')?.[1] ?? []).map(({ id }) => Number(id));
  const ranks = new Map(entryIds.map((id, rank) => [id, rank]));
  return rows.flatMap(([name, some]) => {
    const table = tables[name];
    const columns = Object.entries(getTableColumns(table)).filter(([key]) => !(name === 'outbox' && key === 'id'));
    const names = columns.map(([, column]) => `"${column.name}"`).join(', ');
    return some.map((row, rank) => {
      const values = columns.map(([key, { dataType }]) =>
        valueOf({ table: name, key, dataType, value: row[key], rank, pattern, ranks, place }),
      );
      return `${series} insert into "${getTableName(table)}" (${names}) select ${values.join(', ')} ${those}`;
    });
  });
}

type Value = {
  table: keyof Store['tables'];
  key: string;
  dataType: string;
  value: unknown;
  rank: number;
  pattern: RegExp;
  ranks: ReadonlyMap<number, number>;
  place: Place;
};

/** A value of the copies as an expression with their number `n`. */
function valueOf({ table, key, dataType, value, rank, pattern, ranks, place }: Value): string {
  if (value === null || value === undefined) return 'null';
  const entryFrom = (position: number) => place.entriesFrom + position + 1;
  if (key === 'txnId') return `${place.index} + ${STRIDE} * n + ${rank}`;
  if (table === 'entries' && key === 'id') return `${entryFrom(rank)} + ${STRIDE} * n`;
  if (key === 'entryId') return `${entryFrom(ranks.get(Number(value)) ?? 0)} + ${STRIDE} * n`;
  if (key === 'laneNonce') return `-${STRIDE} * n - ${rank}`;
  // As a payout without a limit, which leaves no counter of its day behind.
  if (key === 'countedOn') return 'null';
  const exact = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
  if (/^(landedBlock|sealedBlock|block)$/.test(key)) return `${exact} - n`;
  if (key.endsWith('AtMs')) return `${exact} - ${EARLIER_MS} * n`;
  if (dataType === 'boolean') return place.dialect === 'sqlite' ? String(Number(value)) : exact;
  if (typeof value === 'number' || typeof value === 'bigint') return exact;
  const text = typeof value === 'string' ? value : exact;
  const marked = text.replaceAll(pattern, (found) => `${found}_${NUMBER}`);
  const quoted = `'${marked.replaceAll("'", "''")}'`;
  // Short names are not keys by themselves, but those of a copy are its own.
  const named = /^(stableId|recipientKey)$/.test(key) || (table === 'identities' && key === 'key');
  const changed =
    marked === text ? (named ? `${quoted} || '_' || n` : quoted) : `replace(${quoted}, '${NUMBER}', cast(n as text))`;
  return dataType === 'json' && place.dialect === 'postgres' ? `cast(${changed} as json)` : changed;
}

type Sum = { name: string; unit: unknown; each: bigint };

/** What a copy's postings add to the accounts that all payments share. */
function sharedSums({ rows, keys }: Finished): Sum[] {
  const postings = rows.find(([name]) => name === 'postings')?.[1] ?? [];
  const sums = new Map<string, Sum>();
  for (const { account, unit, amount, amountWei } of postings) {
    const name = String(account);
    if (keys.some((key) => name.includes(key))) continue;
    const each = BigInt(String(unit === 'wei' ? amountWei : amount)) + (sums.get(name)?.each ?? 0n);
    sums.set(name, { name, unit, each });
  }
  return [...sums.values()];
}

/** Wei outgrow the integers of a database, so they are added here. */
async function addBalances(run: Run, original: Finished, copies: number): Promise<void> {
  for (const { name, unit, each } of sharedSums(original)) {
    const column = unit === 'wei' ? 'balance_wei' : 'balance';
    const [row] = await run(`select ${column} as before from accounts where name = '${name}'`);
    const before = row?.['before'];
    const after = (before === undefined ? 0n : BigInt(String(before as string | number))) + each * BigInt(copies);
    await run(`update accounts set ${column} = '${after}' where name = '${name}'`);
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
