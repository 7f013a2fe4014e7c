import { and, gt, inArray, isNull, lte, or } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** Who shares wallets with whom is followed this often: a person has a few chats, and each holds a few wallets. */
const ROUNDS_MAX = 10;
const IDS_MAX = 200;

/**
 * Everything that belongs to a person as far as it is known here: the account, the wallets that it holds, the accounts
 * that hold those as well, and so on. Wallets and accounts share one kind of id. What only looks belongs to nobody yet.
 */
export async function idsOfPerson(store: Store, userId: string, nowMs: number): Promise<string[]> {
  const { walletHolders } = store.tables;
  const known = new Set([userId]);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const ids = [...known].slice(0, IDS_MAX);
    const rows = await store.read
      .select({ holderId: walletHolders.holderId, walletId: walletHolders.walletId })
      .from(walletHolders)
      .where(
        and(
          or(inArray(walletHolders.holderId, ids), inArray(walletHolders.walletId, ids)),
          lte(walletHolders.spendsFromMs, nowMs),
        ),
      )
      .limit(IDS_MAX);
    const before = known.size;
    for (const { holderId, walletId } of rows) known.add(holderId).add(walletId);
    if (known.size === before) break;
  }
  return [...known].slice(0, IDS_MAX);
}

/** Locked again, it is locked for good: an end that was set before is forgotten. */
export async function lockSpending(
  store: Store,
  ids: readonly string[],
  { lockedBy, nowMs }: { lockedBy: string; nowMs: number },
): Promise<void> {
  const { spendingLocks } = store.tables;
  const rows = ids.map((id) => ({ id, lockedBy, lockedAtMs: nowMs, untilMs: null }));
  await store.tx(async (db) => {
    for (const row of rows) {
      const { id: _, ...change } = row;
      await db.insert(spendingLocks).values(row).onConflictDoUpdate({ target: spendingLocks.id, set: change });
    }
  });
}

/** Sets the end of those that have none; an earlier one stays. Answers the last end, null where nothing is locked. */
export async function endLocks(
  store: Store,
  ids: readonly string[],
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<number | null> {
  const { spendingLocks } = store.tables;
  return store.tx(async (db) => {
    const isTheirs = inArray(spendingLocks.id, [...ids]);
    await db
      .update(spendingLocks)
      .set({ untilMs })
      .where(and(isTheirs, isNull(spendingLocks.untilMs)));
    const rows = await db.select({ untilMs: spendingLocks.untilMs }).from(spendingLocks).where(isTheirs);
    const ends = rows.flatMap(({ untilMs: end }) => (end !== null && end > nowMs ? [end] : []));
    return ends.length === 0 ? null : Math.max(...ends);
  });
}

export type Lock = { untilMs: number | null };

/** The lock that keeps this person from spending from this wallet; null for none. Of several the one that lasts longest. */
export async function findLock(
  db: Db,
  { spendingLocks }: Tables,
  { userId, walletId }: { userId: string; walletId: string },
  nowMs: number,
): Promise<Lock | null> {
  const rows = await db
    .select({ untilMs: spendingLocks.untilMs })
    .from(spendingLocks)
    .where(
      and(
        inArray(spendingLocks.id, [userId, walletId]),
        or(isNull(spendingLocks.untilMs), gt(spendingLocks.untilMs, nowMs)),
      ),
    );
  const endless = rows.find(({ untilMs }) => untilMs === null);
  if (endless) return endless;
  return rows.reduce<Lock | null>((last, row) => ((last?.untilMs ?? 0) > (row.untilMs ?? 0) ? last : row), null);
}

/** The same for a whole person: what /unlock would end. */
export async function isAnyLocked(store: Store, ids: readonly string[], nowMs: number): Promise<boolean> {
  const { spendingLocks } = store.tables;
  const isActive = or(isNull(spendingLocks.untilMs), gt(spendingLocks.untilMs, nowMs));
  const [row] = await store.read
    .select({ id: spendingLocks.id })
    .from(spendingLocks)
    .where(and(inArray(spendingLocks.id, [...ids]), isActive))
    .limit(1);
  return row !== undefined;
}
