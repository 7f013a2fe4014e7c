import type { Network } from '../../core/networks.ts';
import { and, asc, desc, eq, gt, inArray, lte, min, notInArray } from 'drizzle-orm';
import { OPEN_WITHDRAWAL_STATES, withdrawalPhase, type WithdrawalPhase } from '../../core/states.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';

type Own = Tables['walletWithdrawals']['$inferSelect'];
type OfTransfer = Pick<TransferRow, 'generation' | 'nonce' | 'validBefore' | 'signature' | 'carrierId' | 'tries'> &
  Pick<TransferRow, 'landedTransaction' | 'heldReason' | 'nextTryAtMs'>;

/** A withdrawal with its transfer; `status` is of both together. */
export type WithdrawalRow = Omit<Own, 'status'> & OfTransfer & { status: WithdrawalPhase };

const OPEN_MAX = 1_000;

/** Withdrawals with their transfers; `toWithdrawal` puts the two together. */
export function selectWithdrawals(db: Db, { transfers, walletWithdrawals }: Tables) {
  return db
    .select({ withdrawal: walletWithdrawals, transfer: transfers })
    .from(walletWithdrawals)
    .innerJoin(transfers, eq(transfers.id, walletWithdrawals.id));
}

export function toWithdrawal({ withdrawal, transfer }: { withdrawal: Own; transfer: TransferRow }): WithdrawalRow {
  const { generation, nonce, validBefore, signature, carrierId, tries } = transfer;
  const { landedTransaction, heldReason, nextTryAtMs } = transfer;
  const signing = { generation, nonce, validBefore, signature, carrierId, tries };
  return {
    ...withdrawal,
    ...signing,
    landedTransaction,
    heldReason,
    nextTryAtMs,
    status: withdrawalPhase(withdrawal.status, transfer.status),
  };
}

export async function findWithdrawal({ read, tables }: Store, id: string): Promise<WithdrawalRow | null> {
  const [row] = await selectWithdrawals(read, tables).where(eq(tables.walletWithdrawals.id, id));
  return row === undefined ? null : toWithdrawal(row);
}

/**
 * Withdrawals the signer has to sign now, oldest first; those that could not be signed before come last. Those that may
 * not leave yet are left out; `nextDueAtMs` is when the first of them may.
 */
export async function withdrawalsToSign(store: Store, nowMs: number, limit: number, except: readonly string[] = []) {
  const { read, tables } = store;
  const { transfers, walletWithdrawals } = tables;
  const isWaiting = and(inArray(walletWithdrawals.status, [...OPEN_WITHDRAWAL_STATES]), eq(transfers.status, 'queued'));
  const isDue = and(lte(walletWithdrawals.notBeforeMs, nowMs), lte(transfers.nextTryAtMs, nowMs));
  const rows = await selectWithdrawals(read, tables)
    .where(and(isWaiting, isDue, notInArray(walletWithdrawals.id, [...except])))
    .orderBy(asc(transfers.nextTryAtMs), asc(walletWithdrawals.notBeforeMs))
    .limit(limit);
  const [next] = await read
    .select({ atMs: min(walletWithdrawals.notBeforeMs) })
    .from(walletWithdrawals)
    .innerJoin(transfers, eq(transfers.id, walletWithdrawals.id))
    .where(and(isWaiting, gt(walletWithdrawals.notBeforeMs, nowMs)));
  return { items: rows.map(({ withdrawal }) => withdrawal.id), nextDueAtMs: next?.atMs ?? null };
}

/** Until when it waits for a new account at the address that it goes to; null: it does not. */
export function waitsForAccountUntil({ status, heldReason, nextTryAtMs }: WithdrawalRow): number | null {
  return status === 'dead' && heldReason !== null ? nextTryAtMs : null;
}

/** What is not over yet, oldest first. */
export async function openWithdrawals({ read, tables }: Store, network?: Network): Promise<WithdrawalRow[]> {
  const { walletWithdrawals } = tables;
  const isThere = network === undefined ? undefined : eq(walletWithdrawals.network, network);
  const rows = await selectWithdrawals(read, tables)
    .where(and(inArray(walletWithdrawals.status, [...OPEN_WITHDRAWAL_STATES]), isThere))
    .orderBy(asc(walletWithdrawals.createdAtMs))
    .limit(OPEN_MAX);
  return rows.map(toWithdrawal);
}

/** Newest first; `only`: those alone that are so far. */
export async function withdrawalsOfWallet(
  store: Store,
  walletId: string,
  limit = 20,
  only?: Own['status'],
): Promise<WithdrawalRow[]> {
  return withdrawalsOfWallets(store, [walletId], limit, only);
}

/** The newest of all of them together. */
export async function withdrawalsOfWallets(
  { read, tables }: Store,
  walletIds: readonly string[],
  limit: number,
  only?: Own['status'],
): Promise<WithdrawalRow[]> {
  const { walletWithdrawals } = tables;
  const isSo = only === undefined ? undefined : eq(walletWithdrawals.status, only);
  const rows = await selectWithdrawals(read, tables)
    .where(and(inArray(walletWithdrawals.walletId, [...walletIds]), isSo))
    .orderBy(desc(walletWithdrawals.createdAtMs))
    .limit(limit);
  return rows.map(toWithdrawal);
}
