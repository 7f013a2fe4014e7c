import { setTimeout as pause } from 'node:timers/promises';
import { DrizzleQueryError } from 'drizzle-orm';
import type { Pool, PoolClient } from 'pg';
import {
  collectLocks,
  decideByThemselves,
  isTogether,
  needNoSnapshot,
  payerLockIn,
  tablesOf,
  type LeftOver,
  type Lock,
} from './locks.ts';
import { leaseClient } from './pg-lease.ts';
import type { Tables } from '../schema/tables.ts';
import type { BoundWork, Failure, WorkResult } from './work.ts';

const STATEMENT_LIMIT_MS = 10_000;
/** How long the server is asked how a transaction ended whose COMMIT got no reply. */
const ASK_LIMIT_MS = 10_000;
const ASK_EVERY_MS = 100;
/**
 * A process that is stopped inside a transaction keeps its locks until the server ends it for its silence. Nothing but
 * queries is awaited in there, so a process that is well is never silent for so long; where it is, its functions run again.
 */
const SILENCE_LIMIT_MS = 600;
const LOCK_LIMIT_MS = 5_000;
/** Those that run side by side all wait for a row that one of them is to write: after so long they run by themselves. */
const SHARED_LOCK_LIMIT_MS = 100;

/**
 * The limits are set in each transaction, because a pooler hands the next one to another connection. SET and LOCK TABLE
 * take no snapshot: what the transaction reads is from after it got its locks. A small table that is read as a whole
 * conflicts with each row that is written to it, so indexes are used while it is small too; compiling such a plan would cost
 * more than running it.
 */
const beginAs = (isolation: 'SERIALIZABLE' | 'READ COMMITTED', lockLimitMs: number) =>
  `BEGIN ISOLATION LEVEL ${isolation} READ WRITE; ` +
  `SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}; SET LOCAL lock_timeout = ${lockLimitMs}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${SILENCE_LIMIT_MS}; ` +
  'SET LOCAL enable_seqscan = off; SET LOCAL jit = off';

/**
 * `holdMs`: after so long no further function begins in a transaction that others may wait for. `mayBegin`: asked once there is a
 * connection, for which it may have waited long.
 */
export type Session = {
  pool: Pool;
  tables: Tables;
  limitMs: number;
  holdMs: number;
  named: boolean;
  mayBegin: (names: readonly string[], take: () => Item[]) => boolean;
};
/** One function, and where the locks are collected that it turns out to want. */
export type Item = { run: BoundWork; locks: Set<Lock>; answer: (attempt: Attempt) => void };
/**
 * What became of a function. `nothingKept` says why its transaction certainly was not kept, by what the server did and not
 * by what an error says: the function failed, it met a conflict, the server was away, or it has not begun, because it is to
 * take its turn behind locks. Null with a failure: unknown.
 * `isShared`: it failed beside others, perhaps by what one of them did, or under a limit that is for many: it comes again by itself.
 */
export type Attempt = Ended & { value: unknown; isShared: boolean };
type Ended = { failure: Failure | null; nothingKept: 'failed' | 'conflict' | 'away' | 'not_begun' | null };
type Begun = { client: PoolClient; transaction: string };
/** `statementError`: of its first failed statement, whatever its function made of it. */
type Ran = WorkResult & { statementError: unknown };

/**
 * Many functions, one transaction: `take` is called once it has its locks, so that all come along that have gathered while
 * it waited. They keep all or nothing, with no savepoint between them, which would cost each a round trip more. Who has to
 * come again is answered as left over. `undone`: beside one that has failed; that one runs again by itself, and they without it,
 * so that a row of failing ones undoes them once. `waiting`: not begun in time, because other processes wait for the
 * locks, however slow the machine or the way to the database is; or not begun before one failed.
 */
