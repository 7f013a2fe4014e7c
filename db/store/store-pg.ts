import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolConfig } from 'pg';
import { kit } from '../dialects/kit-pg.ts';
import { conflictLock, createTurns, hasTurn, isBeside, isTogether, turnNames, type Lock, type Turns } from './locks.ts';
import { CLOCKS } from './prepare.ts';
import { createPgReader } from './pg-lease.ts';
import { runTogether, withoutParameters, type Attempt, type Item, type Session } from './pg-transaction.ts';
import { createPgSnapshot } from '../snapshot/pg.ts';
import type { Db, Store } from './store.ts';
import { defineTables } from '../schema/tables.ts';
import { createWorkScope, type BoundWork } from './work.ts';

/**
 * Of each of the two pools: few, and kept. A new connection costs the server its view of the tables and its plans anew, some
 * 20 ms of a core, and among many each statement is planned more often. Where they were ten and closed after a quiet moment,
 * a crowd's payments cost the database twice as much.
 */
export const CONNECTIONS_MAX = 6;
const IDLE_LIMIT_MS = 300_000;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_LIMIT_MS = 10_000;
const ITEM_LIMIT_MS = 10_000;
/** Above all limits that the server keeps itself: a connection that says nothing for so long has been forgotten on the way. */
const REPLY_LIMIT_MS = 15_000;
/** Behind three other processes nobody waits 200 ms for a lock; behind a worker that books a block as well, seldom. */
const HOLD_LIMIT_MS = 15;
/** The same for all databases. */
const tables = defineTables(kit);
/** How long a function is run again and again after conflicts and lost connections. */
const REPEAT_LIMIT_MS = 10_000;
const PAUSE_MAX_MS = 200;
/** A conflict is over within milliseconds; a server that is away, or a lock that is kept, is not. */
const PAUSE_AWAY_MS = 100;
/** Who was undone with others so often runs by itself. */
const SHARED_MAX = 3;
/** After so many conflicts a function takes the locks that it wants itself, beside the one of all. */
const OWN_LOCKS_FROM = 2;
/** Conflicts come in crowds. */
const CONFLICTS_LAST_MS = 1_000;

export type PgOptions = {
  url: string;
  itemLimitMs?: number;
  /** How long the server may take to answer a statement of a transaction before its connection is given up. */
  replyLimitMs?: number;
  /** How long transactions take up work while others may wait for them. */
  holdLimitMs?: number;
  /** For how long after a conflict all functions of this process share transactions. */
  conflictsLastMs?: number;
  /** A pooler in transaction mode stands between: no statement may be kept by name on a connection. */
  pooled?: boolean;
};

/**
 * Opens a database whose migrations have run. `tx` is SERIALIZABLE, because its functions are written and tested
 * against SQLite, which runs them one after another; the price is that a function may run several times. `answers` and
 * `marks` need no snapshot and are READ COMMITTED. A conflict makes a function run again, then with the locks that it turned
 * out to want, and with the one lock of all that met a conflict, so that it waits its turn instead of losing again: while
 * tables are small, PostgreSQL sees conflicts in any two rows of one index page. For a while after a conflict all functions of
 * the process begin with that lock, or of a crowd nearly every one would lose once. Those of a process that wait for the same
 * locks share transactions, and of different payers they run side by side in there. `npm run bench -- processes` and `npm run bench -- apis` measure it.
 */
