import { PROOF_FRESH_MS } from '../../core/claims/claims.ts';
import { KEPT_IT_MS, spendsFrom, type HolderStanding } from '../../core/wallets/holder-wait.ts';
import { and, asc, desc, eq, gt, lt, lte, ne, notLike, or, sql } from 'drizzle-orm';
import { payerAccountId } from '../ledger/payer-account.ts';
import { enqueue } from '../store/outbox.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A browser or chat account that may spend from a personal wallet, because it proved whose that wallet is. */
export type Holder = { holderId: string; walletId: string; identityId: string; name: string };

/** `spendsFromMs`: until then it is only looked into. */
export type HeldWallet = { walletId: string; identityId: string; name: string; sinceMs: number; spendsFromMs: number };

/**
 * A repeated proof makes it the newest again, under the person's present name. When it may spend is decided once, by
 * its first proof.
 */
export async function addHolder(
  db: Db,
  { walletHolders }: Tables,
  holder: Holder,
  nowMs: number,
  spendsFromMs = 0,
): Promise<void> {
  await db
    .insert(walletHolders)
    .values({ ...holder, sinceMs: nowMs, spendsFromMs })
    .onConflictDoUpdate({
      target: [walletHolders.holderId, walletHolders.walletId],
      set: { name: holder.name, sinceMs: nowMs },
    });
}

export type Admission = {
  /** The name may have a new owner. */
  hasLapsed: boolean;
  /** Takes the wallet from all others. */
  replacesOthers: boolean;
  /** What the holder's claim keeps here; null: it only signs in. */
  keeps: 'money' | 'nothing' | null;
  nowMs: number;
};

/**
 * Adds one that has proved the name. Whoever keeps money first spends at once; all others look at once and spend after a
 * wait, of which those who hold the wallet are told. Who came while nothing was kept waits as well from then on: a stranger
 * who was once in somebody's account must not have got in before them. Once held, a wallet is never without a holder.
 */
export async function admitHolder(
  db: Db,
  tables: Tables,
  holder: Holder,
  { hasLapsed, replacesOthers, keeps, nowMs }: Admission,
): Promise<void> {
  const { walletHolders } = tables;
  const { walletId, holderId } = holder;
  const held = await db
    .select({ holderId: walletHolders.holderId, spendsFromMs: walletHolders.spendsFromMs })
    .from(walletHolders)
    .where(eq(walletHolders.walletId, walletId));
  const isKnown = held.some((one) => one.holderId === holderId);
  const isKept = held.some(({ spendsFromMs }) => spendsFromMs === KEPT_IT_MS);
  const isSpendable = held.some(({ spendsFromMs }) => spendsFromMs <= nowMs);
  const standing = standingOf({ isKept, isSpendable, hasLapsed: hasLapsed && held.length > 0, keeps });
  if (replacesOthers) await removeOtherHolders(db, tables, holder);
  const fromMs = spendsFrom(standing, nowMs);
  await addHolder(db, tables, holder, nowMs, fromMs);
  if (standing === 'kept') return putFirst(db, tables, holder, nowMs);
  if (isKnown || standing === 'first') return;
  // With its time, because one that was ended and proves the name again is told of again.
  const added = { identityId: holder.identityId, holder: payerAccountId(holderId), fromMs };
  await enqueue(db, tables, 'holder_added', added, nowMs);
}

type Standing = Pick<Admission, 'hasLapsed' | 'keeps'> & { isKept: boolean; isSpendable: boolean };

function standingOf({ isKept, isSpendable, hasLapsed, keeps }: Standing): HolderStanding {
  if (hasLapsed) return 'lapsed';
  if (keeps === 'money' && !isKept) return 'kept';
  return keeps !== null && !isSpendable ? 'first' : 'another';
}

/** It spends at once, and the others not before a wait from now on. */
async function putFirst(
  db: Db,
  { walletHolders }: Tables,
  { walletId, holderId }: Holder,
  nowMs: number,
): Promise<void> {
  const ofWallet = eq(walletHolders.walletId, walletId);
  const others = and(ofWallet, ne(walletHolders.holderId, holderId));
  const spendsFromMs = spendsFrom('another', nowMs);
  await db
    .update(walletHolders)
    .set({ spendsFromMs })
    .where(and(others, lt(walletHolders.spendsFromMs, spendsFromMs)));
  await db
    .update(walletHolders)
    .set({ spendsFromMs: KEPT_IT_MS })
    .where(and(ofWallet, eq(walletHolders.holderId, holderId)));
}

/** Leaves only this holder, who has just proved to own the wallet, able to spend from it. */
export async function removeOtherHolders(
  db: Db,
  { walletHolders }: Tables,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
): Promise<void> {
  await db.delete(walletHolders).where(and(eq(walletHolders.walletId, walletId), ne(walletHolders.holderId, holderId)));
}

