import { and, eq, inArray, isNull, lt, ne, notExists, sql } from 'drizzle-orm';
import { distributionOrderId, type Distribution } from '../../core/distribution.ts';
import { microUsdc } from '../../core/money.ts';
import type { PaymentRow } from '../payments/find.ts';
import type { Db, Store } from '../store.ts';
import type { Tables } from '../tables.ts';

/** Whoever looks a week later still learns what became of it. */
const KEPT_AFTER_EXPIRY_MS = 7 * 86_400_000;
/** Forgotten with each new one: more than one, so that a crowd is gone some time after it came. */
const FORGOTTEN_MAX = 20;

/** Keeps a distribution as previewed, and forgets old ones that nobody ever tried to pay. */
export async function addDistribution(store: Store, distribution: Distribution, secretHash: string): Promise<void> {
  await store.tx(async (db) => {
    await forgetUnpaid(db, store.tables, distribution.createdAtMs - KEPT_AFTER_EXPIRY_MS);
    await db.insert(store.tables.distributions).values(toRow(distribution, secretHash));
  });
}

export type FoundDistribution = {
  distribution: Distribution;
  secretHash: string;
  /** What has its order and was not refused; null: nobody has confirmed it. */
  payment: PaymentRow | null;
};

export async function findDistribution(store: Store, id: string): Promise<FoundDistribution | null> {
  const { distributions, paidOrders, payments } = store.tables;
  const [found] = await store.read
    .select({ row: distributions, payment: payments })
    .from(distributions)
    .leftJoin(paidOrders, eq(paidOrders.orderId, distributionOrderId(id)))
    .leftJoin(payments, and(eq(payments.id, paidOrders.paymentId), ne(payments.status, 'rejected')))
    .where(eq(distributions.id, id));
  if (!found) return null;
  return { distribution: toDistribution(found.row), secretHash: found.row.secretHash, payment: found.payment };
}

export type Closed = 'rejected' | 'expired';

/**
 * Whether a distribution takes no payment any more. Asked in the transaction that claims one for it: a rejection that
 * comes at the same moment happens wholly before or wholly after.
 */
export async function closedWithin(db: Db, tables: Tables, id: string, nowMs: number): Promise<Closed | null> {
  const { distributions } = tables;
  const [row] = await db
    .select({ rejectedAtMs: distributions.rejectedAtMs, expiresAtMs: distributions.expiresAtMs })
    .from(distributions)
    .where(eq(distributions.id, id));
  if (!row) throw new Error(`distribution ${id} is to be paid, and is not there`);
  if (row.rejectedAtMs !== null) return 'rejected';
  return nowMs >= row.expiresAtMs ? 'expired' : null;
}

/** Ends a distribution that nobody pays for. Answers why not; said twice, the first time stands. */
export async function rejectDistribution(
  store: Store,
  id: string,
  nowMs: number,
): Promise<'rejected' | 'confirmed' | 'expired'> {
  const { distributions, paidOrders, payments } = store.tables;
  return store.tx(async (db) => {
    const [holder] = await db
      .select({ id: payments.id })
      .from(paidOrders)
      .innerJoin(payments, and(eq(payments.id, paidOrders.paymentId), ne(payments.status, 'rejected')))
      .where(eq(paidOrders.orderId, distributionOrderId(id)));
    if (holder) return 'confirmed';
    const closed = await closedWithin(db, store.tables, id, nowMs);
    if (closed !== null) return closed;
    await db
      .update(distributions)
      .set({ rejectedAtMs: nowMs })
      .where(and(eq(distributions.id, id), isNull(distributions.rejectedAtMs)));
    return 'rejected';
  });
}

async function forgetUnpaid(db: Db, { distributions, paidOrders }: Tables, beforeMs: number): Promise<void> {
  const ordered = db
    .select({ orderId: paidOrders.orderId })
    .from(paidOrders)
    .where(eq(paidOrders.orderId, sql`${distributionOrderId('')} || ${distributions.id}`));
  const old = db
    .select({ id: distributions.id })
    .from(distributions)
    .where(and(lt(distributions.expiresAtMs, beforeMs), notExists(ordered)))
    .limit(FORGOTTEN_MAX);
  await db.delete(distributions).where(inArray(distributions.id, old));
}

type Row = Tables['distributions']['$inferSelect'];

function toRow({ budget, shares, leftOut, ...rest }: Distribution, secretHash: string): Row {
  return {
    ...rest,
    secretHash,
    budgetMicroUsdc: budget,
    shares: shares.map(({ amount, ...share }) => ({ ...share, amountMicroUsdc: String(amount) })),
    leftOut: [...leftOut],
  };
}

function toDistribution({ secretHash: _secret, platform, budgetMicroUsdc, shares, ...rest }: Row): Distribution {
  if (platform !== 'decsocial')
    throw new Error(`distribution ${rest.id} is for the platform "${platform}", not decsocial`);
  return {
    ...rest,
    platform,
    budget: microUsdc(budgetMicroUsdc),
    shares: shares.map(({ amountMicroUsdc, ...share }) => ({ ...share, amount: microUsdc(BigInt(amountMicroUsdc)) })),
  };
}
