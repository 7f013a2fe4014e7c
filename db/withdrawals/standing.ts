import type { Network } from '../../core/networks.ts';
import { and, eq, gt, isNotNull, isNull, lt, min, ne, or, type SQL } from 'drizzle-orm';
import type { AddressStanding } from '../../core/wallets/withdrawal-wait.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

type Place = { walletId: string; network: Network; toAddress: string; toTreasury?: string | null | undefined };

/**
 * How an address stands with a wallet, by the withdrawals requested and notified to the wallet's holders. `before`:
 * other addresses count only when they were requested before that time. What is given to a community's treasury goes to
 * an address of ours: it is always a first one, and never keeps another from being that.
 */
export async function addressStanding(
  db: Db,
  tables: Tables,
  { walletId, network, toAddress, toTreasury = null }: Place,
  before: number | null = null,
): Promise<AddressStanding> {
  const { walletWithdrawals } = tables;
  const ofWallet = and(eq(walletWithdrawals.walletId, walletId), eq(walletWithdrawals.network, network));
  const toIt = and(ofWallet, eq(walletWithdrawals.toAddress, toAddress), letsStand(tables));
  const [first] = await db
    .select({ askedAtMs: min(walletWithdrawals.createdAtMs), notifiedAtMs: min(walletWithdrawals.notifiedAtMs) })
    .from(walletWithdrawals)
    .where(toIt);
  const elsewhere = and(
    ofWallet,
    ne(walletWithdrawals.toAddress, toAddress),
    ne(walletWithdrawals.status, 'failed'),
    isNull(walletWithdrawals.toTreasury),
  );
  const [other] = await db
    .select({ id: walletWithdrawals.id })
    .from(walletWithdrawals)
    .where(and(elsewhere, before === null ? undefined : lt(walletWithdrawals.createdAtMs, before)))
    .limit(1);
  const { askedAtMs = null, notifiedAtMs = null } = first ?? {};
  // A notification cannot precede its request, whatever a row says.
  const sinceMs = notifiedAtMs === null ? null : Math.max(askedAtMs ?? notifiedAtMs, notifiedAtMs);
  return { sinceMs, isFirst: toTreasury !== null || other === undefined };
}

/**
 * Whether a withdrawal lets its address stand. Not one that was called off, even after it left: otherwise a thief's
 * first withdrawal would make the thief's address a known one. Nor one that failed, unless it had waited and the
 * holders were notified: they cannot call off what fails at once.
 */
export function letsStand({ walletWithdrawals }: Tables): SQL | undefined {
  const hasWaited = gt(walletWithdrawals.notBeforeMs, walletWithdrawals.createdAtMs);
  const isSeen = or(ne(walletWithdrawals.status, 'failed'), and(hasWaited, isNotNull(walletWithdrawals.notifiedAtMs)));
  return and(isNull(walletWithdrawals.calledOffAtMs), isSeen);
}
