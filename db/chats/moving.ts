import { and, eq, inArray } from 'drizzle-orm';
import { OPEN_WITHDRAWAL_STATES } from '../../core/states.ts';
import { takeFile } from './files.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';
import { addHolder, walletsOfHolder, walletsSeenBy } from '../wallets/holders.ts';

/**
 * The sign-in to one wallet goes from the browser that made this link to the one that opened it, with its standing and the
 * time of its proof, and is gone where it was. It is no newcomer: who could make the link may spend already, and nobody may
 * do more afterwards than before, so nobody is told and nothing waits. The link works once; false where it is over.
 */
export async function moveHolder(
  store: Store,
  { linkId, browserId }: { linkId: string; browserId: string },
  nowMs: number,
): Promise<boolean> {
  const { tables } = store;
  const { walletHolders } = tables;
  return store.tx(async (db) => {
    const link = await takeFile(db, tables, { id: linkId, kind: 'browser_link' }, nowMs);
    if (link === null) return false;
    const { userId: fromId, walletId } = link;
    const within = { ...store, read: db };
    const given = (await walletsOfHolder(within, fromId, nowMs)).find((wallet) => wallet.walletId === walletId);
    if (given === undefined) return false;
    const own = (await walletsSeenBy(within, browserId)).find((wallet) => wallet.walletId === walletId);
    const ofWallet = eq(walletHolders.walletId, given.walletId);
    await db.delete(walletHolders).where(and(ofWallet, inArray(walletHolders.holderId, [fromId, browserId])));
    // A browser that may do more already keeps that: the wallet must not forget that money was kept in it.
    const { sinceMs, spendsFromMs, looksFromMs, ...whose } =
      own !== undefined && own.spendsFromMs <= given.spendsFromMs ? own : given;
    await addHolder(db, tables, { ...whose, holderId: browserId }, sinceMs, spendsFromMs, looksFromMs);
    await moveWithdrawals(db, tables, { walletId: given.walletId, fromId, browserId });
    return true;
  });
}

/** What it has asked for and waits: a withdrawal is signed only while the one who asked for it holds the wallet. */
async function moveWithdrawals(
  db: Db,
  { walletWithdrawals }: Tables,
  { walletId, fromId, browserId }: { walletId: string; fromId: string; browserId: string },
): Promise<void> {
  const isIts = and(eq(walletWithdrawals.walletId, walletId), eq(walletWithdrawals.holderId, fromId));
  await db
    .update(walletWithdrawals)
    .set({ holderId: browserId })
    .where(and(isIts, inArray(walletWithdrawals.status, [...OPEN_WITHDRAWAL_STATES])));
}
