import { and, eq, gt } from 'drizzle-orm';
import { walletIdOf } from '../../core/claims/claims.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { findPerson } from './person.ts';
import type { Store } from '../store/store.ts';
import { callOff } from '../withdrawals/cancel.ts';
import { stopPasskeys } from '../wallets/passkeys.ts';

/**
 * By the link in a mail: who may not spend yet is ended, what waits of passkeys is stopped, and what waits to leave stays. It
 * only ever keeps money where it is. Repeated it finds nothing left. The two halves may be done apart: each is safe alone.
 */
export async function stopAllWaiting(store: Store, identityId: string, nowMs: number): Promise<void> {
  const person = await findPerson(store, identityId);
  const platform = person === null ? null : findPlatform(person.platform);
  if (person === null || platform === null) return;
  const walletId = walletIdOf(platform, person.stableId);
  const { tables } = store;
  const { walletHolders } = tables;
  await store.tx(async (db) => {
    const isWaiting = and(eq(walletHolders.walletId, walletId), gt(walletHolders.spendsFromMs, nowMs));
    await db.delete(walletHolders).where(isWaiting);
    await stopPasskeys(db, tables, walletId, nowMs);
  });
  await callOff(store, { walletId }, nowMs);
}
