import { and, eq } from 'drizzle-orm';
import { AppError } from '../../core/errors.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import { isPutOff, WITHDRAWALS_DAILY_MAX, WITHDRAWALS_OPEN_MAX } from '../../core/wallets/withdrawal-wait.ts';
import { takeWithin } from '../store/counters.ts';
import { enqueue } from '../store/outbox.ts';
import type { Db, Store } from '../store/store.ts';
import { planTransfer } from '../transfers/reserve.ts';
import { selectWithdrawals, toWithdrawal, type WithdrawalRow } from './find.ts';
import { takeLeaving, type RowLeaving } from './leaving.ts';
import { dailyCounter, openCounter } from './limits.ts';

/** Less is not worth the fee that we pay for it. */
export const WITHDRAWAL_AMOUNT_MIN = microUsdc(10_000n);

export type NewWithdrawal = {
  /** 128 random bits in hex (`ids.withdrawalId`). */
  id: string;
  holderId: string;
  /** The holder's own word for this request: asked twice it is one withdrawal, whatever the second one says. */
  requestKey: string;
  walletId: string;
  network: Network;
  fromAddress: string;
  toAddress: string;
  /** The community's treasury whose address that is. */
  toTreasury?: string | null;
  amountMicroUsdc: MicroUsdc;
  /** The passkey that agreed to exactly this. */
  passkeyId?: string | null;
  nowMs: number;
};

/**
 * Records that money is to leave a personal wallet, and when it may, before anything is signed. The caller must have
 * checked that the holder may spend from the wallet, and the address. Throws AppError `invalid_amount` below the
 * minimum, `rate_limited` above the wallet's limits.
 */
export async function requestWithdrawal(store: Store, wanted: NewWithdrawal): Promise<WithdrawalRow> {
  if (wanted.amountMicroUsdc < WITHDRAWAL_AMOUNT_MIN) {
    const detail = `A withdrawal is of ${formatUsdc(WITHDRAWAL_AMOUNT_MIN)} USDC at least.`;
    throw new AppError('invalid_amount', { field: 'amount', detail });
  }
  return store.tx(async (db) => {
    const asked = await findAsked(db, store, wanted);
    return asked ?? requestWithin(db, store, wanted, await takeLeaving(db, store, wanted, wanted.nowMs));
  });
}

/** For whom it is one step of a larger transaction, and who has judged the amount, and that it may leave at once. */
export async function requestWithin(
  db: Db,
  store: Store,
  wanted: NewWithdrawal,
  leaving: RowLeaving = { notBeforeMs: wanted.nowMs, countedOn: null },
): Promise<WithdrawalRow> {
  const row = (await insert(db, store, wanted, leaving)) ?? (await findAsked(db, store, wanted));
  if (row) return row;
  throw new Error(`a withdrawal of ${wanted.holderId} was neither inserted nor found under its key`);
}

/** Null when it was asked for before: then nothing counts against the limits. */
async function insert(
  db: Db,
  store: Store,
  { nowMs, ...wanted }: NewWithdrawal,
  leaving: RowLeaving,
): Promise<WithdrawalRow | null> {
  const { tables } = store;
  const { walletWithdrawals } = tables;
  const [row] = await db
    .insert(walletWithdrawals)
    .values({ ...wanted, ...leaving, status: 'requested', createdAtMs: nowMs })
    .onConflictDoNothing({ target: [walletWithdrawals.holderId, walletWithdrawals.requestKey] })
    .returning();
  if (row === undefined) return null;
  const { id, walletId, network, fromAddress, toAddress, amountMicroUsdc } = wanted;
  const place = { id, network, fromAddress, toAddress, amountMicroUsdc };
  const transfer = { ...place, purpose: 'wallet_withdrawal' as const, sourceAccount: null, nextTryAtMs: 0 };
  const planned = await planTransfer(db, tables, transfer, nowMs);
  if (!(await takeWithin(db, store, openCounter(walletId, isPutOff(row)), 1n, WITHDRAWALS_OPEN_MAX))) {
    throw new AppError('rate_limited', {
      detail: isPutOff(row)
        ? `This wallet has ${WITHDRAWALS_OPEN_MAX} withdrawals that wait for their time; cancel one, or wait.`
        : `This wallet has ${WITHDRAWALS_OPEN_MAX} withdrawals on their way; wait for one.`,
    });
  }
  if (!(await takeWithin(db, store, dailyCounter(walletId, nowMs), 1n, WITHDRAWALS_DAILY_MAX))) {
    throw new AppError('rate_limited', {
      detail: `A wallet has ${WITHDRAWALS_DAILY_MAX} withdrawals a day; go on tomorrow.`,
    });
  }
  // In the same transaction, so that no crash keeps it from those who may have to stop it.
  if (isPutOff(row) || row.countedOn !== null)
    await enqueue(db, tables, 'withdrawal_requested', { withdrawalId: row.id }, nowMs);
  return toWithdrawal({ withdrawal: row, transfer: planned });
}

async function findAsked(db: Db, store: Store, { holderId, requestKey }: NewWithdrawal): Promise<WithdrawalRow | null> {
  const { walletWithdrawals } = store.tables;
  const isIt = and(eq(walletWithdrawals.holderId, holderId), eq(walletWithdrawals.requestKey, requestKey));
  const [row] = await selectWithdrawals(db, store.tables).where(isIt);
  return row === undefined ? null : toWithdrawal(row);
}
