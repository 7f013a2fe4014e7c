import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { walletIdOf } from '../../core/claims/claims.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { counterLock, wantLock } from '../store/locks.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { PayoutSettings } from './settings.ts';

/** How long the waiting lines of a full purse are not looked at again. */
export const PURSE_RETRY_MS = 60_000;

/**
 * How much a person's purse still takes from us; null: any sum. Asked in the transaction that plans the payout: of two at
 * once one sees the other's, because PostgreSQL's are SERIALIZABLE and SQLite has one writer.
 */
export async function purseRoom(
  db: Db,
  tables: Tables,
  identityId: string,
  { purseMaxMicroUsdc: most = null }: Pick<PayoutSettings, 'purseMaxMicroUsdc'>,
): Promise<bigint | null> {
  if (most === null) return null;
  if (most === 0n) return 0n;
  wantLock(db, counterLock(`purse:${identityId}`));
  const held = await heldByBooks(db, tables, identityId);
  return held >= most ? 0n : most - held;
}

/**
 * What the purses that one transaction asks about still take; null: any sum. A purse's books are summed up once, however many
 * lines go there, and what is planned meanwhile is taken from its room.
 */
export type PurseRooms = Map<string, { left: bigint | null; addresses: readonly string[] }>;

/** `addresses`: those of the purse that money may go to. */
export async function roomWithin(
  db: Db,
  tables: Tables,
  rooms: PurseRooms,
  purse: { identityId: string; addresses: readonly string[]; settings: PayoutSettings },
): Promise<bigint | null> {
  const known = rooms.get(purse.identityId);
  if (known !== undefined) return known.left;
  const left = await purseRoom(db, tables, purse.identityId, purse.settings);
  rooms.set(purse.identityId, { left, addresses: purse.addresses });
  return left;
}

export function takeRoom(rooms: PurseRooms, toAddress: string, amountMicroUsdc: bigint): void {
  for (const room of rooms.values()) {
    if (room.left !== null && room.addresses.includes(toAddress)) room.left -= amountMicroUsdc;
  }
}

/**
 * What we paid into the purse less what left it, by the books, and never below zero. A withdrawal that its owner asked for and
 * that has not left is still there. Money that came past us is not counted, but makes room when it is sent on or withdrawn
 * here: never more than the limit at a time, and no more than there is.
 */
export async function heldByBooks(db: Db, tables: Tables, identityId: string): Promise<bigint> {
  const { identities, payments, transfers, wallets, walletWithdrawals: withdrawals } = tables;
  const kept = await db
    .select({
      address: wallets.address,
      platform: identities.platform,
      stableId: identities.stableId,
    })
    .from(wallets)
    .innerJoin(identities, eq(identities.id, wallets.identityId))
    .where(and(eq(wallets.identityId, identityId), isOneOf(wallets.source, ['keep'])));
  const platform = findPlatform(kept[0]?.platform ?? '');
  if (kept[0] === undefined || platform === null) return 0n;
  const addresses = [...new Set(kept.map(({ address }) => address))];
  const walletId = walletIdOf(platform, kept[0].stableId);
  const sum = sql<string>`coalesce(sum(${transfers.amountMicroUsdc}), 0)`;
  const [came] = await db
    .select({ sum })
    .from(transfers)
    .where(and(inArray(transfers.toAddress, addresses), ne(transfers.status, 'void')));
  const [spent] = await db
    .select({ sum: sql<string>`coalesce(sum(${payments.sumMicroUsdc} + ${payments.feeMicroUsdc}), 0)` })
    .from(payments)
    // Before it is signed for the chain a payment may still be refused.
    .where(and(inArray(payments.payer, addresses), inArray(payments.status, ['settling', 'settled', 'final'])));
  const [left] = await db
    .select({ sum: sql<string>`coalesce(sum(${withdrawals.amountMicroUsdc}), 0)` })
    .from(withdrawals)
    .where(
      and(
        // The wallet is named for its index; an address is the same on all networks of its kind, also where it is kept no more.
        eq(withdrawals.walletId, walletId),
        inArray(withdrawals.fromAddress, addresses),
        inArray(withdrawals.status, ['leaving', 'paid']),
      ),
    );
  const held = BigInt(came?.sum ?? 0) - BigInt(spent?.sum ?? 0) - BigInt(left?.sum ?? 0);
  return held > 0n ? held : 0n;
}

/** Whether the purse was found full a short while ago. */
export async function standsBack(db: Db, { wallets }: Tables, identityId: string, nowMs: number): Promise<boolean> {
  const kept = and(eq(wallets.identityId, identityId), isOneOf(wallets.source, ['keep']));
  const full = await db
    .select({ network: wallets.network })
    .from(wallets)
    .where(and(kept, gt(wallets.fullUntilMs, nowMs)))
    .limit(1);
  return full.length > 0;
}

/** Its waiting lines stand back, so that those of a full purse never block what can be paid. */
export async function standBack(db: Db, { wallets }: Tables, identityId: string, nowMs: number): Promise<void> {
  const kept = and(eq(wallets.identityId, identityId), isOneOf(wallets.source, ['keep']));
  await db
    .update(wallets)
    .set({ fullUntilMs: nowMs + PURSE_RETRY_MS })
    .where(kept);
}
