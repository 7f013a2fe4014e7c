import type { Network } from '../../../core/networks.ts';
import { and, asc, eq, gt, inArray, isNull, lte, or } from 'drizzle-orm';
import type { Store } from '../../store/store.ts';
import type { PaymentRow } from './find.ts';

/** A payment is normally in a batch within a second; one that is in none for longer meets an obstacle on the chain. */
const UNBATCHED_MS = 3_000;

/** Open payments whose window is over, or which no batch could take or land: candidates for certain death. */
export async function overduePayments(
  store: Store,
  network: Network,
  at: { chainTime: number; nowMs: number },
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
        // A plain transfer has no window, and no nonce that the chain knows: it comes again or an operator looks.
        isNull(payments.landedAddress),
        or(
          lte(payments.validBefore, at.chainTime),
          gt(payments.tries, 0),
          and(isNull(payments.carrierId), lte(payments.createdAtMs, at.nowMs - UNBATCHED_MS)),
        ),
      ),
    )
    .orderBy(asc(payments.createdAtMs))
    .limit(limit);
}
