import { and, eq } from 'drizzle-orm';
import { REPLACEMENT_WAIT_MS } from '../../core/claims.ts';
import { canonicalAddress } from '../../core/networks.ts';
import { liveWallets } from '../live-wallets.ts';
import type { Db } from '../store.ts';
import type { Tables } from '../tables.ts';
import { storeWallet, type WalletLink } from '../wallets.ts';

/**
 * Where a proof wants the money to go. The first address counts at once, and so does the present one, which ends
 * whatever was about to replace it: that is how an owner stops somebody who got hold of the account. Another one than
 * the present waits a day (contract, section 8). Answers when it will count, or null when it does already.
 *
 * An address that was only published gives way at once: whoever has the account can change it there as well, so waiting
 * would protect nobody. One that an operator linked was checked by a person and waits like a proven one.
 */
export async function placeAddress(
  db: Db,
  tables: Tables,
  { claimId, ...link }: WalletLink & { claimId: string },
  nowMs: number,
): Promise<number | null> {
  const address = canonicalAddress(link.network, link.address);
  const known = await liveWallets(db, tables, link.identityId, nowMs);
  const present = known.find(({ network }) => network === link.network);
  if (present === undefined || present.address === address || present.source === 'published') {
    await storeWallet(db, tables, link, nowMs);
    return null;
  }
  const { walletChanges } = tables;
  const here = and(eq(walletChanges.identityId, link.identityId), eq(walletChanges.network, link.network));
  const [pending] = await db.select().from(walletChanges).where(here);
  // Proven twice, it is announced since the first time.
  const effectiveAtMs = pending?.address === address ? pending.effectiveAtMs : nowMs + REPLACEMENT_WAIT_MS;
  const change = { address, source: link.source, claimId, effectiveAtMs };
  await db
    .insert(walletChanges)
    .values({ identityId: link.identityId, network: link.network, ...change })
    .onConflictDoUpdate({ target: [walletChanges.identityId, walletChanges.network], set: change });
  return effectiveAtMs;
}
