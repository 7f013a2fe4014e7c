import { and, eq, like } from 'drizzle-orm';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { OrderRow } from '../tips/orders.ts';
import { isOfferedTo, WAYS_TO_FIT } from '../tasks/fitting.ts';
import type { Store } from '../store/store.ts';

const RETURN = 'return:';

/** The transfers that this payout sends back (`observedTransfers.fact`). */
export async function returnedBy({ read, tables }: Store, payoutId: string): Promise<string[]> {
  const { refunds } = tables;
  const isReturn = and(eq(refunds.payoutId, payoutId), like(refunds.id, `${RETURN}%`));
  const rows = await read.select({ id: refunds.id }).from(refunds).where(isReturn);
  return rows.map(({ id }) => id.slice(RETURN.length));
}

/**
 * The order whose pay link a returned transfer was a second payment for, and what went into its person's wallet. Null where
 * it was for no link, or went back to its sender because the operator said so.
 */
export async function secondPaymentOf(
  { read, tables }: Store,
  fact: string,
): Promise<{ order: OrderRow; amount: MicroUsdc } | null> {
  const { orders, payLinks, refunds, taskOffers, tasks, observedTransfers } = tables;
  const [refund] = await read
    .select()
    .from(refunds)
    .where(eq(refunds.id, `${RETURN}${fact}`));
  if (refund === undefined) return null;
  for (const wayToFit of WAYS_TO_FIT) {
    const found = await read
      .select({ order: orders, refundAddresses: tasks.refundAddresses })
      .from(observedTransfers)
      .innerJoin(taskOffers, isOfferedTo(tables))
      .innerJoin(tasks, eq(tasks.id, taskOffers.taskId))
      .innerJoin(payLinks, eq(payLinks.taskId, tasks.id))
      .innerJoin(orders, eq(orders.id, payLinks.orderId))
      .where(and(eq(observedTransfers.fact, fact), wayToFit(tables)));
    const own = found.find(({ refundAddresses }) => refundAddresses.some(({ address }) => address === refund.payer));
    if (own) return { order: own.order, amount: microUsdc(refund.amountMicroUsdc) };
  }
  return null;
}