export async function openPgStore(options: PgOptions): Promise<Store> {
  const { url, itemLimitMs = ITEM_LIMIT_MS, holdLimitMs = HOLD_LIMIT_MS, pooled = false } = options;
  const { conflictsLastMs = CONFLICTS_LAST_MS, replyLimitMs = REPLY_LIMIT_MS } = options;
  // Statements that a function asks together are sent together.
  const writers = openPool(url, { pipeline: true, query_timeout: replyLimitMs });
  // A pool of their own: a read inside a transaction function must not wait for a connection that such functions hold.
  const readers = openPool(url);
  const contention = createContention(conflictsLastMs);
  /** Of those without a name one comes alone, so it is known already. */
  const mayBegin = (names: readonly string[], take: () => Item[]) =>
    !contention.isHigh() || hasTurn(names) || (names.length === 0 && take().every(({ locks }) => isBeside(locks)));
  const session: Session = {
    pool: writers,
    tables,
    limitMs: itemLimitMs,
    holdMs: holdLimitMs,
    named: !pooled,
    mayBegin,
  };
  const turns = createTurns<Item>((names, take) => runTogether(session, names, take));
  const repeat = createRepeat(turns, contention);
  const scope = createWorkScope();
  const active = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  function tx<T>(work: (db: Db) => Promise<T>, locks: readonly Lock[] = []): Promise<T> {
    scope.refuseInside('tx');
    if (closing) return Promise.reject(new Error('the store is closed'));
    const done = repeat(scope.bind(work), new Set(locks)).finally(() => active.delete(done));
    active.add(done);
    return done as Promise<T>;
  }

  async function closeAll(): Promise<void> {
    await Promise.allSettled(active);
    await Promise.all([writers.end(), readers.end()]);
    scope.disable();
  }

  function close(): Promise<void> {
    scope.refuseInside('close');
    closing ??= closeAll();
    return closing;
  }

  return {
    dialect: 'postgres',
    tables,
    clock: CLOCKS.postgres,
    read: createPgReader(readers, tables, !pooled),
    tx,
    snapshot: createPgSnapshot(readers),
    close,
  };
}

function openPool(url: string, more: Pick<PoolConfig, 'pipeline' | 'query_timeout'> = {}): Pool {
  const limits = { max: CONNECTIONS_MAX, connectionTimeoutMillis: CONNECT_LIMIT_MS, idleTimeoutMillis: IDLE_LIMIT_MS };
  // A connection that something on the way has forgotten is found out before it is asked.
  const alive = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  const pool = new Pool({ connectionString: url, ...limits, ...alive, ...more });
  // A lost connection rejects its query; without listeners the same event would end the process.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** Whether conflicts were met of late: then functions that begin side by side would nearly all lose. */
type Contention = { isHigh: () => boolean; note: () => void };

function createContention(lastsMs: number): Contention {
  let untilMs = 0;
  return {
    isHigh: () => performance.now() < untilMs,
    note: () => void (untilMs = performance.now() + lastsMs),
  };
}

function createRepeat(turns: Turns<Item>, contention: Contention) {
  /** Runs the function again only after attempts of which the database has certainly kept nothing. */
  return async function repeat(run: BoundWork, locks: Set<Lock>): Promise<unknown> {
    let endMs = performance.now() + REPEAT_LIMIT_MS;
    let isAlone = false;
    let [conflicts, shared, pauses] = [0, 0, 0];
    for (;;) {
      if (contention.isHigh() && !isBeside(locks)) locks.add(conflictLock);
      // Under contention one lock is enough, and all that wait for it share transactions. What loses even so takes its own
      // locks as well.
      const wanted = locks.has(conflictLock) && conflicts < OWN_LOCKS_FROM ? new Set([conflictLock]) : locks;
      const { value, failure, nothingKept, isShared } = await new Promise<Attempt>((answer) => {
        // By itself it waits for none of those that share.
        const names = turnNames(wanted);
        turns.enter(isAlone && isTogether(names) ? [] : names, { run, locks, answer }, isAlone);
      });
      if (!failure) return value;
      if (nothingKept === 'not_begun') {
        locks.add(conflictLock);
        endMs = performance.now() + REPEAT_LIMIT_MS;
        continue;
      }
      shared = isShared ? shared + 1 : 0;
      // Those beside all others first try it by themselves: that one of them met a conflict says nothing of the others.
      if (nothingKept === 'conflict' && !(isShared && isBeside(locks))) {
        contention.note();
        conflicts += 1;
        locks.add(conflictLock);
      }
      if (isShared) {
        // Another may have failed in there, or been late: what this one does by itself begins now.
        isAlone = nothingKept === 'failed' || isBeside(locks) || shared >= SHARED_MAX;
        endMs = performance.now() + REPEAT_LIMIT_MS;
        continue;
      }
      if (nothingKept === null || nothingKept === 'failed' || performance.now() > endMs) {
        throw withoutParameters(failure.error);
      }
      pauses += 1;
      const longestMs = Math.min(PAUSE_MAX_MS, 2 ** pauses);
      await pause(nothingKept === 'away' ? PAUSE_AWAY_MS + longestMs : Math.random() * longestMs);
    }
  };
}
