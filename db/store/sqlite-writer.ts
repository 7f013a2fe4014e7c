import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Lease, Writer } from './group-commit.ts';
import { setPreparedRunner } from './prepare.ts';
import { createPreparedQueries, createSqliteDb, createStatementCache, type Gate } from './sqlite-client.ts';
import type { Tables } from '../schema/tables.ts';
import { setTurns } from './busy.ts';
import type { Failure } from './work.ts';

/**
 * What writes many rows gives all else in the process a turn this often. Nobody writes in between, and who reads has a
 * connection that sees what was committed.
 */
const TURN_EVERY_MS = 15;

/** The executor's view of the one connection that writes. */
export function createSqliteWriter(handle: Database.Database, tables: Tables): Writer {
  const compile = createStatementCache(handle);
  const isOpen = () => handle.inTransaction;
  /** The gate of the item that runs now, through which prepared queries go: they outlive their item. */
  let current: Gate = createGate(isOpen).gate;
  const runPrepared = createPreparedQueries(
    createSqliteDb(compile, (call) => current(call)),
    tables,
  );
  /** When the event loop had its last turn, as far as it is known here. */
  let turnAtMs = 0;
  const statement = (query: string) => {
    const prepared = handle.prepare(query);
    return () => void prepared.run();
  };

  async function takeTurn(): Promise<void> {
    if (performance.now() - turnAtMs < TURN_EVERY_MS) return;
    await nextTurn();
    turnAtMs = performance.now();
  }

  function lease(): Lease {
    const { gate, failure, revoke } = createGate(isOpen);
    current = gate;
    const db = createSqliteDb(compile, gate);
    setTurns(db, takeTurn);
    // The item's own gate first: while that is open, it is also the current one.
    setPreparedRunner(db, async (definition, values) => {
      await takeTurn();
      return gate(() => runPrepared(definition, values));
    });
    return { db, failure, revoke };
  }

  const begin = statement('BEGIN IMMEDIATE');
  return {
    begin: () => {
      begin();
      // The executor gives a turn before it begins.
      turnAtMs = performance.now();
    },
    commit: statement('COMMIT'),
    rollback: statement('ROLLBACK'),
    savepoint: statement('SAVEPOINT item'),
    rollbackToSavepoint: statement('ROLLBACK TO item'),
    release: statement('RELEASE item'),
    inTransaction: isOpen,
    lease,
  };
}

/** Lets statements through until one fails, the transaction is gone, or the permission is taken back. */
function createGate(isOpen: () => boolean) {
  let failure: Failure | null = null;
  let isRevoked = false;
  function gate<T>(call: () => T): T {
    if (isRevoked) throw new Error('this transaction is over; its db cannot be used any more');
    if (failure) throw new Error('a statement of this transaction failed; it can only end', { cause: failure.error });
    // After RAISE(ROLLBACK) or on a full disk the transaction is gone, and a statement would commit by itself.
    if (!isOpen()) throw new Error('this transaction was rolled back by the database');
    try {
      return call();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  }
  return { gate, failure: () => failure, revoke: () => void (isRevoked = true) };
}
