import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { WithdrawalFailure } from '../../core/states.ts';
import { isPutOff } from '../../core/wallets/withdrawal-wait.ts';
import { addWithin } from '../store/counters.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { isProvenBy, type Death } from '../transfers/death.ts';
import { isOfKind } from '../transfers/find.ts';
import { toWithdrawal, type WithdrawalRow } from './find.ts';
import { giveBackLeaving } from './leaving.ts';
import { openCounter } from './limits.ts';

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
  return endUnsigned(store, { id, from }, { status: 'failed', failure }, nowMs);
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
  return store.tx((db) => end(db, store, isUnsent(store, signed), { status: 'failed', failure }, nowMs));
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
export async function markMoved(store: Store, { transaction, ...unsigned }: Moved, nowMs: number): Promise<boolean> {
  return endUnsigned(store, unsigned, { status: 'paid', landedTransaction: transaction }, nowMs);
}

async function endUnsigned(
  store: Store,
  { id, from }: { id: string; from: 'requested' | 'dead' },
  values: End,
  nowMs: number,
): Promise<boolean> {
  const { transfers, walletWithdrawals } = store.tables;
  return store.tx(async (db) => {
    const [row] = await db
      .select({ status: walletWithdrawals.status })
      .from(walletWithdrawals)
      .where(eq(walletWithdrawals.id, id));
    if (row?.status !== (from === 'dead' ? 'leaving' : 'requested')) return false;
    return end(db, store, and(eq(transfers.id, id), eq(transfers.status, 'queued')), values, nowMs);
  });
}

/** This generation can provably never land: the next one may be signed. The proof is part of the statement. */
export async function markDead(store: Store, signed: Signed, death: Death): Promise<boolean> {
  return store.tx((db) => markDeadWithin(db, store, signed, death));
}

export async function markDeadWithin(db: Db, store: Store, signed: Signed, death: Death): Promise<boolean> {
  return bury(db, store, signed, and(isAlive(store, signed), isProvenBy(store.tables.transfers, death)));
}

/**
 * The same for one that is dead only because it was never sent; `wait`: it is not signed anew before. False when another
 * process has sent it meanwhile.
 */
export async function markUnsentDead(store: Store, signed: Signed, wait: Wait | null = null): Promise<boolean> {
  return store.tx((db) => bury(db, store, signed, isUnsent(store, signed), wait));
}

export type Wait = { reason: 'account_quota'; untilMs: number };

async function bury(
  db: Db,
  { tables: { transfers } }: Store,
  { generation }: Signed,
  found: SQL | undefined,
  wait: Wait | null = null,
): Promise<boolean> {
  const waits = wait === null ? {} : { heldReason: wait.reason, nextTryAtMs: wait.untilMs };
  const next = { nonce: null, validBefore: null, signature: null, carrierId: null, tries: 0, ...waits };
  const moved = await move(db, transfers, {
    from: ['assigned', 'broadcast'],
    where: found,
    set: { status: 'queued', generation: generation + 1, ...next },
  });
  return moved.length > 0;
}

/** Its last generation has failed for good, and no next one is signed. */
export async function giveUpWithin(
  db: Db,
  store: Store,
  signed: Signed,
  { death, failure }: { death: Death; failure: WithdrawalFailure },
  nowMs: number,
): Promise<boolean> {
  const { transfers } = store.tables;
  if (!(await markDeadWithin(db, store, signed, death))) return false;
  const isDead = and(eq(transfers.id, signed.id), eq(transfers.status, 'queued'));
  return end(db, store, isDead, { status: 'failed', failure }, nowMs);
}

function isAlive({ tables }: Store, { id, generation }: Signed): SQL | undefined {
  const { transfers } = tables;
  const isIt = and(eq(transfers.id, id), eq(transfers.generation, generation), isOfKind(tables, 'withdrawal'));
  return and(isIt, inArray(transfers.status, ['assigned', 'broadcast']));
}

function isUnsent({ tables }: Store, { id, generation }: Signed): SQL | undefined {
  const { transfers } = tables;
  const isIt = and(eq(transfers.id, id), eq(transfers.generation, generation), isOfKind(tables, 'withdrawal'));
  return and(isIt, eq(transfers.status, 'assigned'), isNull(transfers.carrierId), eq(transfers.tries, 0));
}

type End =
  | { status: 'paid'; landedTransaction: string | null }
  | { status: 'failed'; failure: WithdrawalFailure; calledOffAtMs?: number };

async function end(db: Db, store: Store, found: SQL | undefined, values: End, nowMs: number): Promise<boolean> {
  return (await endWithin(db, store, found, values, nowMs)).length > 0;
}

/**
 * The only place where a withdrawal ends, with its transfer, by which it is found: it leaves the wallet's open count, and
 * one that failed gives back its part of the day's limit. Answers those that have ended.
 */
export async function endWithin(
  db: Db,
  store: Store,
  found: SQL | undefined,
  values: End,
  nowMs: number,
): Promise<WithdrawalRow[]> {
  const { walletWithdrawals } = store.tables;
  const ended: WithdrawalRow[] = [];
  for (const transfer of await endTransfers(db, store, found, values)) {
    const own = values.status === 'paid' ? { status: 'paid' as const } : values;
    const where = eq(walletWithdrawals.id, transfer.id);
    const [row] = await move(db, walletWithdrawals, { where, set: { ...own, endedAtMs: nowMs } });
    if (row === undefined) throw new Error(`withdrawal ${transfer.id} was over before its transfer`);
    ended.push(toWithdrawal({ withdrawal: row, transfer }));
    await addWithin(db, store, openCounter(row.walletId, isPutOff(row)), -1n);
    if (values.status === 'failed') await giveBackLeaving(db, store, row);
  }
  return ended;
}

async function endTransfers(db: Db, { tables }: Store, found: SQL | undefined, values: End) {
  const { transfers } = tables;
  const where = and(found, isOfKind(tables, 'withdrawal'));
  if (values.status === 'failed')
    return move(db, transfers, { from: ['queued', 'assigned'], where, set: { status: 'void', signature: null } });
  const { landedTransaction } = values;
  const from = ['queued', 'assigned', 'broadcast'] as const;
  return move(db, transfers, { from, where, set: { status: 'final', landedTransaction } });
}
