import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { knownFrom } from '../../core/wallets/withdrawal-wait.ts';
import type { Db, Store } from '../store/store.ts';
import { addressStanding } from './standing.ts';

type Requested = Store['tables']['withdrawals']['$inferSelect'];

/**
 * Records that all holders of the wallet were notified of this withdrawal, as far as they can be: the day of its
 * address begins, and what waits for it leaves only after that day. Of two calls the first counts.
 */
export async function markTold(store: Store, id: string, nowMs: number): Promise<void> {
  const { tables } = store;
  const { withdrawals } = tables;
  await store.tx(async (db) => {
    const [row] = await db
      .update(withdrawals)
      .set({ notifiedAtMs: nowMs })
      .where(and(eq(withdrawals.id, id), isNull(withdrawals.notifiedAtMs)))
      .returning();
    if (row !== undefined) await moveWaiting(db, store, row, nowMs);
  });
}

/** Also what was asked for later: the address is one and the same. */
async function moveWaiting(db: Db, { tables }: Store, row: Requested, nowMs: number): Promise<void> {
  const { withdrawals } = tables;
  const { walletId, network, toAddress } = row;
  const notBeforeMs = knownFrom(await addressStanding(db, tables, row), nowMs);
  const ofWallet = and(eq(withdrawals.walletId, walletId), eq(withdrawals.network, network));
  const isIt = and(ofWallet, eq(withdrawals.toAddress, toAddress), eq(withdrawals.status, 'requested'));
  const isPutOff = gt(withdrawals.notBeforeMs, withdrawals.createdAtMs);
  await db
    .update(withdrawals)
    .set({ notBeforeMs })
    .where(and(isIt, isPutOff, lt(withdrawals.notBeforeMs, notBeforeMs)));
}

/** It waits on: what it was put off for has not happened. Only ever to a later time. */
export async function putOffUntil(store: Store, id: string, notBeforeMs: number): Promise<void> {
  const { withdrawals } = store.tables;
  await store.tx((db) =>
    db
      .update(withdrawals)
      .set({ notBeforeMs })
      .where(
        and(eq(withdrawals.id, id), eq(withdrawals.status, 'requested'), lt(withdrawals.notBeforeMs, notBeforeMs)),
      ),
  );
}
