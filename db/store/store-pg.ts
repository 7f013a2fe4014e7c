import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { kit } from '../dialects/kit-pg.ts';
import { createPlaces } from '../connections/places.ts';
import { createPressure, type Pressure } from '../connections/pressure.ts';
import { createWatch } from '../connections/watch.ts';
import { ALL_LOCK, conflictLock, createTurns, lockTables, type Lock, type Turns } from './locks.ts';
import { CLOCKS } from './prepare.ts';
import { createPgReader } from './pg-lease.ts';
import { runTogether, withoutParameters, type Attempt, type Item, type Session } from './pg-transaction.ts';
import { createPgSnapshot } from '../snapshot/pg.ts';
import type { Db, Store, TxOptions } from './store.ts';
import { defineTables } from '../schema/tables.ts';
import { createWorkScope, type BoundWork } from './work.ts';

const CONNECTIONS_MAX = 10;
const CONNECT_LIMIT_MS = 10_000;
const ITEM_LIMIT_MS = 10_000;
/** Behind the transactions of three other processes nobody waits 200 ms for a lock. */
const HOLD_LIMIT_MS = 40;
/** The same for all databases. */
const tables = defineTables(kit);
/** How long a function is run again and again from the first time that the server was away. */
const REPEAT_LIMIT_MS = 10_000;
/** A lock is kept by who runs, or is ended for their silence: where it is waited for in vain so long, something hangs. */
const LOCKED_LIMIT_MS = 60_000;
/** The second time that it meets a conflict it runs with nothing beside it, where there is none to meet. */
const CONFLICTS_BESIDE_OTHERS = 2;
/** What ran for so long does so at once: it would meet another one, and all its work is lost with it. */
const LONG_RUN_MS = 40;
const CONFLICTS_MAX = 10;
const PAUSE_MAX_MS = 200;
/** A conflict is over within milliseconds; a server that is away, or a lock that is kept, is not. */
const PAUSE_AWAY_MS = 100;

export type PgOptions = {
  url: string;
  itemLimitMs?: number;
  /** How long transactions gather work while they have locks that others may wait for. */
  holdLimitMs?: number;
  /** Hears of each function that met a conflict and runs again. */
  onConflict?: () => void;
  /** When the thread starts that speaks for this process (`db/connections/watch.ts`). */
  watchAfterMs?: number;
  /** A pooler in transaction mode stands between: no statement may be kept by name on a connection. */
  pooled?: boolean;
};

/**
 * Opens a database whose migrations have run. `tx` is SERIALIZABLE, because its functions are written and tested
 * against SQLite, which runs them one after another; the price is that a function may run several times. While tables are
 * small, PostgreSQL sees conflicts in any two rows of one index page. A function that met one runs again with the locks that
 * it turned out to want, and beside no other that met one; the next time it runs with no other transaction beside it, of
 * whichever process, and those that come meanwhile wait: so none can lose again and again. Those of a process that wait for
 * the same locks are kept in one transaction. `npm run bench -- processes` measures it.
 */
export async function openPgStore(options: PgOptions): Promise<Store> {
  const { url, itemLimitMs = ITEM_LIMIT_MS, holdLimitMs = HOLD_LIMIT_MS, pooled = false, onConflict } = options;
  const writers = openPool(url);
  // A pool of their own: a read inside a transaction function must not wait for a connection that such functions hold.
  const readers = openPool(url);
  const startAfterMs = options.watchAfterMs;
  const watch = createWatch({
    url,
    transactionsMax: CONNECTIONS_MAX,
    ...(startAfterMs === undefined ? {} : { startAfterMs }),
  });
  const session: Session = {
    pool: writers,
    places: createPlaces(CONNECTIONS_MAX),
    watch,
    tables,
    limitMs: itemLimitMs,
    holdMs: holdLimitMs,
    named: !pooled,
  };
  const turns = createTurns<Item>((names, group) => runTogether(session, names, group));
  const pressure = createPressure();
  const reading = {
    pool: readers,
    connectLimitMs: CONNECT_LIMIT_MS,
    places: createPlaces(CONNECTIONS_MAX),
    pressure: createPressure(),
  };
  const scope = createWorkScope();
  const active = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  function tx<T>(work: (db: Db) => Promise<T>, locks: readonly Lock[] = [], given: TxOptions = {}): Promise<T> {
    scope.refuseInside('tx');
    if (closing) return Promise.reject(new Error('the store is closed'));
    const wanted = { run: scope.bind(work), locks: new Set(locks), onConflict, ...given };
    const done = repeat(turns, pressure, wanted).finally(() => active.delete(done));
    active.add(done);
    return done as Promise<T>;
  }

  async function closeAll(): Promise<void> {
    await Promise.allSettled(active);
    await Promise.all([writers.end(), readers.end(), watch.close()]);
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
    read: createPgReader(reading, tables, !pooled),
    tx,
    snapshot: createPgSnapshot(readers),
    close,
  };
}