/**
 * Whether this holder's last proof is fresh; false for one who does not hold the wallet at all, and for one that only looks:
 * a stranger who has just got in must not be able to drop those who are told of it.
 */
export async function hasFreshProof(
  { read, tables }: { read: Db; tables: Tables },
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<boolean> {
  const { walletHolders } = tables;
  const own = and(eq(walletHolders.walletId, walletId), eq(walletHolders.holderId, holderId));
  const spends = lte(walletHolders.spendsFromMs, nowMs);
  const [proven] = await read.select({ sinceMs: walletHolders.sinceMs }).from(walletHolders).where(and(own, spends));
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

/** One that may look into a wallet or spend from it, as the others see it. `fromMs`: when it may spend; 0 from the start. */
export type Session = { holderId: string; sinceMs: number; fromMs: number };

/** All of them, the newest first. */
export async function sessionsOf(store: Store, walletId: string): Promise<Session[]> {
  const { walletHolders } = store.tables;
  const { holderId, sinceMs, spendsFromMs: fromMs } = walletHolders;
  return store.read
    .select({ holderId, sinceMs, fromMs })
    .from(walletHolders)
    .where(eq(walletHolders.walletId, walletId))
    .orderBy(desc(sinceMs), desc(holderId));
}

/**
 * Ends those that may not spend yet. Only a holder that may spend can do it, so that a stranger cannot keep out an owner who
 * proves the name in another browser. Answers how many were ended.
 */
export async function endWaitingHolders(
  store: Store,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<number> {
  const { walletHolders } = store.tables;
  const ofWallet = eq(walletHolders.walletId, walletId);
  return store.tx(async (db) => {
    const [may] = await db
      .select({ holderId: walletHolders.holderId })
      .from(walletHolders)
      .where(and(ofWallet, eq(walletHolders.holderId, holderId), lte(walletHolders.spendsFromMs, nowMs)));
    if (may === undefined) return 0;
    const ended = await db
      .delete(walletHolders)
      .where(and(ofWallet, gt(walletHolders.spendsFromMs, nowMs)))
      .returning({ holderId: walletHolders.holderId });
    return ended.length;
  });
}

/** The other end of it: what the browser or account itself gives up. The last one stays, so that no other is the first. */
export async function leaveWallet(
  store: Store,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
): Promise<boolean> {
  const { walletHolders } = store.tables;
  const ofWallet = eq(walletHolders.walletId, walletId);
  return store.tx(async (db) => {
    const held = await db.select({ holderId: walletHolders.holderId }).from(walletHolders).where(ofWallet);
    if (held.length < 2) return false;
    const left = await db
      .delete(walletHolders)
      .where(and(ofWallet, eq(walletHolders.holderId, holderId)))
      .returning({ holderId: walletHolders.holderId });
    return left.length > 0;
  });
}

/**
 * What this browser or chat account may spend from, newest first. After a restore they prove kept wallets again: the books
 * do not know who was dropped in the lost time. An account's own wallet needs no proof.
 */
export async function walletsOfHolder(store: Store, holderId: string, nowMs: number): Promise<HeldWallet[]> {
  return (await walletsSeenBy(store, holderId)).filter(({ spendsFromMs }) => spendsFromMs <= nowMs);
}

/** Also what it only looks into. */
export async function walletsSeenBy(store: Store, holderId: string): Promise<HeldWallet[]> {
  return selectOfHolder(store.read, { holderId });
}

/** Also what was proven only before a restore: enough to keep money where it is. One that only looks keeps none there. */
export async function everHeldBy(store: Store, holderId: string, nowMs: number): Promise<HeldWallet[]> {
  const { walletHolders } = store.tables;
  const { walletId, identityId, name, sinceMs, spendsFromMs } = walletHolders;
  return store.read
    .select({ walletId, identityId, name, sinceMs, spendsFromMs })
    .from(walletHolders)
    .where(and(eq(walletHolders.holderId, holderId), lte(spendsFromMs, nowMs)))
    .orderBy(desc(sinceMs), desc(walletId));
}

/** Runs before the first answer of each chat, up to a thousand times a second. */
const selectOfHolder = prepare((db, { reconciliations, walletHolders }) => {
  const { walletId, identityId, holderId, name, sinceMs, spendsFromMs } = walletHolders;
  const restored = sql`coalesce((select max(${reconciliations.atMs}) from ${reconciliations}), 0)`;
  return db
    .select({ walletId, identityId, name, sinceMs, spendsFromMs })
    .from(walletHolders)
    .where(and(eq(holderId, placeholder('holderId')), or(eq(walletId, holderId), gt(sinceMs, restored))))
    .orderBy(desc(sinceMs), desc(walletId));
});