export async function runTogether(
  session: Session,
  names: readonly string[],
  take: () => Item[],
): Promise<LeftOver<Item>> {
  const begun = await begin(session, names, take);
  const items = take();
  const { values, end, ended, undone, isOwn } = await runAll(session, begun, names, items);
  const isByItself = items.length === 1 && (!isTogether(names) || isOwn === true);
  const isShared = !isByItself && end.nothingKept !== null;
  for (const item of ended) item.answer({ value: values[items.indexOf(item)], ...end, isShared });
  return { undone, waiting: items.filter((item) => !ended.includes(item) && !undone.includes(item)) };
}

/**
 * `ended`: the functions that `end` is the answer to. The values are those of the first of all. `undone`: those that did not
 * fail. `isOwn`: the one that failed did so without a failed statement, so under no limit either.
 */
type Together = { values: unknown[]; end: Ended; ended: Item[]; undone: Item[]; isOwn?: boolean };

/** Those that need a snapshot keep it short: the more of them share one, the more of them meet a conflict together. */
const WAVE_MAX = 8;

async function runAll(
  session: Session,
  begun: Begun | Ended,
  names: readonly string[],
  items: Item[],
): Promise<Together> {
  if (!('client' in begun)) return { values: [], end: begun, ended: items, undone: [] };
  if (needNoSnapshot(names)) return runWaves(session, begun, [items], Infinity);
  return runWaves(session, begun, wavesOf(items), performance.now() + session.holdMs);
}

/** Neighbours of different payers run side by side, in as many round trips as the longest needs; all others by themselves. */
function wavesOf(items: readonly Item[]): Item[][] {
  const waves: Item[][] = [];
  let payers = new Set<Lock>();
  for (const item of items) {
    const payer = payerLockIn(item.locks);
    const joinsWave = payer !== null && payers.size > 0 && !payers.has(payer) && payers.size < WAVE_MAX;
    if (!joinsWave) payers = new Set();
    if (payer !== null) payers.add(payer);
    if (joinsWave) waves.at(-1)?.push(item);
    else waves.push([item]);
  }
  return waves;
}

/** One wave after the other, up to the first in which one fails, or that has no time. */
async function runWaves(
  session: Session,
  begun: Begun,
  waves: readonly (readonly Item[])[],
  endMs: number,
): Promise<Together> {
  const ran: Item[] = [];
  const values: unknown[] = [];
  for (const wave of waves) {
    if (ran.length > 0 && performance.now() >= endMs) break;
    const results = await Promise.all(wave.map((item) => runItem(session, begun.client, item)));
    ran.push(...wave);
    const cause = causeOf(results);
    if (cause) {
      // After a failed statement every later one fails as well, so nobody can tell whose it was.
      const ended = wave.filter((_, index) => results[index]?.failure !== null);
      const undone = ran.filter((item) => !ended.includes(item));
      const isOwn = !cause.isLate && cause.statementError === undefined;
      return { values, end: await undo(begun.client, cause), ended, undone, isOwn };
    }
    values.push(...results.map(({ value }) => value));
  }
  return { values, end: await commit(session.pool, begun), ended: ran, undone: [] };
}

/** Of those that failed side by side: who is late, who met a conflict, whose statement failed, who failed without one. */
function causeOf(results: readonly Ran[]): Ran | undefined {
  return (
    results.find(({ isLate }) => isLate) ??
    results.find(({ statementError }) => isSerializationFailure(statementError)) ??
    results.find(({ statementError }) => statementError !== undefined) ??
    results.find(({ failure }) => failure !== null)
  );
}

async function runItem(session: Session, client: PoolClient, { run, locks }: Item): Promise<Ran> {
  const lease = leaseClient(client, session.tables, session.named);
  collectLocks(lease.db, locks);
  const result = await run(lease.db, session.limitMs);
  lease.revoke();
  // A function that caught a failed statement is undone all the same: PostgreSQL has ended its transaction.
  return { ...result, failure: result.failure ?? lease.failure(), statementError: lease.failure()?.error };
}

const NOT_BEGUN: Ended = { failure: { error: new Error('it waits for its turn') }, nothingKept: 'not_begun' };