function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS_MAX, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // A lost connection rejects its query; without listeners the same event would end the process.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

type Wanted = TxOptions & { run: BoundWork; locks: Set<Lock>; onConflict: (() => void) | undefined };

/** Runs the function again only after attempts of which the database has certainly kept nothing; then by itself. */
async function repeat(turns: Turns<Item>, pressure: Pressure, wanted: Wanted): Promise<unknown> {
  const { run, locks } = wanted;
  const waiting = waitToBegin(pressure, wanted);
  const sinceMs = { away: Infinity, locked: Infinity };
  let conflicts = 0;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const isBeside = conflicts < CONFLICTS_BESIDE_OTHERS;
      // What may be refused comes last: a lease must be renewed in time, and what was reserved is carried to its end.
      const isUrgent = attempt > 1 || wanted.beginWithinMs === undefined;
      const how = { isAlone: attempt > 1 && isBeside, isUrgent };
      const attempted = new Promise<Attempt>((answer) => {
        turns.enter(isBeside ? lockTables(locks) : [ALL_LOCK], { run, locks, begin: waiting.begin, answer }, how);
      });
      const { value, failure, nothingKept, isShared, ranMs } = await Promise.race([attempted, waiting.isOver]);
      if (!failure) return value;
      if (nothingKept === 'conflict') wanted.onConflict?.();
      if (nothingKept === 'conflict') conflicts += isShared || ranMs > LONG_RUN_MS ? CONFLICTS_BESIDE_OTHERS : 1;
      // Another may have failed in there, or been late: what this one does by itself begins now.
      else if (isShared) conflicts = 0;
      if (isShared && conflicts <= CONFLICTS_MAX) continue;
      const nowMs = performance.now();
      if (nothingKept === 'away' || nothingKept === 'locked')
        sinceMs[nothingKept] = Math.min(sinceMs[nothingKept], nowMs);
      const isOver = nowMs - sinceMs.away > REPEAT_LIMIT_MS || nowMs - sinceMs.locked > LOCKED_LIMIT_MS;
      const isGivenUp = isOver || conflicts > CONFLICTS_MAX;
      if (nothingKept === null || nothingKept === 'failed') throw withoutParameters(failure.error);
      // Its caller waits for a time only, and nothing of it was kept.
      if (isGivenUp || nothingKept === 'late')
        throw wanted.beginWithinMs === undefined ? withoutParameters(failure.error) : pressure.overloaded();
      if (nothingKept === 'conflict') locks.add(conflictLock);
      const longestMs = Math.min(PAUSE_MAX_MS, 2 ** attempt);
      await pause(nothingKept === 'away' ? PAUSE_AWAY_MS + longestMs : Math.random() * longestMs);
    }
  } finally {
    waiting.end();
  }
}

/** Where its caller waits for a time only, `isOver` rejects once that is over, unless it has begun before. */
function waitToBegin(pressure: Pressure, { beginWithinMs }: TxOptions) {
  const leave = pressure.enter();
  let state: 'waits' | 'begun' | 'over' = 'waits';
  let limit: NodeJS.Timeout | undefined;
  const isOver = new Promise<never>((_, reject) => {
    if (beginWithinMs === undefined) return;
    limit = setTimeout(() => {
      if (state !== 'waits') return;
      state = 'over';
      leave(false);
      reject(pressure.overloaded());
    }, beginWithinMs);
  });
  const begin = () => {
    if (state === 'waits') {
      state = 'begun';
      clearTimeout(limit);
      leave(true);
    }
    return state === 'begun';
  };
  const end = () => {
    clearTimeout(limit);
    leave(false);
  };
  return { begin, isOver, end };
}
