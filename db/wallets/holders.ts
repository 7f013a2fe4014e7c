import { PROOF_FRESH_MS } from '../../core/claims/claims.ts';
import {
  HOLDER_WAIT_MS,
  KEPT_IT_MS,
  mayEndOthers,
  mayLeave,
  standingOf,
  type HolderTimes,
} from '../../core/wallets/holder-wait.ts';
import { and, asc, desc, eq, gt, lt, lte, ne, notLike, or, sql, type SQL } from 'drizzle-orm';
import { payerAccountId } from '../ledger/payer-account.ts';
import { enqueue } from '../store/outbox.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import { stopPasskeys } from './passkeys.ts';
import type { Tables } from '../schema/tables.ts';

/** A browser or chat account that may spend from a personal wallet, because it proved whose that wallet is. */
export type Holder = { holderId: string; walletId: string; identityId: string; name: string };

/** `spendsFromMs`: until then it is only looked into. `looksFromMs`: until then nothing of it is shown. */
export type HeldWallet = {
  walletId: string;
  identityId: string;
  name: string;
  sinceMs: number;
  spendsFromMs: number;
  looksFromMs: number;
};

/**
 * A repeated proof makes it the newest again, under the person's present name. When it may look and spend is
 * decided once, by its first proof.
 */
export async function addHolder(
  db: Db,
  { walletHolders }: Tables,
  holder: Holder,
  nowMs: number,
  spendsFromMs = 0,
  looksFromMs = 0,
): Promise<void> {
  await db
    .insert(walletHolders)
    .values({ ...holder, sinceMs: nowMs, spendsFromMs, looksFromMs })
    .onConflictDoUpdate({
      target: [walletHolders.holderId, walletHolders.walletId],
      set: { name: holder.name, sinceMs: nowMs },
    });
}

export type Admission = {
  /** The name may have a new owner after half a year without use. */
  mayLapse: boolean;
  /** What the holder's claim keeps here; null: it only signs in. */
  keeps: 'money' | 'nothing' | null;
  nowMs: number;
};

/**
 * Adds one that has proved the name. The first to keep money spends at once; all others look at once and spend after a
 * wait, of which those who hold the wallet are told. Who came while nothing was kept waits as well from then on: a stranger
 * who was once in the owner's account must not get in before the owner. Once held, a wallet is never without a holder.
 */
export async function admitHolder(
  db: Db,
  tables: Tables,
  holder: Holder,
  { mayLapse, keeps, nowMs }: Admission,
): Promise<void> {
  const { walletId, holderId } = holder;
  const held = await timesOf(db, tables, walletId);
  const isKnown = held.some((one) => one.holderId === holderId);
  const { kind, spendsFromMs: fromMs, looksFromMs } = standingOf({ keeps, mayLapse }, held, nowMs);
  await addHolder(db, tables, holder, nowMs, fromMs, looksFromMs);
  if (kind === 'kept') return putFirst(db, tables, holder, nowMs);
  if (isKnown || kind === 'first') return;
  // With its time, because one that was ended and proves the name again is told of again.
  const added = { identityId: holder.identityId, holder: payerAccountId(holderId), fromMs };
  await enqueue(db, tables, 'holder_added', added, nowMs);
}

/** All who hold it, with those of whom only the place is kept (`isLeft`). */
export async function timesOf(db: Db, { walletHolders }: Tables, walletId: string): Promise<HolderTimes[]> {
  const { holderId, sinceMs, spendsFromMs, looksFromMs } = walletHolders;
  return db
    .select({ holderId, sinceMs, spendsFromMs, looksFromMs })
    .from(walletHolders)
    .where(eq(walletHolders.walletId, walletId));
}

/** From when this one could look and spend if it were let in now, to say it beforehand; null: at once. */
export async function spendsLaterFrom(
  { read, tables }: Pick<Store, 'read' | 'tables'>,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
  { mayLapse, keeps, nowMs }: Admission,
): Promise<{ spendsFromMs: number; looksFromMs: number | null } | null> {
  const held = await timesOf(read, tables, walletId);
  const standing = standingOf({ keeps, mayLapse }, held, nowMs);
  const own = held.find((one) => one.holderId === holderId);
  const { spendsFromMs, looksFromMs } = standing.kind === 'kept' || own === undefined ? standing : own;
  return spendsFromMs > nowMs ? { spendsFromMs, looksFromMs: looksFromMs > nowMs ? looksFromMs : null } : null;
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
  const spendsFromMs = nowMs + HOLDER_WAIT_MS;
  await db
    .update(walletHolders)
    .set({ spendsFromMs })
    .where(and(others, lt(walletHolders.spendsFromMs, spendsFromMs)));
  await db
    .update(walletHolders)
    .set({ spendsFromMs: KEPT_IT_MS, looksFromMs: 0 })
    .where(and(ofWallet, eq(walletHolders.holderId, holderId)));
}

/**
 * Takes holders away. That the wallet keeps money is remembered by the one who kept it (`KEPT_IT_MS`), so where that one goes,
 * all who may spend by now stand in its place. Else the next to prove the name would be the first again, and spend at once.
 */
