import { setTimeout as pause } from 'node:timers/promises';
import { DrizzleQueryError } from 'drizzle-orm';
import type { Pool, PoolClient } from 'pg';
import type { Places } from '../connections/places.ts';
import type { Watch, Watched } from '../connections/watch.ts';
import { collectLocks, lockStatements, type Group, type Lock } from './locks.ts';
import { leaseClient } from './pg-lease.ts';
import type { Tables } from '../schema/tables.ts';
import type { BoundWork, Failure, WorkResult } from './work.ts';

const STATEMENT_LIMIT_MS = 10_000;
/** How long the server is asked how a transaction ended whose COMMIT got no reply. */
const ASK_LIMIT_MS = 10_000;
const ASK_EVERY_MS = 100;
/**
 * A process that is stopped inside a transaction keeps its locks until those that wait for them end its session
 * (`db/connections/watch.ts`). This is for one that nobody waits for, or that hangs.
 */
const SILENCE_LIMIT_MS = 10_000;
/** Longer than the silence that the server ends: then the lock is only waited for again, at the end of its queue. */
const LOCK_LIMIT_MS = 15_000;

/**
 * The limits are set in each transaction, because a pooler hands the next one to another connection. SET and LOCK TABLE
 * take no snapshot: what the transaction reads is from after it got its locks. A table that is read from end to end is locked
 * against all that is written into it, however short it is: so an index is used wherever there is one. What that is
 * thought to cost is far above what makes the server compile a plan, which takes longer than any statement here.
 */
const BEGIN =
  'BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE; ' +
  `SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}; SET LOCAL lock_timeout = ${LOCK_LIMIT_MS}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${SILENCE_LIMIT_MS}; ` +
  'SET LOCAL enable_seqscan = off; SET LOCAL jit = off';

/** `holdMs`: after so long no further function begins in a transaction that has locks. */
export type Session = {
  pool: Pool;
  /** As many as the pool has connections. */
  places: Places;
  watch: Watch;
  tables: Tables;
  limitMs: number;
  holdMs: number;
  named: boolean;
};
/**
 * One function, and where the locks are collected that it turns out to want. `begin` is called before it runs; false: its
 * caller waits no longer.
 */
export type Item = {
  run: BoundWork;
  locks: Set<Lock>;
  begin: () => boolean;
  answer: (attempt: Attempt) => void;
};
/**
 * What became of a function. `nothingKept` says why its transaction certainly was not kept, by what the server did and not
 * by what an error says: the function failed or did not end in time, it met a conflict, or the server was away. Null with a failure: unknown.
 * `isShared`: it failed beside others, perhaps by what one of them did. `ranMs`: how long the transaction had its locks.
 */
export type Attempt = Ended & { value: unknown; isShared: boolean; ranMs: number };
type Ended = { failure: Failure | null; nothingKept: 'failed' | 'late' | 'conflict' | 'locked' | 'away' | null };
type Begun = { client: PoolClient; watched: Watched; transaction: string };
/** `statementError`: of its first failed statement, whatever its function made of it. */
type Ran = WorkResult & { statementError: unknown };

/**
 * Many functions, one transaction: `take` is called once it has its locks, so that all come along that have gathered while
 * it waited. They keep all or nothing, with no savepoint between them, which would cost each a round trip more: those that
 * fail together run again one by one. Other processes wait for the locks, however slow the machine or the way to the database
 * is, so what has not begun in time is answered as left over.
 */
export async function runTogether(session: Session, names: readonly string[], group: Group<Item>): Promise<Item[]> {
  const giveBack = await session.places.take({ isUrgent: group.isUrgent });
  try {
    const begun = await begin(session, names);
    const items = group.take();
    const startedMs = performance.now();
    const { values, end } = 'client' in begun ? await runAll(session, begun, items) : { values: [], end: begun };
    if ('client' in begun) begun.watched.end();
    const answered = end.failure ? items : items.slice(0, values.length);
    const isShared = items.length > 1 && end.nothingKept !== null;
    const ranMs = performance.now() - startedMs;
    for (const [index, item] of answered.entries()) item.answer({ value: values[index], ...end, isShared, ranMs });
    return items.slice(answered.length);
  } finally {
    giveBack?.();
  }
}

/** One after the other, up to the first that fails or has no time. */
async function runAll(session: Session, begun: Begun, items: Item[]): Promise<{ values: unknown[]; end: Ended }> {
  const endMs = performance.now() + session.holdMs;
  const values: unknown[] = [];
  for (const item of items) {
    if (values.length > 0 && performance.now() >= endMs) break;
    const ran = item.begin() ? await runItem(session, begun, item) : GIVEN_UP;
    if (ran.failure) return { values, end: await undo(begun.client, ran) };
    values.push(ran.value);
  }
  return { values, end: await commit(session.pool, begun) };
}

const GIVEN_UP: Ran = { value: undefined, failure: null, isLate: false, statementError: undefined };

async function runItem(session: Session, { client, watched }: Begun, { run, locks }: Item): Promise<Ran> {
  const lease = leaseClient(client, watched, session);
  collectLocks(lease.db, locks);
  // On a slow machine it may take long, as long as it goes on.
  const result = await run(lease.db, session.limitMs, lease.lastSignMs);
  lease.revoke();
  // A function that caught a failed statement is undone all the same: PostgreSQL has ended its transaction.
  return { ...result, failure: result.failure ?? lease.failure(), statementError: lease.failure()?.error };
}

async function begin({ pool, watch }: Session, names: readonly string[]): Promise<Begun | Ended> {
  const watched = watch.open();
  let client: PoolClient | null = null;
  try {
    client = await pool.connect();
    watched.touch();
    // Several statements are answered by a list of results.
    const results: unknown = await client.query(
      `${BEGIN}; SET LOCAL application_name = '${watch.name}'; ${lockStatements(names)}; SELECT pg_current_xact_id()::text AS id`,
    );
    watched.touch();
    return { client, watched, transaction: idIn(results) };
  } catch (error) {
    watched.end();
    client?.release(true);
    return { failure: { error }, nothingKept: codeOf(error) === LOCK_NOT_AVAILABLE ? 'locked' : 'away' };
  }
}

/** Nothing of it is kept: no COMMIT was sent. The statement's own error decides about repeating, whatever was made of it. */
async function undo(client: PoolClient, { failure, isLate, statementError }: Ran): Promise<Ended> {
  // A connection in an unknown state is closed, which also ends whatever still runs on it.
  const isOpen = !isLate && (await client.query('ROLLBACK').then(Boolean, () => false));
  client.release(!isOpen);
  if (meetsOthers(statementError ?? failure?.error)) return { failure, nothingKept: 'conflict' };
  if (isLate) return { failure, nothingKept: 'late' };
  return { failure, nothingKept: isOpen ? 'failed' : 'away' };
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
    const isConflict = meetsOthers(error);
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

const LOCK_NOT_AVAILABLE = '55P03';
/** A serialization failure, a deadlock, and a row that another has kept for too long. */
const OF_OTHERS = ['40001', '40P01', LOCK_NOT_AVAILABLE];

function meetsOthers(error: unknown): boolean {
  return OF_OTHERS.includes(codeOf(error));
}

function codeOf(error: unknown): string {
  const cause = withoutParameters(error);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Drizzle's error text lists every parameter, signatures among them; the database's own error does not. */
export function withoutParameters(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
