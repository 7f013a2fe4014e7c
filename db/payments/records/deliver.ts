import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Store } from '../../store/store.ts';

/**
 * Whether a caller was handed its 200 decides what an identical request with a new proof is: a retry that joins, or a
 * second payment (contract, section 3). `handed` is final.
 */
export async function markDelivery(store: Store, paymentId: string, delivery: 'handed' | 'missed'): Promise<void> {
  const { payments } = store.tables;
  const open = delivery === 'handed' ? ne(payments.delivery, 'handed') : eq(payments.delivery, 'waiting');
  await store.tx((db) =>
    db
      .update(payments)
      .set({ delivery })
      .where(and(eq(payments.id, paymentId), open)),
  );
}

/** At start: a process that is gone can hand over nothing, so what it still owed counts as missed. */
export async function markUndelivered(store: Store, deliveryOwners: readonly string[]): Promise<void> {
  if (deliveryOwners.length === 0) return;
  const { payments } = store.tables;
  await store.tx((db) =>
    db
      .update(payments)
      .set({ delivery: 'missed' })
      .where(and(eq(payments.delivery, 'waiting'), inArray(payments.deliveryOwner, [...deliveryOwners]))),
  );
}