async function removeHolders(
  db: Db,
  { walletHolders }: Tables,
  walletId: string,
  which: SQL | undefined,
  nowMs: number,
): Promise<number> {
  const ofWallet = eq(walletHolders.walletId, walletId);
  const removed = await db
    .delete(walletHolders)
    .where(and(ofWallet, which))
    .returning({ spendsFromMs: walletHolders.spendsFromMs });
  if (removed.some(({ spendsFromMs }) => spendsFromMs === KEPT_IT_MS)) {
    const spends = lte(walletHolders.spendsFromMs, nowMs);
    await db.update(walletHolders).set({ spendsFromMs: KEPT_IT_MS }).where(and(ofWallet, spends));
  }
  return removed.length;
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
    await removeHolders(db, tables, holder.walletId, ne(tables.walletHolders.holderId, holder.holderId), nowMs);
    return true;
  });
}

export type WalletHolder = Pick<Holder, 'holderId' | 'name'>;

const BROWSER = 'chat:';

/** Browsers cannot be notified. */
export const isInChat = ({ holderId }: Tables['walletHolders']): SQL => notLike(holderId, `${BROWSER}%`);

/**
 * The chat accounts that may spend from the wallet, longest holder first. Browsers are left out before the limit: a
 * holder may have many of them, and they must not keep a chat from being notified.
 */
export async function chatHoldersOf(store: Store, walletId: string, limit: number): Promise<WalletHolder[]> {
  const { walletHolders } = store.tables;
  return store.read
    .select({ holderId: walletHolders.holderId, name: walletHolders.name })
    .from(walletHolders)
    .where(and(eq(walletHolders.walletId, walletId), isInChat(walletHolders)))
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
 * Ends those that may not spend yet, and what waits of passkeys. Only a holder that may spend can do it, so that a stranger cannot keep out an owner who
 * proves the name in another browser. Answers how many were ended; null where this one has to prove the name first.
 */
export async function endWaitingHolders(
  store: Store,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<number | null> {
  const { walletHolders } = store.tables;
  return store.tx(async (db) => {
    const own = (await timesOf(db, store.tables, walletId)).find((one) => one.holderId === holderId);
    if (own === undefined || own.spendsFromMs > nowMs) return 0;
    if (!mayEndOthers(own, nowMs)) return null;
    const ended = await removeHolders(db, store.tables, walletId, gt(walletHolders.spendsFromMs, nowMs), nowMs);
    return ended + (await stopPasskeys(db, store.tables, walletId, nowMs));
  });
}

/**
 * The other end of it: what the browser or account itself gives up. The last one that may spend stays, so that no other is the
 * first.
 */
export async function leaveWallet(
  db: Db,
  tables: Tables,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<boolean> {
  if (!mayLeave(await timesOf(db, tables, walletId), holderId, nowMs)) return false;
  const isOwn = eq(tables.walletHolders.holderId, holderId);
  return (await removeHolders(db, tables, walletId, isOwn, nowMs)) > 0;
}

/**
 * What this browser or chat account may spend from, newest first. After a restore they prove kept wallets again: the books
 * do not know who was dropped in the lost time. An account's own wallet needs no proof.
 */
export async function walletsOfHolder(store: Store, holderId: string, nowMs: number): Promise<HeldWallet[]> {
  return (await walletsSeenBy(store, holderId)).filter(({ spendsFromMs }) => spendsFromMs <= nowMs);
}

/** Also what it only looks into, or does not even see yet. */
export async function walletsSeenBy(store: Store, holderId: string): Promise<HeldWallet[]> {
  return selectOfHolder(store.read, { holderId });
}

/** Also what was proven only before a restore: enough to keep money where it is. One that only looks keeps none there. */
export async function everHeldBy(store: Store, holderId: string, nowMs: number): Promise<HeldWallet[]> {
  const { walletHolders } = store.tables;
  const { walletId, identityId, name, sinceMs, spendsFromMs, looksFromMs } = walletHolders;
  return store.read
    .select({ walletId, identityId, name, sinceMs, spendsFromMs, looksFromMs })
    .from(walletHolders)
    .where(and(eq(walletHolders.holderId, holderId), lte(spendsFromMs, nowMs)))
    .orderBy(desc(sinceMs), desc(walletId));
}

/** Runs before the first answer of each chat, up to a thousand times a second. */
const selectOfHolder = prepare((db, { reconciliations, walletHolders }) => {
  const { walletId, identityId, holderId, name, sinceMs, spendsFromMs, looksFromMs } = walletHolders;
  const restored = sql`coalesce((select max(${reconciliations.atMs}) from ${reconciliations}), 0)`;
  return db
    .select({ walletId, identityId, name, sinceMs, spendsFromMs, looksFromMs })
    .from(walletHolders)
    .where(and(eq(holderId, placeholder('holderId')), or(eq(walletId, holderId), gt(sinceMs, restored))))
    .orderBy(desc(sinceMs), desc(walletId));
});
