import { and, eq, inArray } from 'drizzle-orm';
import type { RandomBytes } from '../../core/ids.ts';
import { mayLapse } from '../../core/claims/claims.ts';
import { mayLeave, partingOf, standingOf, type Parting, type Standing } from '../../core/wallets/holder-wait.ts';
import type { Store } from '../store/store.ts';
import { endAsked } from '../withdrawals/cancel.ts';
import { leaveWallet, timesOf, type Holder, type Session } from '../wallets/holders.ts';

/** No browser has such an id: those that a browser's secret makes have no full stop in them (`identity/browsers.ts`). */
const NOBODY = 'chat:left.';

/** The place of one that signed out as the last, which only keeps the next to come from being the first. */
export function isLeft({ holderId }: Pick<Session, 'holderId'>): boolean {
  return holderId.startsWith(NOBODY);
}

type Place = { walletId: string; holderId: string; spendsFromMs: number };

/** All who hold what this browser holds, wallet by wallet; nobody is none of them. */
export async function heldBy({ read, tables }: Pick<Store, 'read' | 'tables'>, holderId: string): Promise<Place[][]> {
  const { walletHolders } = tables;
  const own = read
    .select({ walletId: walletHolders.walletId })
    .from(walletHolders)
    .where(eq(walletHolders.holderId, holderId));
  const places = await read
    .select({
      walletId: walletHolders.walletId,
      holderId: walletHolders.holderId,
      spendsFromMs: walletHolders.spendsFromMs,
    })
    .from(walletHolders)
    .where(inArray(walletHolders.walletId, own));
  const walletIds = [...new Set(places.map(({ walletId }) => walletId))];
  return walletIds.map((id) => places.filter((place) => place.walletId === id && !isLeft(place)));
}

/**
 * Gives up one wallet, with what was asked of it and is not signed; answers `free` where that is done. The last place stays until
 * its browser signs out, which says what that means. A place of nobody does not count as another one.
 */
export async function leaveOne(
  store: Store,
  place: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<Parting> {
  const { tables } = store;
  return store.tx(async (db) => {
    const held = (await timesOf(db, tables, place.walletId)).filter((one) => !isLeft(one));
    const parting = partingOf(held, place.holderId, nowMs);
    if (parting.kind !== 'free') return parting;
    await endAsked(db, store, place, nowMs);
    await leaveWallet(db, tables, place, nowMs);
    return parting;
  });
}

/** What comes of it for one that has signed out, and then proves the name again at once. */
export async function comingBack(
  { read, tables }: Pick<Store, 'read' | 'tables'>,
  { walletId, holderId }: Pick<Holder, 'walletId' | 'holderId'>,
  nowMs: number,
): Promise<Standing> {
  const held = await timesOf(read, tables, walletId);
  // Who may not leave stays in the place of nobody.
  const left = mayLeave(held, holderId, nowMs) ? held.filter((one) => one.holderId !== holderId) : held;
  return standingOf({ keeps: null, mayLapse: mayLapse(walletId) }, left, nowMs);
}

/**
 * Takes from a browser all that it holds, with what it asked of that and is not signed. Where it is the last that may spend, its
 * place stays, held by nobody: the next to prove the name waits, as with any wallet that is held, and the browser itself opens
 * nothing any more. Where a newcomer waits whom nobody could end then, it gives up nothing, and answers false.
 */
export async function signOut(
  store: Store,
  holderId: string,
  { random, nowMs }: { random: RandomBytes; nowMs: number },
): Promise<boolean> {
  const { tables } = store;
  const { walletHolders } = tables;
  return store.tx(async (db) => {
    const held = await heldBy({ read: db, tables }, holderId);
    if (held.some((places) => partingOf(places, holderId, nowMs).kind === 'handed')) return false;
    for (const [{ walletId } = { walletId: '' }] of held) {
      await endAsked(db, store, { walletId, holderId }, nowMs);
      if (await leaveWallet(db, tables, { walletId, holderId }, nowMs)) continue;
      const nobody = NOBODY + Buffer.from(random(16)).toString('base64url');
      const own = and(eq(walletHolders.walletId, walletId), eq(walletHolders.holderId, holderId));
      await db.update(walletHolders).set({ holderId: nobody }).where(own);
    }
    return true;
  });
}
