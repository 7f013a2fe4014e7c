import { and, asc, desc, eq, gt, inArray, lte, min, notInArray } from 'drizzle-orm';
import { OPEN_WITHDRAWAL_STATES, withdrawalPhase, type WithdrawalPhase } from '../../core/states.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';

type Own = Tables['withdrawals']['$inferSelect'];
type OfTransfer = Pick<TransferRow, 'generation' | 'nonce' | 'validBefore' | 'signature' | 'carrierId' | 'tries'> &
  Pick<TransferRow, 'landedTransaction'>;

/** A withdrawal with its transfer; `status` is of both together. */
export type WithdrawalRow = Omit<Own, 'status'> & OfTransfer & { status: WithdrawalPhase };

const OPEN_MAX = 1_000;

/** Withdrawals with their transfers; `toWithdrawal` puts the two together. */
export function selectWithdrawals(db: Db, { transfers, withdrawals }: Tables) {
  return db
    .select({ withdrawal: withdrawals, transfer: transfers })
    .from(withdrawals)
    .innerJoin(transfers, eq(transfers.id, withdrawals.id));
}

export function toWithdrawal({ withdrawal, transfer }: { withdrawal: Own; transfer: TransferRow }): WithdrawalRow {
  const { generation, nonce, validBefore, signature, carrierId, tries, landedTransaction } = transfer;
  const signing = { generation, nonce, validBefore, signature, carrierId, tries, landedTransaction };
  return { ...withdrawal, ...signing, status: withdrawalPhase(withdrawal.status, transfer.status) };
}

export async function findWithdrawal({ read, tables }: Store, id: string): Promise<WithdrawalRow | null> {
  const [row] = await selectWithdrawals(read, tables).where(eq(tables.withdrawals.id, id));
  return row === undefined ? null : toWithdrawal(row);
}

/**
 * Withdrawals the signer has to sign now, oldest first; those that could not be signed before come last. Those that may
 * not leave yet are left out; `nextDueAtMs` is when the first of them may.
 */
export async function withdrawalsToSign(store: Store, nowMs: number, limit: number, except: readonly string[] = []) {
  const { read, tables } = store;
  const { transfers, withdrawals } = tables;
  const isWaiting = and(inArray(withdrawals.status, [...OPEN_WITHDRAWAL_STATES]), eq(transfers.status, 'queued'));
  const rows = await selectWithdrawals(read, tables)
    .where(and(isWaiting, lte(withdrawals.notBeforeMs, nowMs), notInArray(withdrawals.id, [...except])))
    .orderBy(asc(transfers.nextTryAtMs), asc(withdrawals.notBeforeMs))
    .limit(limit);
  const [next] = await read
    .select({ atMs: min(withdrawals.notBeforeMs) })
    .from(withdrawals)
    .innerJoin(transfers, eq(transfers.id, withdrawals.id))
    .where(and(isWaiting, gt(withdrawals.notBeforeMs, nowMs)));
  return { items: rows.map(({ withdrawal }) => withdrawal.id), nextDueAtMs: next?.atMs ?? null };
}

/** What is not over yet, oldest first. */
export async function openWithdrawals({ read, tables }: Store, network?: string): Promise<WithdrawalRow[]> {
  const { withdrawals } = tables;
  const isThere = network === undefined ? undefined : eq(withdrawals.network, network);
  const rows = await selectWithdrawals(read, tables)
    .where(and(inArray(withdrawals.status, [...OPEN_WITHDRAWAL_STATES]), isThere))
    .orderBy(asc(withdrawals.createdAtMs))
    .limit(OPEN_MAX);
  return rows.map(toWithdrawal);
}

/** Newest first. */
export async function withdrawalsOfWallet(store: Store, walletId: string, limit = 20): Promise<WithdrawalRow[]> {
  return withdrawalsOfWallets(store, [walletId], limit);
}

/** The newest of all of them together. */
export async function withdrawalsOfWallets(
  { read, tables }: Store,
  walletIds: readonly string[],
  limit: number,
): Promise<WithdrawalRow[]> {
  const { withdrawals } = tables;
  const rows = await selectWithdrawals(read, tables)
    .where(inArray(withdrawals.walletId, [...walletIds]))
    .orderBy(desc(withdrawals.createdAtMs))
    .limit(limit);
  return rows.map(toWithdrawal);
}
