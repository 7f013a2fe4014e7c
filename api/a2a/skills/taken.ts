import { findPayment, type PaymentRow } from '../../../db/payments/records/find.ts';
import type { FoundTask } from '../../../db/tasks/find.ts';
import { paymentOfOrder } from '../../../db/tasks/messages.ts';
import type { Store } from '../../../db/store/store.ts';

/**
 * The living payment that has taken a task, by transfer or by signature. Reads it last: a transfer may have paid since
 * the task was read, and the task learns of a signature only later.
 */
export async function paymentTaking(store: Store, { task, payment }: FoundTask): Promise<PaymentRow | null> {
  if (payment !== null) return payment;
  const paymentId = await paymentOfOrder(store, task.id);
  const taken = paymentId === null ? null : await findPayment(store, paymentId);
  return taken?.status === 'rejected' ? null : taken;
}
