import { and, asc, eq, gt, isNotNull, isNull, lt, ne } from 'drizzle-orm';
import { REPLACEMENT_WAIT_MS } from '../../core/claims/claims.ts';
import { CAME_FIRST_MS, HOLDER_WAIT_MS } from '../../core/wallets/holder-wait.ts';
import { PASSKEY_WAIT_MS, WITHOUT_PASSKEY_MS } from '../../core/wallets/passkeys.ts';
import { restartRaises, storedLimitsSchema } from '../../core/wallets/spending-limits.ts';
import { ADDRESS_WAIT_MS, isPutOff } from '../../core/wallets/withdrawal-wait.ts';
import type { Tables } from '../schema/tables.ts';
import { addWithin } from '../store/counters.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { enqueueAgain } from '../store/outbox.ts';
import type { Db, Store } from '../store/store.ts';
import { askToTell } from '../treasury/treasury-addresses.ts';
import { isSigned, putOffPasskeys, toChange } from '../wallets/passkeys.ts';
import { giveBackLeaving } from '../withdrawals/leaving.ts';
import { openCounter } from '../withdrawals/limits.ts';

/** Rows of one statement. */
const AT_ONCE = 500;

/**
 * Decisions that people made in the lost time to protect their money are forgotten: a withdrawal called off, a limit lowered,
 * an address stopped, a wallet locked, a stranger's sign-in ended. So each of these waits starts again, in full, and
 * personal wallets are locked for tips until their person unlocks them.
 */
export async function beginWaitsAnew(db: Db, store: Store, nowMs: number): Promise<void> {
  const { tables } = store;
  const { treasuryAddresses, walletChanges, walletWithdrawals } = tables;
  await db.update(walletWithdrawals).set({ notifiedAtMs: nowMs }).where(isNotNull(walletWithdrawals.notifiedAtMs));
  await putOffRequested(db, store, nowMs);
  await db.update(walletChanges).set({ effectiveAtMs: nowMs + REPLACEMENT_WAIT_MS });
  const counts = and(isNotNull(treasuryAddresses.announcedAtMs), isNull(treasuryAddresses.cancelledAtMs));
  const announced = await db.update(treasuryAddresses).set({ announcedAtMs: nowMs }).where(counts).returning();
  await askToTell(db, tables, announced, nowMs);
  await putOffRaises(db, tables, nowMs);
  await putOffHolders(db, tables, nowMs);
  for (const passkey of await putOffPasskeys(db, tables, { holdsFromMs: nowMs + PASSKEY_WAIT_MS, nowMs })) {
    await enqueueAgain(db, tables, 'passkey_changed', toChange(passkey, 'added'), nowMs);
  }
  await lockWallets(db, tables, nowMs);
}

/**
 * A holder who came after the first one only looks again, for a day at least, and the others are told again. Nothing in
 * these books says when the lost time began, so one who had waited already waits as well.
 */
async function putOffHolders(db: Db, tables: Tables, nowMs: number): Promise<void> {
  const { walletHolders } = tables;
  const { holderId, walletId, spendsFromMs } = walletHolders;
  const untilMs = nowMs + HOLDER_WAIT_MS;
  const cameLater = gt(spendsFromMs, CAME_FIRST_MS);
  await db
    .update(walletHolders)
    .set({ spendsFromMs: untilMs })
    .where(and(cameLater, lt(spendsFromMs, untilMs), ne(holderId, walletId)));
  const later = await db.select().from(walletHolders).where(cameLater);
  for (const { identityId, holderId: added, spendsFromMs: fromMs } of later) {
    const payload = { identityId, holder: payerAccountId(added), fromMs };
    await enqueueAgain(db, tables, 'holder_added', payload, nowMs);
  }
}

/** Those who hold the wallet hear of it again, so that they can call it off again; what could leave at once waits too. */
async function putOffRequested(db: Db, store: Store, nowMs: number): Promise<void> {
  const { walletWithdrawals } = store.tables;
  const waiting = await db.select().from(walletWithdrawals).where(eq(walletWithdrawals.status, 'requested'));
  for (const row of waiting) {
    const { id, walletId } = row;
    if (!isPutOff(row)) {
      await addWithin(db, store, openCounter(walletId, false), -1n);
      await addWithin(db, store, openCounter(walletId, true), 1n);
    }
    await giveBackLeaving(db, store, row);
    // Asked before the passkeys wait again, or none would count at the time of the request.
    const isAgreed = await isSigned(db, store.tables, row, row.createdAtMs);
    const waitMs = isAgreed ? ADDRESS_WAIT_MS : WITHOUT_PASSKEY_MS;
    const set = { notBeforeMs: nowMs + waitMs, notifiedAtMs: null, countedOn: null };
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

/** Locks and their ends in these books are replaced: an end may have been taken back. */
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
