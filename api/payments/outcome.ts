import { AppError } from '../../core/errors.ts';
import type { ProofRefusal, TransferRefusal } from '../../core/payments/refusals.ts';
import { findPayments, type PaymentRow } from '../../db/payments/records/find.ts';
import type { Store } from '../../db/store/store.ts';
import { createGather, type Gather } from '../../queue/gather.ts';
import { createTurns } from '../../queue/turns.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { refuseForbidden } from './forbidden.ts';
import type { Proof } from './proof.ts';
import type { CallerConnection } from '../responses/responses.ts';

/** How often a row is read again when no announcement comes: the last resort. */
const POLL_MS = 1_000;

/**
 * While its network settles payments, a caller waits somewhat longer for the end of its own. Less than the 30 seconds that
 * clients and proxies wait: one that has given up unseen would sign anew beside a connection that still seems to be there.
 */
const MOVING_WAIT_MS = 25_000;

/** Who waits. An impatient caller is answered like one that hung up: the payment goes on without it. */
export type Waiting = { connection: CallerConnection; isImpatient?: boolean };

type Paying = Pick<Proof, 'network' | 'authorization'>;

export type Outcome =
  | { kind: 'refused'; reason: ProofRefusal }
  | { kind: 'settled'; payment: PaymentRow; replayed: boolean }
  | { kind: 'pending'; payment: PaymentRow };

/**
 * Waits until a reserved payment is settled or refused: for the configured time, and longer while payments of its network
 * do settle. Reads the answer from the row, so it is the same for every caller and whichever process settled it. When the
 * time is over or the caller hangs up, it first marks the delivery missed and then answers: a retry that follows must find
 * it so.
 */
export async function awaitOutcome(
  dependencies: ApiDependencies,
  paymentId: string,
  { replayed, proof, connection, isImpatient = false }: Waiting & { replayed: boolean; proof: Paying },
): Promise<Outcome> {
  const { now, settings, responses, admission } = dependencies;
  const since = now();
  const deadline = since + settings.settlementWaitMs;
  const isOver = ({ network }: PaymentRow) =>
    now() >= deadline && (now() - since >= MOVING_WAIT_MS || admission?.isMoving(network) !== true);
  const stopListening = new AbortController();
  const signal = AbortSignal.any([connection.signal, stopListening.signal]);
  let isStored = replayed;
  for (;;) {
    // Listens before it reads: what changes in between must not be missed.
    const changed = dependencies.waitForChange(paymentId, pauseMs(deadline, now()), signal);
    const outcome = await readOutcome(dependencies, paymentId, { replayed, proof, isStored });
    isStored = false;
    const waits = outcome.kind === 'pending' && !isOver(outcome.payment);
    if (!waits || connection.signal.aborted || isImpatient) {
      stopListening.abort();
      // A block answers all that it settled in one moment.
      await answerTurn();
      if (outcome.kind === 'pending') await responses.end(connection, paymentId, 'missed');
      return outcome;
    }
    await changed;
  }
}

const answerTurn = createTurns();

/** All that wait look at the same moments, so that they share a statement. */
function pauseMs(deadline: number, nowMs: number): number {
  const toNextLook = POLL_MS - (nowMs % POLL_MS);
  return nowMs < deadline ? Math.min(toNextLook, deadline - nowMs) : toNextLook;
}

const READ_MAX = 500;
const readers = new WeakMap<Store, Gather<PaymentRow>>();

/** All that wait in this process share it. */
function readerOf(store: Store): Gather<PaymentRow> {
  const reader = readers.get(store) ?? createGather((ids) => findPayments(store, ids), READ_MAX);
  readers.set(store, reader);
  return reader;
}

async function readOutcome(
  { store }: Pick<ApiDependencies, 'store'>,
  paymentId: string,
  { replayed, proof, isStored }: { replayed: boolean; proof: Paying; isStored: boolean },
): Promise<Outcome> {
  const payment = await readerOf(store)(paymentId);
  if (payment === null) throw new Error(`payment ${paymentId} is named by a proof but does not exist`);
  if (payment.answer !== null) return { kind: 'settled', payment, replayed };
  if (payment.status === 'rejected' && payment.rejectReason === 'payment_returned') {
    throw new AppError('payment_returned', { field: 'PAYMENT-SIGNATURE' });
  }
  if (payment.status === 'rejected') {
    return { kind: 'refused', reason: await refuseForbidden(reasonOf(payment, isStored), proof) };
  }
  return { kind: 'pending', payment };
}

/** A pause that was found earlier may be over; whether it still stands is asked before anything new is signed. */
function reasonOf({ rejectReason }: PaymentRow, isStored: boolean): TransferRefusal {
  const reason = (rejectReason ?? 'invalid_transaction_state') as TransferRefusal;
  return isStored && reason === 'token_paused' ? 'invalid_transaction_state' : reason;
}
