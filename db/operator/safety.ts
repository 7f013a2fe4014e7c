import { and, asc, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { REPLACEMENT_WAIT_MS } from '../../core/claims/claims.ts';
import { restartRaises, storedLimitsSchema } from '../../core/wallets/spending-limits.ts';
import { ADDRESS_WAIT_MS, isPutOff } from '../../core/wallets/withdrawal-wait.ts';
import type { Tables } from '../schema/tables.ts';
import { addWithin } from '../store/counters.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { enqueueAgain } from '../store/outbox.ts';
import type { Db, Store } from '../store/store.ts';
import { atOnceCounter, openCounter } from '../withdrawals/limits.ts';

/** Rows of one statement. */
const AT_ONCE = 500;

/**
 * What people decided in the lost time to protect their money is forgotten: a withdrawal called off, a limit lowered, an
 * address stopped, a wallet locked. So each of these waits begins anew, in full, and personal wallets are locked for tips
 * until their person unlocks them.
 */
export async function beginWaitsAnew(db: Db, store: Store, nowMs: number): Promise<void> {
  const { tables } = store;
  const { treasuryAddresses, walletChanges, walletWithdrawals } = tables;
  await db.update(walletWithdrawals).set({ notifiedAtMs: nowMs }).where(isNotNull(walletWithdrawals.notifiedAtMs));
  await putOffRequested(db, store, nowMs);
  await db.update(walletChanges).set({ effectiveAtMs: nowMs + REPLACEMENT_WAIT_MS });
  const counts = and(isNotNull(treasuryAddresses.announcedAtMs), isNull(treasuryAddresses.cancelledAtMs));
  await db.update(treasuryAddresses).set({ announcedAtMs: nowMs }).where(counts);
  await putOffRaises(db, tables, nowMs);
  await lockWallets(db, tables, nowMs);
}

/** Those who hold the wallet hear of it again, so that they can call it off again; what could leave at once waits too. */
async function putOffRequested(db: Db, store: Store, nowMs: number): Promise<void> {
  const { walletWithdrawals } = store.tables;
  const waiting = await db.select().from(walletWithdrawals).where(eq(walletWithdrawals.status, 'requested'));
  for (const row of waiting) {
    const { id, walletId, countedOn, amountMicroUsdc } = row;
    if (!isPutOff(row)) {
      await addWithin(db, store, openCounter(walletId, false), -1n);
      await addWithin(db, store, openCounter(walletId, true), 1n);
    }
    if (countedOn !== null) await addWithin(db, store, atOnceCounter(walletId, countedOn), -amountMicroUsdc);
    const set = { notBeforeMs: nowMs + ADDRESS_WAIT_MS, notifiedAtMs: null, countedOn: null };
    await db.update(walletWithdrawals).set(set).where(eq(walletWithdrawals.id, id));
    await notifyAgain(db, store, row, nowMs);
  }
}

/** Each holder's notice is an event of its own. */
async function notifyAgain(
  db: Db,
  { tables }: Store,
  { id: withdrawalId, walletId }: { id: string; walletId: string },
  nowMs: number,
): Promise<void> {
  const { walletHolders } = tables;
  const holders = await db.select().from(walletHolders).where(eq(walletHolders.walletId, walletId));
  for (const { holderId } of holders) {
    const holder = payerAccountId(holderId);
    await enqueueAgain(db, tables, 'withdrawal_notice', { withdrawalId, holder }, nowMs);
  }
  await enqueueAgain(db, tables, 'withdrawal_requested', { withdrawalId }, nowMs);
}

async function putOffRaises(db: Db, { walletLimits }: Tables, nowMs: number): Promise<void> {
  for (const { walletId, limits, revision } of await db.select().from(walletLimits)) {
    const restarted = restartRaises(storedLimitsSchema.parse(limits), nowMs);
    const set = { limits: restarted, revision: revision + 1 };
    await db.update(walletLimits).set(set).where(eq(walletLimits.walletId, walletId));
  }
}

/** Locks and their ends that these books know are replaced: the end may have been taken back. */
async function lockWallets(db: Db, { chatUsers, spendingLocks, walletHolders }: Tables, nowMs: number): Promise<void> {
  const change = { lockedBy: 'reconcile', lockedAtMs: nowMs, untilMs: null };
  const lock = async (ids: readonly string[]) => {
    const rows = ids.map((id) => ({ id, ...change }));
    await db.insert(spendingLocks).values(rows).onConflictDoUpdate({ target: spendingLocks.id, set: change });
  };
  const next = {
    users: (after: string) =>
      db.select({ id: chatUsers.id }).from(chatUsers).where(gt(chatUsers.id, after)).orderBy(asc(chatUsers.id)),
    kept: (after: string) =>
      db
        .selectDistinct({ id: walletHolders.walletId })
        .from(walletHolders)
        .where(gt(walletHolders.walletId, after))
        .orderBy(asc(walletHolders.walletId)),
  };
  for (const page of [next.users, next.kept])
    for (let after: string | undefined = ''; after !== undefined;) {
      const ids: string[] = (await page(after).limit(AT_ONCE)).map(({ id }) => id);
      if (ids.length > 0) await lock(ids);
      after = ids.at(-1);
    }
}
