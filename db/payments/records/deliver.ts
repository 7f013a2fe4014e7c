import { and, eq, ne } from 'drizzle-orm';
import { marks } from '../../store/locks.ts';
import { placeholder, prepare } from '../../store/prepare.ts';
import type { Db, Store } from '../../store/store.ts';

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
  const mark = (db: Db) =>
    Promise.all([
      MARK[delivery](db, { id: paymentId }),
      responseId === null ? null : deleteResponse(db, { id: responseId }),
    ]);
  await store.tx(mark, [marks]);
}

const MARK = {
  handed: prepare((db, { payments }) =>
    db
      .update(payments)
      .set({ delivery: 'handed' })
      .where(and(eq(payments.id, placeholder('id')), ne(payments.delivery, 'handed'))),
  ),
  missed: prepare((db, { payments }) =>
    db
      .update(payments)
      .set({ delivery: 'missed' })
      .where(and(eq(payments.id, placeholder('id')), eq(payments.delivery, 'waiting'))),
  ),
} as const;

const deleteResponse = prepare((db, { waitingResponses }) =>
  db.delete(waitingResponses).where(eq(waitingResponses.id, placeholder('id'))),
);
