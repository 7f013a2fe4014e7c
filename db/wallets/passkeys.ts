import { and, asc, eq, gt, isNull, lt, or, type SQL } from 'drizzle-orm';
import {
  holdsAt,
  isSignedFor,
  passkeyFrom,
  PASSKEYS_MAX,
  WITHOUT_PASSKEY_MS,
  type PasskeyTimes,
} from '../../core/wallets/passkeys.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { dayOf } from '../limits/daily.ts';
import type { Tables } from '../schema/tables.ts';
import { takeWithin } from '../store/counters.ts';
import { enqueue } from '../store/outbox.ts';
import type { Db, Store } from '../store/store.ts';

export type Passkey = Tables['passkeys']['$inferSelect'];
type Whose = { walletId: string; holderId: string };

/** Those that count, that are to, or that are to stop counting; the oldest first. */
export async function passkeysOf(db: Db, { passkeys }: Tables, walletId: string, nowMs: number): Promise<Passkey[]> {
  const isThere = or(isNull(passkeys.endsAtMs), gt(passkeys.endsAtMs, nowMs));
  return db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.walletId, walletId), isThere))
    .orderBy(asc(passkeys.createdAtMs), asc(passkeys.id));
}

export async function findPasskey({ read, tables: { passkeys } }: Store, id: string): Promise<Passkey | null> {
  const [row] = await read.select().from(passkeys).where(eq(passkeys.id, id));
  return row ?? null;
}

/** Whether what was asked for then may leave as if no passkey were there. */
export async function isSigned(
  db: Db,
  { passkeys }: Tables,
  { walletId, passkeyId }: { walletId: string; passkeyId: string | null },
  atMs: number,
): Promise<boolean> {
  const rows: (PasskeyTimes & { id: string })[] = await db
    .select({ id: passkeys.id, holdsFromMs: passkeys.holdsFromMs, endsAtMs: passkeys.endsAtMs })
    .from(passkeys)
    .where(eq(passkeys.walletId, walletId));
  return isSignedFor(rows, passkeyId, atMs);
}

export type NewPasskey = Whose & Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>;
export type Added = 'added' | 'not_held' | 'too_many';

/** By one that may spend. All who hold the wallet are told, also of one that counts at once. Repeated it changes nothing. */
export async function addPasskey(store: Store, { holderId, ...wanted }: NewPasskey, nowMs: number): Promise<Added> {
  const { tables } = store;
  const { passkeys } = tables;
  const { id, walletId } = wanted;
  return store.tx(async (db) => {
    const own = await spenderOf(db, tables, { walletId, holderId }, nowMs);
    if (own === null) return 'not_held';
    const known = await passkeysOf(db, tables, walletId, nowMs);
    if (known.some((one) => one.id === id)) return 'added';
    if (known.length >= PASSKEYS_MAX) return 'too_many';
    const holdsFromMs = passkeyFrom(own, known, nowMs);
    const row = { ...wanted, identityId: own.identityId, addedBy: holderId, createdAtMs: nowMs, holdsFromMs };
    const [added] = await db
      .insert(passkeys)
      .values({ ...row, endsAtMs: null })
      .onConflictDoNothing()
      .returning();
    if (added === undefined) return 'not_held';
    await tell(db, tables, added, 'added', nowMs);
    return 'added';
  });
}

/**
 * Signed by a passkey that counts it is gone at once, and so is one that does not count yet; any other goes on counting for a
 * while, of which all are told.
 */
export async function endPasskey(
  store: Store,
  { id, signedBy, ...whose }: Whose & { id: string; signedBy: string | null },
  nowMs: number,
): Promise<boolean> {
  const { tables } = store;
  const { passkeys } = tables;
  return store.tx(async (db) => {
    if ((await spenderOf(db, tables, whose, nowMs)) === null) return false;
    const known = await passkeysOf(db, tables, whose.walletId, nowMs);
    const one = known.find((passkey) => passkey.id === id);
    if (one === undefined) return false;
    const isAtOnce = one.holdsFromMs > nowMs || known.some((other) => other.id === signedBy && holdsAt(other, nowMs));
    if (isAtOnce) await db.delete(passkeys).where(eq(passkeys.id, id));
    else if (one.endsAtMs === null) {
      const endsAtMs = nowMs + WITHOUT_PASSKEY_MS;
      await db
        .update(passkeys)
        .set({ endsAtMs })
        .where(and(eq(passkeys.id, id), isNull(passkeys.endsAtMs)));
      await tell(db, tables, { ...one, endsAtMs }, 'ends', nowMs);
    }
    return true;
  });
}

/** Everything about passkeys that waits is stopped: new ones go, and those that were to end stay. Answers how many. */
export async function stopPasskeys(db: Db, { passkeys }: Tables, walletId: string, nowMs: number): Promise<number> {
  const ofWallet = eq(passkeys.walletId, walletId);
  const gone = await db
    .delete(passkeys)
    .where(and(ofWallet, gt(passkeys.holdsFromMs, nowMs)))
    .returning({ id: passkeys.id });
  const kept = await db
    .update(passkeys)
    .set({ endsAtMs: null })
    .where(and(ofWallet, gt(passkeys.endsAtMs, nowMs)))
    .returning({ id: passkeys.id });
  return gone.length + kept.length;
}

export type PasskeyUse = { id: string; counter: number };

/** Null where it does not count now, or has signed more often than this already: then it is a copy, or a repeat. */
export async function usePasskey(store: Store, { id, counter }: PasskeyUse, nowMs: number): Promise<Passkey | null> {
  return store.tx((db) => useWithin(db, store.tables, { id, counter }, nowMs));
}

