import { and, desc, eq, inArray, ne } from 'drizzle-orm';
import { walletIdOf } from '../../core/claims/claims.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** So many of each are read; a wallet with more is judged by the newest. */
const READ_MAX = 200;

/**
 * What of a person's collected money still stays in the wallets that are kept here for them, by the books: what was paid
 * out to these, less what left them. Money that came past us does not count.
 */
export async function sumKept(store: Store, identityId: string): Promise<bigint> {
  const { read, tables } = store;
  const { identities, payments, transfers, wallets, walletWithdrawals: withdrawals } = tables;
  const kept = await read
    .select({ address: wallets.address, platform: identities.platform, stableId: identities.stableId })
    .from(wallets)
    .innerJoin(identities, eq(identities.id, wallets.identityId))
    .where(and(eq(wallets.identityId, identityId), isOneOf(wallets.source, ['keep'])));
  const platform = findPlatform(kept[0]?.platform ?? '');
  if (kept[0] === undefined || platform === null) return 0n;
  const walletId = walletIdOf(platform, kept[0].stableId);
  const addresses = [...new Set(kept.map(({ address }) => address))];
  const [came, spent, left] = await Promise.all([
    read
      .select({ amount: transfers.amountMicroUsdc })
      .from(transfers)
      .where(
        and(inArray(transfers.toAddress, addresses), eq(transfers.purpose, 'payout'), ne(transfers.status, 'void')),
      )
      .orderBy(desc(transfers.createdAtMs))
      .limit(READ_MAX),
    read
      .select({ amount: payments.sumMicroUsdc, fee: payments.feeMicroUsdc })
      .from(payments)
      .where(and(inArray(payments.payer, addresses), ne(payments.status, 'rejected')))
      .orderBy(desc(payments.createdAtMs))
      .limit(READ_MAX),
    read
      .select({ amount: withdrawals.amountMicroUsdc })
      .from(withdrawals)
      .where(and(eq(withdrawals.walletId, walletId), ne(withdrawals.status, 'failed')))
      .orderBy(desc(withdrawals.createdAtMs))
      .limit(READ_MAX),
  ]);
  const sum = sumOf(came) - sumOf(spent) - sumOf(left);
  return sum > 0n ? sum : 0n;
}

/** Whether anything was ever paid out, or is about to be, to what is kept here for this person. */
export async function hasReceived(db: Db, { transfers, wallets }: Tables, identityId: string): Promise<boolean> {
  const isTheirs = and(eq(wallets.identityId, identityId), isOneOf(wallets.source, ['keep']));
  const [one] = await db
    .select({ id: transfers.id })
    .from(wallets)
    .innerJoin(transfers, eq(transfers.toAddress, wallets.address))
    .where(and(isTheirs, eq(transfers.purpose, 'payout'), ne(transfers.status, 'void')))
    .limit(1);
  return one !== undefined;
}

function sumOf(rows: readonly { amount: bigint; fee?: bigint }[]): bigint {
  return rows.reduce((sum, { amount, fee = 0n }) => sum + amount + fee, 0n);
}
