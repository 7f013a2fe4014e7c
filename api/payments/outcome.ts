import { AppError } from '../../core/errors.ts';
import type { ProofRefusal } from '../../core/payments/refusals.ts';
import { markDelivery } from '../../db/payments/records/deliver.ts';
import { findPayment, type PaymentRow } from '../../db/payments/records/find.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';

/** How often a row is read again when no announcement comes: the last resort. */
const POLL_MS = 1_000;

export type Outcome =
  | { kind: 'refused'; reason: ProofRefusal }
  | { kind: 'settled'; payment: PaymentRow; replayed: boolean }
  | { kind: 'pending'; payment: PaymentRow };

/**
 * Waits until a reserved payment is settled or refused, for at most the configured time. Reads the answer from the row,
 * so it is the same for every caller and whichever process settled it. When the time is over or the caller hangs up, it
 * first marks the delivery missed and then answers: a retry that follows must find it so.
 */
export async function awaitOutcome(
  dependencies: ApiDependencies,
  paymentId: string,
  options: { replayed: boolean; signal?: AbortSignal },
): Promise<Outcome> {
  const { now, settings } = dependencies;
  const deadline = now() + settings.settlementWaitMs;
  for (;;) {
    // Listens before it reads: what changes in between must not be missed.
    const stopListening = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stopListening.signal]) : stopListening.signal;
    const changed = dependencies.waitForChange(paymentId, Math.min(Math.max(deadline - now(), 1), POLL_MS), signal);
    const outcome = await readOutcome(dependencies, paymentId, options.replayed);
    const over = now() >= deadline || options.signal?.aborted === true;
    if (outcome.kind !== 'pending' || over) {
      stopListening.abort();
      if (outcome.kind === 'pending') await markDelivery(dependencies.store, paymentId, 'missed');
      return outcome;
    }
    await changed;
  }
}

async function readOutcome({ store }: ApiDependencies, paymentId: string, replayed: boolean): Promise<Outcome> {
  const payment = await findPayment(store, paymentId);
  if (payment === null) throw new Error(`payment ${paymentId} is named by a proof but does not exist`);
  if (payment.answer !== null) return { kind: 'settled', payment, replayed };
  if (payment.status === 'rejected' && payment.rejectReason === 'payment_returned') {
    throw new AppError('payment_returned', { field: 'PAYMENT-SIGNATURE' });
  }
  if (payment.status === 'rejected') return { kind: 'refused', reason: reasonOf(payment) };
  return { kind: 'pending', payment };
}

function reasonOf(payment: PaymentRow): ProofRefusal {
  return (payment.rejectReason ?? 'invalid_transaction_state') as ProofRefusal;
}
