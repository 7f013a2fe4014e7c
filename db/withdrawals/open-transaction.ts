import { and, eq, isNull } from 'drizzle-orm';
import { insertCarrier, type OpenCarrier } from '../carriers/carriers.ts';
import type { NewTransaction, TransactionCaps } from '../carriers/open-transaction.ts';
import { takeWithin } from '../store/counters.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { isOfKind } from '../transfers/find.ts';
import { giveUpWithin, markDeadWithin, markPaidWithin, type Signed } from './end.ts';
import { OPENINGS_DAILY_MAX, openingCounter, openingsCounter } from './limits.ts';

/** Each failure on the chain has cost us a fee: after so many generations it is not signed again. */
const GENERATIONS_MAX = 3;

export type OpenedWithdrawal = 'opened' | 'accounts-limit' | 'moved-on';

/** Ends the transaction with nothing kept. */
class OverLimit extends Error {}

/** Writes down the co-signed transaction of a withdrawal before it is first sent, and takes its part of the day's accounts. */
export async function openWithdrawal(
  store: Store,
  transaction: NewTransaction,
  signed: Signed,
  accounts: TransactionCaps['accounts'],
  nowMs: number,
): Promise<OpenedWithdrawal> {
  try {
    return await store.tx(async (db): Promise<OpenedWithdrawal> => {
      if (!(await take(db, store, transaction.id, signed))) return 'moved-on';
      if (accounts.count > 0 && !(await takeAccount(db, store, signed, accounts, nowMs))) throw new OverLimit();
      await insertCarrier(db, store, { ...transaction, kind: 'withdrawal' }, { itemIds: [signed.id], nowMs });
      return 'opened';
    });
  } catch (error) {
    if (error instanceof OverLimit) return 'accounts-limit';
    throw error;
  }
}

async function take(db: Db, store: Store, carrierId: string, { id, generation }: Signed): Promise<boolean> {
  const { transfers } = store.tables;
  const isIt = and(eq(transfers.id, id), eq(transfers.generation, generation), isNull(transfers.carrierId));
  const taken = await move(db, transfers, {
    from: ['assigned'],
    where: and(isIt, isOfKind(store.tables, 'withdrawal')),
    set: { status: 'broadcast', carrierId },
  });
  return taken.length > 0;
}

/** What died has opened nothing, so all generations of a withdrawal together count once for its wallet. */
async function takeAccount(
  db: Db,
  store: Store,
  { id }: Signed,
  { count, counter, dailyMax }: TransactionCaps['accounts'],
  nowMs: number,
): Promise<boolean> {
  const isFirst = await takeWithin(db, store, openingCounter(id), 1n, 1n);
  const { withdrawals } = store.tables;
  const [row] = await db.select({ walletId: withdrawals.walletId }).from(withdrawals).where(eq(withdrawals.id, id));
  if (row === undefined) throw new Error(`there is no withdrawal ${id}`);
  const ofWallet = openingsCounter(row.walletId, nowMs);
  if (isFirst && !(await takeWithin(db, store, ofWallet, 1n, OPENINGS_DAILY_MAX))) return false;
  return takeWithin(db, store, counter, BigInt(count), BigInt(dailyMax));
}

/**
 * The transaction of a withdrawal has come to its certain end. One that is final and failed can never succeed, so like
 * one that can never land it may be signed again, though not for ever.
 */
export async function endWithdrawalTransaction(
  db: Db,
  store: Store,
  { carrier, newest }: OpenCarrier,
  end: 'final' | 'failed' | 'dead',
  nowMs: number,
): Promise<void> {
  const { transfers } = store.tables;
  const [signed] = await db
    .select({ id: transfers.id, generation: transfers.generation })
    .from(transfers)
    .where(eq(transfers.carrierId, carrier.id));
  if (signed === undefined) throw new Error(`carrier ${carrier.id} has a withdrawal, and none names it`);
  if (end === 'final') await markPaidWithin(db, store, signed, newest.hash, nowMs);
  else if (end === 'failed' && signed.generation + 1 >= GENERATIONS_MAX) {
    await giveUpWithin(db, store, signed, 'failed_on_chain', nowMs);
  } else await markDeadWithin(db, store, signed);
}