async function useWithin(
  db: Db,
  { passkeys }: Tables,
  { id, counter }: PasskeyUse,
  nowMs: number,
): Promise<Passkey | null> {
  // Those that do not count stay at 0.
  const isNewer: SQL | undefined = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
  const [used] = await db
    .update(passkeys)
    .set({ counter })
    .where(and(eq(passkeys.id, id), isNewer))
    .returning();
  return used !== undefined && holdsAt(used, nowMs) ? used : null;
}

/** `challenge`: what was signed, which lets in once; `holderId`: whom. */
export type PasskeySignIn = PasskeyUse & { challenge: string; holderId: string };

/**
 * Lets this browser in, to spend at once: the passkey is more than a proof of the name. False where it does not count, and
 * for an answer that has let in before: it may have been overheard, and its browser ended since.
 */
export async function openWithPasskey(
  store: Store,
  { holderId, challenge, ...use }: PasskeySignIn,
  nowMs: number,
): Promise<boolean> {
  const { tables } = store;
  const { identities, walletHolders } = tables;
  return store.tx(async (db) => {
    const used = await useWithin(db, tables, use, nowMs);
    if (used === null) return false;
    const { walletId, identityId } = used;
    const [person] = await db.select().from(identities).where(eq(identities.id, identityId));
    if (person === undefined) return false;
    const name = `${person.platform}:${person.key}`;
    const ofWallet = eq(walletHolders.walletId, walletId);
    const held = await db.select().from(walletHolders).where(ofWallet);
    const own = held.find((one) => one.holderId === holderId);
    // Posted twice by a person it is no failure.
    if (!(await isFirstUse(db, store, challenge, nowMs))) return own !== undefined && own.spendsFromMs <= nowMs;
    // What it may do already it keeps; `kept` is of who kept the money, and of no other.
    const spendsFromMs = own === undefined || own.spendsFromMs > nowMs ? nowMs : own.spendsFromMs;
    const times = { name, sinceMs: nowMs, spendsFromMs, looksFromMs: 0 };
    await db
      .insert(walletHolders)
      .values({ holderId, walletId, identityId, ...times })
      .onConflictDoUpdate({ target: [walletHolders.holderId, walletHolders.walletId], set: times });
    return true;
  });
}

/** Longer than a challenge is good for. */
const SIGN_IN_MS = 3_600_000;

/** Passkeys that are copied from device to device do not count how often they sign, so this is remembered here. */
async function isFirstUse(db: Db, store: Store, challenge: string, nowMs: number): Promise<boolean> {
  const days = [...new Set([dayOf(nowMs - SIGN_IN_MS), dayOf(nowMs)])];
  let isFirst = true;
  for (const day of days)
    isFirst = (await takeWithin(db, store, `passkey_sign_in:${day}:${challenge}`, 1n, 1n)) && isFirst;
  return isFirst;
}

/** The order's payer has agreed with this passkey; only before it is agreed to at all. */
export async function signOrder(store: Store, orderId: string, passkeyId: string): Promise<boolean> {
  const { orders } = store.tables;
  const signed = await store.tx((db) =>
    db
      .update(orders)
      .set({ passkeyId })
      .where(and(eq(orders.id, orderId), eq(orders.status, 'proposed')))
      .returning({ id: orders.id }),
  );
  return signed.length > 0;
}

/**
 * After a restore nobody knows what was stopped in the lost time: one that had to wait waits again, and all are told again.
 * One that was to end counts on, unless that was long ago: nobody begins to trust again a device that was lost before.
 */
export async function putOffPasskeys(
  db: Db,
  { passkeys }: Tables,
  { holdsFromMs, nowMs }: { holdsFromMs: number; nowMs: number },
): Promise<Passkey[]> {
  // What ended within that time may have been stopped in the lost time.
  const isRecent = gt(passkeys.endsAtMs, nowMs - WITHOUT_PASSKEY_MS);
  await db.update(passkeys).set({ endsAtMs: null }).where(isRecent);
  return db
    .update(passkeys)
    .set({ holdsFromMs })
    .where(and(gt(passkeys.holdsFromMs, passkeys.createdAtMs), lt(passkeys.holdsFromMs, holdsFromMs)))
    .returning();
}

/** The row of one that may spend now. After a restore it has to prove the name again first, like for spending. */
async function spenderOf(
  db: Db,
  { reconciliations, walletHolders }: Tables,
  { walletId, holderId }: Whose,
  nowMs: number,
) {
  const [own] = await db
    .select()
    .from(walletHolders)
    .where(and(eq(walletHolders.walletId, walletId), eq(walletHolders.holderId, holderId)));
  if (own === undefined || own.spendsFromMs > nowMs) return null;
  const restored = await db
    .select({ atMs: reconciliations.atMs })
    .from(reconciliations)
    .where(gt(reconciliations.atMs, own.sinceMs))
    .limit(1);
  return restored.length === 0 ? own : null;
}

export type PasskeyChange = 'added' | 'ends';

async function tell(db: Db, tables: Tables, passkey: Passkey, change: PasskeyChange, nowMs: number): Promise<void> {
  await enqueue(db, tables, 'passkey_changed', toChange(passkey, change), nowMs);
}

/** `passkey` is opaque, as holders are: rows of the outbox are kept for long. */
export function toChange({ id, identityId, holdsFromMs, endsAtMs }: Passkey, change: PasskeyChange) {
  const fromMs = change === 'added' ? holdsFromMs : (endsAtMs ?? 0);
  return { identityId, passkey: payerAccountId(id), change, fromMs };
}
