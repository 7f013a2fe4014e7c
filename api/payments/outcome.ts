import { AppError } from '../../core/errors.ts';
import type { ProofRefusal } from '../../core/payments/refusals.ts';
import { findPayment, type PaymentRow } from '../../db/payments/records/find.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { CallerConnection } from '../responses/responses.ts';

/** How often a row is read again when no announcement comes: the last resort. */
const POLL_MS = 1_000;

/** Who waits. An impatient caller is answered like one that hung up: the payment goes on without it. */
export type Waiting = { connection: CallerConnection; isImpatient?: boolean };

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
  { replayed, connection, isImpatient = false }: Waiting & { replayed: boolean },
): Promise<Outcome> {
  const { now, settings, responses } = dependencies;
  const deadline = now() + settings.settlementWaitMs;
  for (;;) {
    // Listens before it reads: what changes in between must not be missed.
    const stopListening = new AbortController();
    const signal = AbortSignal.any([connection.signal, stopListening.signal]);
    const changed = dependencies.waitForChange(paymentId, Math.min(Math.max(deadline - now(), 1), POLL_MS), signal);
    const outcome = await readOutcome(dependencies, paymentId, replayed);
    const over = now() >= deadline || connection.signal.aborted || isImpatient;
    if (outcome.kind !== 'pending' || over) {
      stopListening.abort();
      if (outcome.kind === 'pending') await responses.end(connection, paymentId, 'missed');
      return outcome;
    }
    await changed;
  }
}

async function readOutcome(
  { store }: Pick<ApiDependencies, 'store'>,
  paymentId: string,
  replayed: boolean,
): Promise<Outcome> {
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
