import { setImmediate as nextTurn } from 'node:timers/promises';
import { whileBusy } from './busy.ts';
import type { Db, Store } from './store.ts';
import { createWorkScope, type BoundWork, type Failure } from './work.ts';

/**
 * One item's permission to use the writer. `failure` is its first failed statement. After `revoke` every statement
 * through its `db` throws, however late it comes.
 */
export type Lease = { db: Db; failure: () => Failure | null; revoke: () => void };

/** The only writer of the database; its functions throw what SQLite throws. */
export type Writer = {
  begin: () => void;
  commit: () => void;
  rollback: () => void;
  savepoint: () => void;
  rollbackToSavepoint: () => void;
  release: () => void;
  inTransaction: () => boolean;
  lease: () => Lease;
};

export type GroupLimits = { itemsMax: number; waitingMax: number; itemLimitMs: number; busyLimitMs: number };
export type GroupCommit = { tx: Store['tx']; close: () => Promise<void> };

type Item = { run: BoundWork; resolve: (value: unknown) => void; reject: (error: unknown) => void };
type Outcome = { kind: 'kept'; value: unknown } | { kind: 'undone' | 'lost'; error: unknown };

/**
 * Many transactions, one fsync. Items that wait while a group runs form the next one: BEGIN IMMEDIATE, a savepoint
 * each, one COMMIT. No item is answered before that COMMIT, not even a failed one, because what made it fail may be
 * an earlier item of its group that is not kept yet. When the transaction is lost (RAISE(ROLLBACK), a full disk, a
 * failed COMMIT) nothing of the group is kept, and its items run again, each in a transaction of its own.
 */
export function createGroupCommit(writer: Writer, limits: GroupLimits): GroupCommit {
  const queue: Item[] = [];
  const scope = createWorkScope();
  let draining: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  function tx<T>(work: (db: Db) => Promise<T>): Promise<T> {
    scope.refuseInside('tx');
    if (closing) return Promise.reject(new Error('the store is closed'));
    if (queue.length >= limits.waitingMax) {
      return Promise.reject(new Error(`${queue.length} transactions are waiting already, at most that many may`));
    }
    const run = scope.bind(work);
    return new Promise<T>((resolve, reject) => {
      queue.push({ run, resolve: resolve as Item['resolve'], reject });
      draining ??= drain();
    });
  }

  async function drain(): Promise<void> {
    // A turn of the event loop before each group lets callers that were just answered queue again.
    await nextTurn();
    while (queue.length > 0) {
      // The group is taken after BEGIN, which may have waited for another process while the queue grew.
      const busy = await begin(writer, limits.busyLimitMs);
      const items = queue.splice(0, limits.itemsMax);
      if (busy) rejectAll(items, busy.error);
      else await runAll(writer, items, limits);
      await nextTurn();
    }
    // No await between the last look at the queue and this line, or an item could wait for ever.
    draining = null;
  }

  function close(): Promise<void> {
    scope.refuseInside('close');
    closing ??= Promise.resolve(draining).then(() => scope.disable());
    return closing;
  }

  return { tx, close };
}

/** Answers every item. The first transaction is open already. */
async function runAll(writer: Writer, items: Item[], limits: GroupLimits): Promise<void> {
  const loss = await runGroup(writer, items, limits.itemLimitMs);
  if (!loss) return;
  // Alone in its group, an item lost its transaction by itself: once more would be once too often.
  if (items.length === 1) return rejectAll(items, loss.error);
  for (const [index, item] of items.entries()) {
    const busy = await begin(writer, limits.busyLimitMs);
    if (busy) return rejectAll(items.slice(index), busy.error);
    const itemLoss = await runGroup(writer, [item], limits.itemLimitMs);
    if (itemLoss) item.reject(itemLoss.error);
  }
}

/** Ends the open transaction. Either all items are answered, or none is, nothing is kept, and the loss returned. */
async function runGroup(writer: Writer, items: Item[], limitMs: number): Promise<Failure | null> {
  const answers: (() => void)[] = [];
  for (const item of items) {
    const outcome = await runItem(writer, item, limitMs);
    if (outcome.kind === 'lost') {
      rollbackIfOpen(writer);
      return { error: outcome.error };
    }
    answers.push(() => (outcome.kind === 'kept' ? item.resolve(outcome.value) : item.reject(outcome.error)));
  }
  try {
    writer.commit();
  } catch (error) {
    rollbackIfOpen(writer);
    return { error };
  }
  for (const answer of answers) answer();
  return null;
}

async function runItem(writer: Writer, item: Item, limitMs: number): Promise<Outcome> {
  let failure: Failure | null = null;
  try {
    writer.savepoint();
    const lease = writer.lease();
    const result = await item.run(lease.db, limitMs);
    // From here on no await: nothing of this item may run between the last look at it and its release.
    lease.revoke();
    // An item that caught a failed statement is undone all the same, as PostgreSQL does it.
    failure = result.failure ?? lease.failure();
    if (!writer.inTransaction()) {
      return { kind: 'lost', error: failure ? failure.error : new Error('the transaction ended before its item did') };
    }
    if (failure) writer.rollbackToSavepoint();
    writer.release();
    return failure ? { kind: 'undone', error: failure.error } : { kind: 'kept', value: result.value };
  } catch (error) {
    return { kind: 'lost', error };
  }
}

/** Waits for other processes without blocking this one. */
async function begin(writer: Writer, limitMs: number): Promise<Failure | null> {
  try {
    rollbackIfOpen(writer);
    await whileBusy(writer.begin, limitMs);
    return null;
  } catch (error) {
    return { error };
  }
}

function rollbackIfOpen(writer: Writer): void {
  try {
    if (writer.inTransaction()) writer.rollback();
  } catch {
    // Tried again before the next BEGIN, which fails loudly as long as this does.
  }
}

function rejectAll(items: Item[], error: unknown): void {
  for (const item of items) item.reject(error);
}
