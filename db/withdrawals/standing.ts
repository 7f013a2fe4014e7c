import { and, eq, gt, isNotNull, isNull, lt, min, ne, or, type SQL } from 'drizzle-orm';
import type { AddressStanding } from '../../core/wallets/withdrawal-wait.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

type Place = { walletId: string; network: string; toAddress: string };

/**
 * How an address stands with a wallet, by what has been asked for, and told to those who hold it. `before`: other
 * addresses count only when they were asked for before that time.
 */
export async function addressStanding(
  db: Db,
  tables: Tables,
  { walletId, network, toAddress }: Place,
  before: number | null = null,
): Promise<AddressStanding> {
  const { withdrawals } = tables;
  const ofWallet = and(eq(withdrawals.walletId, walletId), eq(withdrawals.network, network));
  const toIt = and(ofWallet, eq(withdrawals.toAddress, toAddress), letsStand(tables));
  const [first] = await db
    .select({ askedAtMs: min(withdrawals.createdAtMs), notifiedAtMs: min(withdrawals.notifiedAtMs) })
    .from(withdrawals)
    .where(toIt);
  const elsewhere = and(ofWallet, ne(withdrawals.toAddress, toAddress), ne(withdrawals.status, 'failed'));
  const [other] = await db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(elsewhere, before === null ? undefined : lt(withdrawals.createdAtMs, before)))
    .limit(1);
  const { askedAtMs = null, notifiedAtMs = null } = first ?? {};
  // Nobody was told before it was asked for, whatever a row says.
  const sinceMs = notifiedAtMs === null ? null : Math.max(askedAtMs ?? notifiedAtMs, notifiedAtMs);
  return { sinceMs, isFirst: other === undefined };
}

/**
 * Whether a withdrawal lets its address stand. Not one that was called off, even where it has left: else the one that
 * somebody got through before it was noticed would make his address a known one. Nor one that has failed, unless it had
 * waited its time and was told: what fails at once nobody sees waiting, so nobody could call it off.
 */
export function letsStand({ withdrawals }: Tables): SQL | undefined {
  const hasWaited = gt(withdrawals.notBeforeMs, withdrawals.createdAtMs);
  const isSeen = or(ne(withdrawals.status, 'failed'), and(hasWaited, isNotNull(withdrawals.notifiedAtMs)));
  return and(isNull(withdrawals.calledOffAtMs), isSeen);
}
