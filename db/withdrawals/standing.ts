import { and, eq, isNull, lt, ne, sql } from 'drizzle-orm';
import type { AddressStanding } from '../../core/withdrawal-wait.ts';
import type { Db } from '../store.ts';
import type { Tables } from '../tables.ts';

type Place = { walletId: string; network: string; toAddress: string };

/**
 * How an address stands with a wallet, by what has been asked for. `before`: other addresses count only when they were
 * asked for before that time. What was called off does not count, even where it has left: else the one withdrawal that
 * somebody got through before it was noticed would make his address a known one.
 */
export async function addressStanding(
  db: Db,
  { withdrawals }: Tables,
  { walletId, network, toAddress }: Place,
  before: number | null = null,
): Promise<AddressStanding> {
  const ofWallet = and(eq(withdrawals.walletId, walletId), eq(withdrawals.network, network));
  const toIt = and(ofWallet, eq(withdrawals.toAddress, toAddress), isNull(withdrawals.calledOffAtMs));
  const [first] = await db
    .select({ atMs: sql<string | number | null>`min(${withdrawals.createdAtMs})` })
    .from(withdrawals)
    .where(toIt);
  const elsewhere = and(ofWallet, ne(withdrawals.toAddress, toAddress), ne(withdrawals.status, 'failed'));
  const [other] = await db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(elsewhere, before === null ? undefined : lt(withdrawals.createdAtMs, before)))
    .limit(1);
  return { sinceMs: toMs(first?.atMs), isFirst: other === undefined };
}

/** PostgreSQL answers such a number as text. */
function toMs(value: string | number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
