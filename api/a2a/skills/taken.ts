import { findPayment, type PaymentRow } from '../../../db/payments/records/find.ts';
import type { FoundTask } from '../../../db/tasks/find.ts';
import { paymentOfOrder } from '../../../db/tasks/messages.ts';
import type { Store } from '../../../db/store/store.ts';

/**
 * The living payment that has taken a task, by a transfer or by a signature. Who has taken it is read last: a transfer may
 * have paid since the task was looked at, and of a signature the task itself knows only later.
 */
export async function paymentTaking(store: Store, { task, payment }: FoundTask): Promise<PaymentRow | null> {
  if (payment !== null) return payment;
  const paymentId = await paymentOfOrder(store, task.id);
  const taken = paymentId === null ? null : await findPayment(store, paymentId);
  return taken?.status === 'rejected' ? null : taken;
}
