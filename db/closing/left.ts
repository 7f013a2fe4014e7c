import { and, count, eq, gt, inArray, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import { OPEN_WITHDRAWAL_STATES } from '../../core/states.ts';
import type { Store } from '../store/store.ts';

export type Left = { network: Network; count: number; amountMicroUsdc: bigint };

/** What is still here of others while the service ends. Counted when the operator asks, and not before. */
export type ClosingLeft = {
  /** Waits for its recipients or for an answer of a platform. */
  waiting: Left[];
  /** Is owed to payers, and not in a payout yet. */
  owed: Left[];
  /** On its way; what is held is listed apart. */
  onItsWay: Left[];
  /** Withdrawals from wallets that people have asked for, or that were asked for in their name. */
  withdrawals: Left[];
  wallets: {
    listed: number;
    notLookedAt: number;
    withMoney: number;
    foundMicroUsdc: bigint;
    leaving: number;
    told: number;
  };
};

/** Payouts and refunds that can still land or be sent. */
const UNDER_WAY = ['queued', 'assigned', 'broadcast', 'confirmed'] as const;

export async function readClosingLeft(store: Store): Promise<ClosingLeft> {
  const { lines, payments, refunds, transfers, walletWithdrawals } = store.tables;
  const { read } = store;
  const sum = (amount: SQLWrapper) => sql<string>`coalesce(sum(${amount}), 0)`;
  const waiting = await read
    .select({ network: payments.network, count: count(), sum: sum(lines.amountMicroUsdc) })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(lines.status, ['escrowed', 'resolving']))
    .groupBy(payments.network);
  const owed = await read
    .select({ network: refunds.network, count: count(), sum: sum(refunds.amountMicroUsdc) })
    .from(refunds)
    .where(isNull(refunds.payoutId))
    .groupBy(refunds.network);
  const onItsWay = await read
    .select({ network: transfers.network, count: count(), sum: sum(transfers.amountMicroUsdc) })
    .from(transfers)
    .where(and(inArray(transfers.status, [...UNDER_WAY]), inArray(transfers.purpose, ['payout', 'refund'])))
    .groupBy(transfers.network);
  const withdrawals = await read
    .select({ network: walletWithdrawals.network, count: count(), sum: sum(walletWithdrawals.amountMicroUsdc) })
    .from(walletWithdrawals)
    .where(inArray(walletWithdrawals.status, [...OPEN_WITHDRAWAL_STATES]))
    .groupBy(walletWithdrawals.network);
  return {
    waiting: waiting.map(toLeft),
    owed: owed.map(toLeft),
    onItsWay: onItsWay.map(toLeft),
    withdrawals: withdrawals.map(toLeft),
    wallets: await readWallets(store),
  };
}

function toLeft({ network, count: found, sum }: { network: Network; count: number; sum: string }): Left {
  return { network, count: found, amountMicroUsdc: BigInt(sum) };
}

async function readWallets({ read, tables: { closingWallets } }: Store): Promise<ClosingLeft['wallets']> {
  const isFull = gt(closingWallets.foundMicroUsdc, 0n);
  const [found] = await read
    .select({ sum: sql<string>`coalesce(sum(${closingWallets.foundMicroUsdc}), 0)` })
    .from(closingWallets)
    .where(isFull);
  return {
    listed: await read.$count(closingWallets),
    notLookedAt: await read.$count(closingWallets, isNull(closingWallets.lookedAtMs)),
    withMoney: await read.$count(closingWallets, isFull),
    foundMicroUsdc: BigInt(found?.sum ?? 0),
    leaving: await read.$count(closingWallets, eq(closingWallets.isLeaving, true)),
    told: await read.$count(closingWallets, and(isFull, sql`${closingWallets.toldAtMs} is not null`)),
  };
}
