import { and, asc, inArray, lte } from 'drizzle-orm';
import { walletIdOf } from '../../core/claims/claims.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import type { Store } from '../store/store.ts';
import { isInChat } from './holders.ts';

export type ChatHolder = { identityId: string; holderId: string };

/** The chats in which these people have proven who they are, and may look into what is kept for that name. */
export async function chatHoldersAmong(
  { read, tables }: Pick<Store, 'read' | 'tables'>,
  identityIds: readonly string[],
  nowMs: number,
): Promise<ChatHolder[]> {
  const { identities, walletHolders } = tables;
  const { id, platform, stableId } = identities;
  const people = await read
    .select({ id, platform, stableId })
    .from(identities)
    .where(inArray(id, [...identityIds]));
  const owners = new Map(
    people.flatMap((person) => {
      const known = findPlatform(person.platform);
      return known === null ? [] : [[walletIdOf(known, person.stableId), person.id] as const];
    }),
  );
  const { walletId, holderId } = walletHolders;
  const isTheirs = and(inArray(walletId, [...owners.keys()]), lte(walletHolders.looksFromMs, nowMs));
  const rows = await read
    .select({ walletId, holderId })
    .from(walletHolders)
    .where(and(isTheirs, isInChat(walletHolders)))
    .orderBy(asc(holderId));
  return rows.flatMap((row) => {
    const identityId = owners.get(row.walletId);
    return identityId === undefined ? [] : [{ identityId, holderId: row.holderId }];
  });
}
