import { PROOF_FRESH_MS } from '../../core/claims/claims.ts';
import { and, asc, count, desc, eq, gt, ne, notLike, or, sql } from 'drizzle-orm';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A browser or chat account that may spend from a personal wallet, because it proved whose that wallet is. */
export type Holder = { holderId: string; walletId: string; identityId: string; name: string };

export type HeldWallet = { walletId: string; identityId: string; name: string; sinceMs: number };

/** A repeated proof makes it the newest again, under the person's present name. */
export async function addHolder(db: Db, { walletHolders }: Tables, holder: Holder, nowMs: number): Promise<void> {
  await db
    .insert(walletHolders)
    .values({ ...holder, sinceMs: nowMs })
    .onConflictDoUpdate({
      target: [walletHolders.holderId, walletHolders.walletId],
      set: { name: holder.name, sinceMs: nowMs },
    });
}

/** Leaves only this holder, who has just proved to own the wallet, able to spend from it. */
export async function removeOtherHolders(
  db: Db,
  { walletHolders }: Tables,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
): Promise<void> {
  await db.delete(walletHolders).where(and(eq(walletHolders.walletId, walletId), ne(walletHolders.holderId, holderId)));
}

/** Whether this holder's last proof is fresh; false for one who does not hold the wallet at all. */
export async function hasFreshProof(
  { read, tables }: { read: Db; tables: Tables },
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<boolean> {
  const { walletHolders } = tables;
  const own = and(eq(walletHolders.walletId, walletId), eq(walletHolders.holderId, holderId));
  const [proven] = await read.select({ sinceMs: walletHolders.sinceMs }).from(walletHolders).where(own);
  return proven !== undefined && proven.sinceMs + PROOF_FRESH_MS > nowMs;
}

/**
 * Leaves the wallet to this holder alone. The others would be notified of a withdrawal and could call it off, so a
 * thief of an old browser must not be able to drop them: without a fresh proof it answers false and changes nothing.
 */
export async function dropOtherHolders(
  store: Store,
  holder: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<boolean> {
  const { tables } = store;
  return store.tx(async (db) => {
    if (!(await hasFreshProof({ read: db, tables }, holder, nowMs))) return false;
    await removeOtherHolders(db, tables, holder);
    return true;
  });
}

export type WalletHolder = Pick<Holder, 'holderId' | 'name'>;

/** Browsers cannot be notified. */
const BROWSER = 'chat:';

/**
 * The chat accounts that may spend from the wallet, longest holder first. Browsers are left out before the limit: a
 * holder may have many of them, and they must not keep a chat from being notified.
 */
export async function chatHoldersOf(store: Store, walletId: string, limit: number): Promise<WalletHolder[]> {
  const { walletHolders } = store.tables;
  const isInChat = notLike(walletHolders.holderId, `${BROWSER}%`);
  return store.read
    .select({ holderId: walletHolders.holderId, name: walletHolders.name })
    .from(walletHolders)
    .where(and(eq(walletHolders.walletId, walletId), isInChat))
    .orderBy(asc(walletHolders.sinceMs), asc(walletHolders.holderId))
    .limit(limit);
}

/** How many browsers and chat accounts beside this one may spend from the wallet. */
export async function countOtherHolders(store: Store, walletId: string, holderId: string): Promise<number> {
  const { walletHolders } = store.tables;
  const others = and(eq(walletHolders.walletId, walletId), ne(walletHolders.holderId, holderId));
  const [row] = await store.read.select({ count: count() }).from(walletHolders).where(others);
  return row?.count ?? 0;
}

/**
 * What this browser or chat account may spend from, newest first. After a restore they prove kept wallets again: the books
 * do not know who was dropped in the lost time. An account's own wallet needs no proof.
 */
export async function walletsOfHolder(store: Store, holderId: string): Promise<HeldWallet[]> {
  return selectOfHolder(store.read, { holderId });
}

/** Also what was proven only before a restore: enough to keep money where it is. */
export async function everHeldBy(store: Store, holderId: string): Promise<HeldWallet[]> {
  const { walletHolders } = store.tables;
  const { walletId, identityId, name, sinceMs } = walletHolders;
  return store.read
    .select({ walletId, identityId, name, sinceMs })
    .from(walletHolders)
    .where(eq(walletHolders.holderId, holderId))
    .orderBy(desc(sinceMs), desc(walletId));
}

/** Runs before the first answer of each chat, up to a thousand times a second. */
const selectOfHolder = prepare((db, { reconciliations, walletHolders }) => {
  const { walletId, identityId, holderId, name, sinceMs } = walletHolders;
  const restored = sql`coalesce((select max(${reconciliations.atMs}) from ${reconciliations}), 0)`;
  return db
    .select({ walletId, identityId, name, sinceMs })
    .from(walletHolders)
    .where(and(eq(holderId, placeholder('holderId')), or(eq(walletId, holderId), gt(sinceMs, restored))))
    .orderBy(desc(sinceMs), desc(walletId));
});
