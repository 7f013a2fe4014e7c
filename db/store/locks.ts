import { createHash } from 'node:crypto';

/**
 * What a transaction may hold alone. Of the transactions that hold the same lock one runs at a time, in whichever process;
 * all others run beside it. SQLite has one writer and needs none.
 */
export type Lock = string & { readonly lock: unique symbol };

/** Everything that is posted to the accounts of a network, which nearly all its entries share. */
export const ledgerLock = (network: string) => `ledger:${network}` as Lock;
/** What one payer reserves: their open payments, their keys, and which of their requests joins an earlier one. */
export const payerLock = (payer: string) => `payer:${payer}` as Lock;
/** A running total with a cap. */
export const counterLock = (name: string) => `counter:${name}` as Lock;

/** Empty tables that exist only to be locked; `db/rules/pg.sql` makes as many. */
const LOCKS_MAX = 64;

/**
 * The tables of these locks, in one order for all, so that no two wait for each other in a circle. Two locks may share a
 * table: then they wait for each other now and then, which is slower and never wrong.
 */
export function lockTables(locks: Iterable<Lock>): string[] {
  const numbers = [...locks].map((lock) => createHash('sha256').update(lock).digest().readUInt16BE() % LOCKS_MAX);
  return [...new Set(numbers)].toSorted((one, other) => one - other).map((number) => `lock_${number}`);
}

const wanted = new WeakMap<object, Set<Lock>>();

/**
 * Says inside a transaction function which lock it would have needed. After a conflict the function runs again with it, so
 * that it cannot lose for ever against those who hold it from the beginning.
 */
export function wantLock(db: object, lock: Lock): void {
  wanted.get(db)?.add(lock);
}

/** For the stores: the set that collects what a transaction's function wants. */
export function collectLocks(db: object, locks: Set<Lock>): void {
  wanted.set(db, locks);
}
