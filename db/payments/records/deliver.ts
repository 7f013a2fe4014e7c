import { and, eq, ne } from 'drizzle-orm';
import type { Store } from '../../store/store.ts';

/**
 * Whether a caller was handed its 200 decides what an identical request with a new proof is: a retry that joins, or a
 * second payment. `handed` is final. The response, if it has a row, has ended with that.
 */
export async function markDelivery(
  store: Store,
  paymentId: string,
  delivery: 'handed' | 'missed',
  responseId: string | null = null,
): Promise<void> {
  const { payments, waitingResponses } = store.tables;
  const open = delivery === 'handed' ? ne(payments.delivery, 'handed') : eq(payments.delivery, 'waiting');
  await store.tx(async (db) => {
    await db
      .update(payments)
      .set({ delivery })
      .where(and(eq(payments.id, paymentId), open));
    if (responseId !== null) await db.delete(waitingResponses).where(eq(waitingResponses.id, responseId));
  });
}
