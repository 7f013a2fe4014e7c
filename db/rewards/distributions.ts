import { REWARD_PLATFORM } from '../../core/rewards/engagement.ts';
import { and, eq, isNull, ne } from 'drizzle-orm';
import { distributionOfOrder, distributionOrderId, type Distribution } from '../../core/rewards/distribution.ts';
import { microUsdc } from '../../core/money.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { countNew, findForgettable, forgetWithin } from './unpaid.ts';

/** `caller`: the caller whose limit it counts against; null for none. */
export type Made = { secretHash: string; caller: string | null };

/** Stores a distribution as previewed, and deletes others that were never tried. */
export async function addDistribution(
  store: Store,
  distribution: Distribution,
  made: Made,
  togetherMax?: number,
): Promise<void> {
  const forgettable = await findForgettable(store, distribution.createdAtMs, togetherMax);
  await store.tx(async (db) => {
    await forgetWithin(db, store.tables, forgettable);
    await db.insert(store.tables.distributions).values(toRow(distribution, made));
    await countNew(db, store.tables, made.caller);
  });
}

export type FoundDistribution = {
  distribution: Distribution;
  secretHash: string;
  /** The payment that took it and was not refused; null: it was never confirmed. */
  payment: PaymentRow | null;
};

export async function findDistribution(store: Store, id: string): Promise<FoundDistribution | null> {
  const { distributions, purchases, payments } = store.tables;
  const [found] = await store.read
    .select({ row: distributions, payment: payments })
    .from(distributions)
    .leftJoin(purchases, eq(purchases.orderId, distributionOrderId(id)))
    .leftJoin(payments, and(eq(payments.id, purchases.paymentId), ne(payments.status, 'rejected')))
    .where(eq(distributions.id, id));
  if (!found) return null;
  return { distribution: toDistribution(found.row), secretHash: found.row.secretHash, payment: found.payment };
}

/** `forgotten`: deleted early to make room for others. */
export type Closed = 'rejected' | 'expired' | 'forgotten';

/**
 * Why a distribution takes no payment any more, or null. Asked in the transaction that reserves the payment, so that a
 * rejection at the same moment happens wholly before or wholly after.
 */
export async function closedWithin(db: Db, tables: Tables, id: string, nowMs: number): Promise<Closed | null> {
  const { distributions } = tables;
  const [row] = await db
    .select({ rejectedAtMs: distributions.rejectedAtMs, expiresAtMs: distributions.expiresAtMs })
    .from(distributions)
    .where(eq(distributions.id, id));
  if (!row) return 'forgotten';
  if (row.rejectedAtMs !== null) return 'rejected';
  return nowMs >= row.expiresAtMs ? 'expired' : null;
}

/**
 * Ends an unpaid distribution, or answers why not: `confirming` has a payment that may still fail, and then it can be
 * rejected; `confirmed` is paid. Of two rejections the first counts.
 */
export async function rejectDistribution(
  store: Store,
  id: string,
  nowMs: number,
): Promise<Closed | 'confirming' | 'confirmed'> {
  const { distributions, purchases, payments } = store.tables;
  return store.tx(async (db) => {
    const [holder] = await db
      .select({ answer: payments.answer })
      .from(purchases)
      .innerJoin(payments, and(eq(payments.id, purchases.paymentId), ne(payments.status, 'rejected')))
      .where(eq(purchases.orderId, distributionOrderId(id)));
    if (holder) return holder.answer === null ? 'confirming' : 'confirmed';
    const closed = await closedWithin(db, store.tables, id, nowMs);
    if (closed !== null) return closed;
    await db
      .update(distributions)
      .set({ rejectedAtMs: nowMs })
      .where(and(eq(distributions.id, id), isNull(distributions.rejectedAtMs)));
    return 'rejected';
  });
}

/** What a payment was for, where that is a distribution. */
export async function distributionPaidBy(
  { read, tables }: Pick<Store, 'read' | 'tables'>,
  paymentId: string,
): Promise<Pick<Distribution, 'id' | 'authorName' | 'authorId'> | null> {
  const { purchases, distributions } = tables;
  const [bought] = await read
    .select({ orderId: purchases.orderId })
    .from(purchases)
    .where(eq(purchases.paymentId, paymentId));
  const id = bought === undefined ? null : distributionOfOrder(bought.orderId);
  if (id === null) return null;
  const { authorName, authorId } = distributions;
  const [row] = await read
    .select({ id: distributions.id, authorName, authorId })
    .from(distributions)
    .where(eq(distributions.id, id));
  return row ?? null;
}

type Row = Tables['distributions']['$inferSelect'];

function toRow({ budget, shares, leftOut, ...rest }: Distribution, made: Made): Row {
  return {
    ...rest,
    ...made,
    triedAtMs: null,
    budgetMicroUsdc: budget,
    shares: shares.map(({ amount, ...share }) => ({ ...share, amountMicroUsdc: String(amount) })),
    leftOut: [...leftOut],
  };
}

function toDistribution(row: Row): Distribution {
  const { secretHash: _secret, triedAtMs: _tried, caller: _caller, platform, budgetMicroUsdc, shares, ...rest } = row;
  if (platform !== REWARD_PLATFORM)
    throw new Error(`distribution ${rest.id} is for the platform "${platform}", not ${REWARD_PLATFORM}`);
  return {
    ...rest,
    platform,
    budget: microUsdc(budgetMicroUsdc),
    shares: shares.map(({ amountMicroUsdc, ...share }) => ({ ...share, amount: microUsdc(BigInt(amountMicroUsdc)) })),
  };
}
