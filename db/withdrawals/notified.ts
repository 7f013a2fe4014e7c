import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { knownFrom } from '../../core/wallets/withdrawal-wait.ts';
import type { Db, Store } from '../store/store.ts';
import { addressStanding } from './standing.ts';

type Requested = Store['tables']['walletWithdrawals']['$inferSelect'];

/**
 * Records that all holders of the wallet were notified of this withdrawal, as far as they can be: the day of its
 * address begins, and what waits for it leaves only after that day. Of two calls the first counts.
 */
export async function markTold(store: Store, id: string, nowMs: number): Promise<void> {
  const { tables } = store;
  const { walletWithdrawals } = tables;
  await store.tx(async (db) => {
    const [row] = await db
      .update(walletWithdrawals)
      .set({ notifiedAtMs: nowMs })
      .where(and(eq(walletWithdrawals.id, id), isNull(walletWithdrawals.notifiedAtMs)))
      .returning();
    if (row !== undefined) await moveWaiting(db, store, row, nowMs);
  });
}

/** Also what was asked for later: the address is one and the same. */
async function moveWaiting(db: Db, { tables }: Store, row: Requested, nowMs: number): Promise<void> {
  const { walletWithdrawals } = tables;
  const { walletId, network, toAddress } = row;
  const notBeforeMs = knownFrom(await addressStanding(db, tables, row), nowMs);
  const ofWallet = and(eq(walletWithdrawals.walletId, walletId), eq(walletWithdrawals.network, network));
  const isIt = and(ofWallet, eq(walletWithdrawals.toAddress, toAddress), eq(walletWithdrawals.status, 'requested'));
  const isPutOff = gt(walletWithdrawals.notBeforeMs, walletWithdrawals.createdAtMs);
  await db
    .update(walletWithdrawals)
    .set({ notBeforeMs })
    .where(and(isIt, isPutOff, lt(walletWithdrawals.notBeforeMs, notBeforeMs)));
}

/** It waits on: what it was put off for has not happened. Only ever to a later time. */
export async function putOffUntil(store: Store, id: string, notBeforeMs: number): Promise<void> {
  const { walletWithdrawals } = store.tables;
  await store.tx((db) =>
    db
      .update(walletWithdrawals)
      .set({ notBeforeMs })
      .where(
        and(
          eq(walletWithdrawals.id, id),
          eq(walletWithdrawals.status, 'requested'),
          lt(walletWithdrawals.notBeforeMs, notBeforeMs),
        ),
      ),
  );
}
