import { and, asc, desc, eq, gt, inArray, lte, min, notInArray } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { OPEN_WITHDRAWAL_STATES } from '../../core/states.ts';

export type WithdrawalRow = Store['tables']['withdrawals']['$inferSelect'];

const OPEN_MAX = 1_000;

export async function findWithdrawal(store: Store, id: string): Promise<WithdrawalRow | null> {
  const { withdrawals } = store.tables;
  const [row] = await store.read.select().from(withdrawals).where(eq(withdrawals.id, id));
  return row ?? null;
}

/**
 * Withdrawals the signer has to sign now, oldest first; those that could not be signed before come last. Those that may
 * not leave yet are left out; `nextDueAtMs` is when the first of them may.
 */
export async function withdrawalsToSign(store: Store, nowMs: number, limit: number, except: readonly string[] = []) {
  const { withdrawals: table } = store.tables;
  const { read } = store;
  const waits = inArray(table.status, ['requested', 'dead']);
  const rows = await read
    .select({ id: table.id })
    .from(table)
    .where(and(waits, lte(table.notBeforeMs, nowMs), notInArray(table.id, [...except])))
    .orderBy(asc(table.nextTryAtMs), asc(table.notBeforeMs))
    .limit(limit);
  const isLater = and(waits, gt(table.notBeforeMs, nowMs));
  const [next] = await read
    .select({ atMs: min(table.notBeforeMs) })
    .from(table)
    .where(isLater);
  return { items: rows.map(({ id }) => id), nextDueAtMs: next?.atMs ?? null };
}

/** What is not over yet, oldest first. */
export async function openWithdrawals(store: Store, network?: string): Promise<WithdrawalRow[]> {
  const { withdrawals } = store.tables;
  return store.read
    .select()
    .from(withdrawals)
    .where(
      and(
        inArray(withdrawals.status, [...OPEN_WITHDRAWAL_STATES]),
        ...(network === undefined ? [] : [eq(withdrawals.network, network)]),
      ),
    )
    .orderBy(asc(withdrawals.createdAtMs))
    .limit(OPEN_MAX);
}

/** Newest first. */
export async function withdrawalsOfWallet(store: Store, walletId: string, limit = 20): Promise<WithdrawalRow[]> {
  return withdrawalsOfWallets(store, [walletId], limit);
}

/** The newest of all of them together. */
export async function withdrawalsOfWallets(
  store: Store,
  walletIds: readonly string[],
  limit: number,
): Promise<WithdrawalRow[]> {
  const { withdrawals } = store.tables;
  return store.read
    .select()
    .from(withdrawals)
    .where(inArray(withdrawals.walletId, [...walletIds]))
    .orderBy(desc(withdrawals.createdAtMs))
    .limit(limit);
}
