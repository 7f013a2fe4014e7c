import { and, eq, gt, inArray, lte, or } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { PaymentRow } from './find.ts';

/** Open payments whose window is over, or which were in a batch without landing: candidates for certain death. */
export async function overduePayments(
  store: Store,
  network: string,
  chainTime: number,
  limit: number,
): Promise<PaymentRow[]> {
  const { payments } = store.tables;
  return store.read
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.network, network),
        inArray(payments.status, ['received', 'settling']),
        or(lte(payments.validBefore, chainTime), gt(payments.tries, 0)),
      ),
    )
    .limit(limit);
}
