import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import { isPutOff } from '../../core/wallets/withdrawal-wait.ts';
import { addWithin } from '../store/counters.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { WithdrawalRow } from './find.ts';
import { atOnceCounter, openCounter } from './limits.ts';
import type { WithdrawalFailure } from '../../core/states.ts';

/** Names one signed permission or transaction: each generation of a withdrawal has its own. */
export type Signed = { id: string; generation: number };

/** Ends what was never signed, or can never land any more. False when it has moved on meanwhile. */
export async function failWithdrawal(
  store: Store,
  id: string,
  from: 'requested' | 'dead',
  failure: WithdrawalFailure,
  nowMs: number,
): Promise<boolean> {
  const { withdrawals } = store.tables;
  const found = and(eq(withdrawals.id, id), eq(withdrawals.status, from));
  return store.tx((db) => end(db, store, found, { status: 'failed', failure }, nowMs));
}

/**
 * Ends a signed withdrawal that would fail now. Allowed only while nothing that contains it was ever sent; its
 * signature is deleted, so that it can never land later.
 */
export async function refuseWithdrawal(
  store: Store,
  signed: Signed,
  failure: WithdrawalFailure,
  nowMs: number,
): Promise<boolean> {
  const found = isUnsent(store, signed);
  return store.tx((db) => end(db, store, found, { status: 'failed', failure, signature: null }, nowMs));
}

/** The chain finally shows that the money moved; `transaction` where it is known. */
export async function markPaid(store: Store, signed: Signed, transaction: string | null, nowMs: number) {
  return store.tx((db) => markPaidWithin(db, store, signed, transaction, nowMs));
}

export async function markPaidWithin(
  db: Db,
  store: Store,
  signed: Signed,
  transaction: string | null,
  nowMs: number,
): Promise<boolean> {
  return end(db, store, isAlive(store, signed), { status: 'paid', landedTransaction: transaction }, nowMs);
}

type Moved = { id: string; from: 'requested' | 'dead'; transaction: string | null };

/** The same end for what these books, a backup perhaps, believe unsigned. False when it has moved on meanwhile. */
export async function markMoved(store: Store, { id, from, transaction }: Moved, nowMs: number): Promise<boolean> {
  const { withdrawals } = store.tables;
  const found = and(eq(withdrawals.id, id), eq(withdrawals.status, from));
  return store.tx((db) => end(db, store, found, { status: 'paid', landedTransaction: transaction }, nowMs));
}

/** This generation can provably never land: the next one may be signed. */
export async function markDead(store: Store, signed: Signed): Promise<boolean> {
  return store.tx((db) => markDeadWithin(db, store, signed));
}

export async function markDeadWithin(db: Db, store: Store, signed: Signed): Promise<boolean> {
  return bury(db, store, isAlive(store, signed));
}

/** The same for one that is dead only because it was never sent. False when another process has sent it meanwhile. */
export async function markUnsentDead(store: Store, signed: Signed): Promise<boolean> {
  return store.tx((db) => bury(db, store, isUnsent(store, signed)));
}

async function bury(db: Db, { tables: { withdrawals } }: Store, found: SQL | undefined): Promise<boolean> {
  const moved = await move(db, withdrawals, {
    where: found,
    set: { status: 'dead', carrierId: null },
  });
  return moved.length > 0;
}

/** Its last generation has failed for good, and no next one is signed. */
export async function giveUpWithin(
  db: Db,
  store: Store,
  signed: Signed,
  failure: WithdrawalFailure,
  nowMs: number,
): Promise<boolean> {
  return end(db, store, isAlive(store, signed), { status: 'failed', failure }, nowMs);
}

function isAlive({ tables: { withdrawals } }: Store, { id, generation }: Signed): SQL | undefined {
  return and(
    eq(withdrawals.id, id),
    eq(withdrawals.generation, generation),
    inArray(withdrawals.status, ['signed', 'sent']),
  );
}

function isUnsent({ tables: { withdrawals } }: Store, { id, generation }: Signed): SQL | undefined {
  return and(
    eq(withdrawals.id, id),
    eq(withdrawals.generation, generation),
    eq(withdrawals.status, 'signed'),
    isNull(withdrawals.carrierId),
    eq(withdrawals.tries, 0),
  );
}

type End =
  | { status: 'paid'; landedTransaction: string | null }
  | { status: 'failed'; failure: WithdrawalFailure; signature?: null; calledOffAtMs?: number };

async function end(db: Db, store: Store, found: SQL | undefined, values: End, nowMs: number): Promise<boolean> {
  return (await endWithin(db, store, found, values, nowMs)).length > 0;
}

/**
 * The only place where a withdrawal ends: it leaves the wallet's open count, and one that failed gives back its part of
 * the day's limit. Answers those that have ended.
 */
export async function endWithin(
  db: Db,
  store: Store,
  found: SQL | undefined,
  values: End,
  nowMs: number,
): Promise<WithdrawalRow[]> {
  const { withdrawals } = store.tables;
  const ended = await move(db, withdrawals, { where: found, set: { ...values, endedAtMs: nowMs } });
  for (const row of ended) {
    await addWithin(db, store, openCounter(row.walletId, isPutOff(row)), -1n);
    if (row.countedOn === null || values.status !== 'failed') continue;
    await addWithin(db, store, atOnceCounter(row.walletId, row.countedOn), -row.amountMicroUsdc);
  }
  return ended;
}
