import { and, eq, inArray } from 'drizzle-orm';
import type { RandomBytes } from '../../core/ids.ts';
import type { Store } from '../store/store.ts';
import { leaveWallet, type Session } from './holders.ts';

/** No browser has such an id: those that a browser's secret makes have no full stop in them (`identity/browsers.ts`). */
const NOBODY = 'chat:left.';

/** The place of one that signed out as the last, which only keeps the next to come from being the first. */
export function isLeft({ holderId }: Pick<Session, 'holderId'>): boolean {
  return holderId.startsWith(NOBODY);
}

type Place = { walletId: string; holderId: string; spendsFromMs: number };

/** All who hold what this browser holds, wallet by wallet. */
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
  return walletIds.map((id) => places.filter(({ walletId }) => walletId === id));
}

/**
 * Takes from a browser all that it holds. Where it is the last that may spend its place stays, held by nobody: whoever proves
 * the name next waits, as with any wallet that is held, and the browser itself opens nothing any more.
 */
export async function signOut(
  store: Store,
  holderId: string,
  { random, nowMs }: { random: RandomBytes; nowMs: number },
): Promise<void> {
  const { walletHolders } = store.tables;
  for (const [{ walletId } = { walletId: '' }] of await heldBy(store, holderId)) {
    if (await leaveWallet(store, { walletId, holderId }, nowMs)) continue;
    const nobody = NOBODY + Buffer.from(random(16)).toString('base64url');
    const own = and(eq(walletHolders.walletId, walletId), eq(walletHolders.holderId, holderId));
    await store.tx((db) => db.update(walletHolders).set({ holderId: nobody }).where(own));
  }
}