async function begin(session: Session, names: readonly string[], take: () => Item[]): Promise<Begun | Ended> {
  let client: PoolClient | null = null;
  try {
    client = await session.pool.connect();
    if (!session.mayBegin(names, take)) {
      client.release();
      return NOT_BEGUN;
    }
    const tables = tablesOf(names);
    // Of those without a name one comes alone, so it is known already.
    const withoutSnapshot =
      needNoSnapshot(names) || (names.length === 0 && take().every((item) => decideByThemselves(item.locks)));
    const isolation = withoutSnapshot ? 'READ COMMITTED' : 'SERIALIZABLE';
    const lockLimitMs = isTogether(names) ? SHARED_LOCK_LIMIT_MS : LOCK_LIMIT_MS;
    const lock = tables.length === 0 ? '' : `; LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`;
    // Several statements are answered by a list of results.
    const results: unknown = await client.query(
      `${beginAs(isolation, lockLimitMs)}${lock}; SELECT pg_current_xact_id()::text AS id`,
    );
    return { client, transaction: idIn(results) };
  } catch (error) {
    client?.release(true);
    return { failure: { error }, nothingKept: 'away' };
  }
}

/** Nothing of it is kept: no COMMIT was sent. The statement's own error decides about repeating, whatever was made of it. */
async function undo(client: PoolClient, { failure, isLate, statementError }: Ran): Promise<Ended> {
  // A connection in an unknown state is closed. Where answers are still to come it is cut, or its end would wait for them.
  if (isLate) client.connection.stream.destroy();
  const isOpen = !isLate && (await client.query('ROLLBACK').then(Boolean, () => false));
  client.release(!isOpen);
  if (isSerializationFailure(statementError ?? failure?.error)) return { failure, nothingKept: 'conflict' };
  return { failure, nothingKept: isOpen || isLate ? 'failed' : 'away' };
}

async function commit(pool: Pool, { client, transaction }: Begun): Promise<Ended> {
  try {
    const { command } = await client.query('COMMIT');
    client.release();
    if (command === 'COMMIT') return { failure: null, nothingKept: null };
    // COMMIT of a transaction with a failed statement succeeds by rolling back.
    const error = new Error(`COMMIT answered ${command}: a statement that was not awaited failed`);
    return { failure: { error }, nothingKept: 'failed' };
  } catch (error) {
    const isConflict = isSerializationFailure(error);
    client.release(!isConflict);
    if (isConflict) return { failure: { error }, nothingKept: 'conflict' };
    const end = await endOf(pool, transaction);
    if (end === 'committed') return { failure: null, nothingKept: null };
    // Where nobody could say how it ended, it may have been kept: that is reported, and not run again.
    return { failure: { error }, nothingKept: end === 'aborted' ? 'away' : null };
  }
}

/** The connection was lost in COMMIT: the server knows how the transaction ended, or that it has not ended yet. */
async function endOf(pool: Pool, transaction: string): Promise<'committed' | 'aborted' | null> {
  const endMs = performance.now() + ASK_LIMIT_MS;
  while (performance.now() < endMs) {
    try {
      const { rows } = await pool.query<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', [
        transaction,
      ]);
      const status = rows[0]?.status;
      if (status === 'committed' || status === 'aborted') return status;
      // The server forgets what is very old, and answers null.
      if (status !== 'in progress') return null;
    } catch {
      // It is away; the question waits for it.
    }
    await pause(ASK_EVERY_MS);
  }
  return null;
}

function idIn(results: unknown): string {
  const last: unknown = Array.isArray(results) ? results.at(-1) : null;
  const rows = last !== null && typeof last === 'object' && 'rows' in last ? last.rows : null;
  const row: unknown = Array.isArray(rows) ? rows[0] : null;
  if (row !== null && typeof row === 'object' && 'id' in row && typeof row.id === 'string') return row.id;
  throw new Error('BEGIN did not answer with the transaction it began');
}

function isSerializationFailure(error: unknown): boolean {
  const cause = withoutParameters(error);
  return cause instanceof Error && 'code' in cause && (cause.code === '40001' || cause.code === '40P01');
}

/** Drizzle's error text lists every parameter, signatures among them; the database's own error does not. */
export function withoutParameters(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
