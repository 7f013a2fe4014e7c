import { mayLapse } from '../../core/claims/claims.ts';
import { admitHolder, walletsOfHolder, type HeldWallet } from '../wallets/holders.ts';
import type { Store } from '../store/store.ts';
import { takeFile } from './files.ts';

/**
 * Lets a browser into all that a chat account may spend from (`into` null), or the account into one wallet that the browser may
 * spend from. Who comes in looks at once and spends after the wait of every newcomer, of which all who hold the wallet are
 * told: a link that was pressed by mistake can be undone. The link works once; false where it is over.
 */
export async function linkChat(
  store: Store,
  { linkId, browserId, into }: { linkId: string; browserId: string; into: string | null },
  nowMs: number,
): Promise<boolean> {
  const { tables } = store;
  return store.tx(async (db) => {
    const link = await takeFile(db, tables, { id: linkId, kind: 'purse_link' }, nowMs);
    if (link === null) return false;
    const within = { ...store, read: db };
    const [giver, taker] = into === null ? [link.userId, browserId] : [browserId, link.userId];
    const given = (await walletsOfHolder(within, giver, nowMs)).filter(isGiven(into));
    for (const { walletId, identityId, name } of given) {
      const holder = { holderId: taker, walletId, identityId, name };
      await admitHolder(db, tables, holder, { mayLapse: mayLapse(walletId), keeps: null, nowMs });
    }
    return given.length > 0;
  });
}

const isGiven =
  (into: string | null) =>
  ({ walletId }: HeldWallet): boolean =>
    into === null || walletId === into;
