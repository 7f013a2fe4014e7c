import { and, eq, isNull } from 'drizzle-orm';
import { takeOpenings, type OpeningCaps } from '../costs/openings.ts';
import { insertCarrier, type OpenCarrier } from '../carriers/carriers.ts';
import type { NewTransaction } from '../carriers/open-transaction.ts';
import { settlementHolding } from '../processes/owner.ts';
import { signingTx } from '../processes/signing.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { isOfKind } from '../transfers/find.ts';
import { giveUpWithin, markDeadWithin, markPaidWithin, type Signed } from './end.ts';

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
  accounts: OpeningCaps,
  nowMs: number,
): Promise<OpenedWithdrawal> {
  const { network } = transaction;
  const right = { under: settlementHolding(network), carrier: { network, kind: 'withdrawal', step: 'new' } } as const;
  try {
    return await signingTx(store, right, async (db): Promise<OpenedWithdrawal> => {
      if (!(await take(db, store, transaction.id, signed))) return 'moved-on';
      if (!(await takeOpenings(db, store, transaction, accounts, nowMs))) throw new OverLimit();
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
  const death = { closedCarrierId: carrier.id };
  if (end === 'final') await markPaidWithin(db, store, signed, newest.hash, nowMs);
  else if (end === 'failed' && signed.generation + 1 >= GENERATIONS_MAX) {
    await giveUpWithin(db, store, signed, { death, failure: 'failed_on_chain' }, nowMs);
  } else await markDeadWithin(db, store, signed, death);
}
