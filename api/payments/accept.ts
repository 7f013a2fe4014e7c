import type { Purchase } from '../../core/bodies/order.ts';
import { distributionOfOrder } from '../../core/rewards/distribution.ts';
import { AppError } from '../../core/errors.ts';
import { feeFor, microUsdc, sumUsdc } from '../../core/money.ts';
import type { Operation } from '../../core/payments/operations.ts';
import { requestHash } from '../../core/request-hash.ts';
import type { ProofRefusal } from '../../core/payments/refusals.ts';
import { reservePayment, type Reservation, type ReservationResult, type NewLine } from '../../db/payments/reserve.ts';
import { markDelivery } from '../../db/payments/records/deliver.ts';
import { findJoinable, findKeyed, findProof, type PaymentRow } from '../../db/payments/records/find.ts';
import { scheduleRefund } from '../../db/refunds/return-transfer.ts';
import { signingStops } from '../../db/store/stops.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { refuseKnownUnknown, toLines } from './lines.ts';
import { awaitOutcome, type Outcome } from './outcome.ts';
import { checkProof, readProof, type Proof } from './proof.ts';

/** A paid request in the program's own form, whichever interface it came through. */
export type PaidRequest = Purchase & {
  operation: Operation;
  pathParameters: Record<string, string>;
  /** As received: what the proof is bound to. */
  body: unknown;
  /** Our bot asks: `agent_name` in `meta` names the account that it saw. */
  agentKnown: boolean;
  proofHeader: string | null;
  idempotencyKey: string | null;
  /** What can be paid once only, by any payer; null for a payment that stands for itself. */
  orderId: string | null;
  /** Aborted when the caller hangs up. */
  signal?: AbortSignal;
};

export type Accepted =
  | { kind: 'challenge'; reason: ProofRefusal; total: bigint; fee: bigint; requestHash: string }
  | { kind: 'settled'; payment: PaymentRow; replayed: boolean }
  | { kind: 'pending'; payment: PaymentRow };

const JOIN_WINDOW_MS = 15 * 60_000;

/**
 * The accept step behind every interface, in the order that the contract fixes (section 3): a proof that is already
 * reserved gets its own answer and nothing else is checked; then the challenge; then the proof's terms, window and
 * signature; then key or join; then the recipient; then the reservation. Nothing has an effect before settlement, and
 * once a settlement may have been broadcast the answer is never a 402.
 */
export async function accept(dependencies: ApiDependencies, request: PaidRequest): Promise<Accepted> {
  const { settings } = dependencies;
  const sum = sumUsdc(request.lines.map((line) => line.amount));
  const fee = feeFor(sum, settings.feeBps, settings.feeFlat);
  const hash = requestHash(request.operation, request.pathParameters, request.body);
  const price = { sum, fee, total: microUsdc(sum + fee), hash };
  const reading = readProof(request.proofHeader, dependencies.networks);

  if (reading.kind === 'proof') {
    const known = await answerKnownProof(dependencies, reading.proof, hash, request.signal);
    if (known && known.kind !== 'refused') return known;
    await refuseWhilePaused(dependencies);
    if (known) return withPrice(known, price);
  }
  await refuseWhilePaused(dependencies);
  if (reading.kind === 'none') {
    refuseKnownUnknown(dependencies, request);
    return challenge('payment_required', price);
  }
  if (reading.kind === 'refused') return challenge(reading.reason, price);

  const verdict = await checkProof(reading.proof, price.total, Math.floor(dependencies.now() / 1000));
  if (verdict !== 'ok') return challenge(verdict, price);
  limitPayer(dependencies, reading.proof);
  const keyed = { ...request, idempotencyKey: idempotencyKeyOf(request, reading.proof) };
  return reserveAndWait(dependencies, keyed, { proof: reading.proof, hash, price });
}

/** `hash` names the request; it goes into the challenge. */
type Price = { sum: bigint; fee: bigint; total: bigint; hash: string };

function challenge(reason: ProofRefusal, price: Price): Accepted {
  return { kind: 'challenge', reason, total: price.total, fee: price.fee, requestHash: price.hash };
}

function withPrice(outcome: Outcome, price: Price): Accepted {
  return outcome.kind === 'refused' ? challenge(outcome.reason, price) : outcome;
}

/** The stored answer of a proof that was presented before, or the wait for it. */
async function answerKnownProof(
  dependencies: ApiDependencies,
  proof: Proof,
  hash: string,
  signal?: AbortSignal,
): Promise<Outcome | null> {
  const { from, nonce } = proof.authorization;
  const row = await findProof(dependencies.store, proof.network.terms.network, from, nonce);
  if (row === null) return null;
  if (row.payloadHash !== proof.payloadHash) return null;
  if (row.requestHash !== hash) throw new AppError('payment_already_used', { field: 'PAYMENT-SIGNATURE' });
  return awaitOutcome(dependencies, row.paymentId, { replayed: true, signal });
}

async function refuseWhilePaused({ store }: ApiDependencies): Promise<void> {
  const stops = await signingStops(store);
  if (stops.length > 0) throw new AppError('service_paused', { retryAfterSeconds: 60 });
}

async function willJoin(
  { store, now }: ApiDependencies,
  payer: string,
  idempotencyKey: string | null,
  hash: string,
): Promise<boolean> {
  if (idempotencyKey === null) {
    return (await findJoinable(store, payer, hash, now() - JOIN_WINDOW_MS, now())) !== null;
  }
  const keyed = await findKeyed(store, payer, idempotencyKey);
  if (keyed === null) return false;
  if (keyed.requestHash !== hash) throw new AppError('idempotency_key_reused', { field: 'Idempotency-Key' });
  return true;
}

/** The header and the extension mean the same thing; two different names for one request are a mistake. */
function idempotencyKeyOf({ idempotencyKey }: PaidRequest, { paymentIdentifier }: Proof): string | null {
  if (paymentIdentifier === null) return idempotencyKey;
  if (
    !/^[a-zA-Z0-9_-]{16,128}$/.test(paymentIdentifier) ||
    (idempotencyKey ?? paymentIdentifier) !== paymentIdentifier
  ) {
    throw new AppError('invalid_idempotency_key', { field: 'extensions.payment-identifier' });
  }
  return paymentIdentifier;
}

/** Counted only now that the signature is the payer's, so that no caller can use up another payer's minute. */
function limitPayer({ payerLimiter }: ApiDependencies, proof: Proof): void {
  if (payerLimiter.allows(payerOf(proof))) return;
  throw new AppError('rate_limited', { retryAfterSeconds: payerLimiter.retryAfterSeconds() });
}

/** A payer is an account on one network. */
function payerOf(proof: Proof): string {
  return proof.authorization.from;
}

/** A proof that passed every check, and what it pays for. */
type Checked = { proof: Proof; hash: string; price: Price };

function toReservation(
  dependencies: ApiDependencies,
  request: PaidRequest,
  { proof, hash, price }: Checked,
  found: { lines: NewLine[]; resolved: boolean; landedBefore: boolean },
): Reservation {
  const nowMs = dependencies.now();
  const { authorization } = proof;
  return {
    paymentId: dependencies.ids.attemptId(nowMs),
    network: proof.network.terms.network,
    payer: payerOf(proof),
    nonce: authorization.nonce,
    payTo: authorization.to,
    validAfter: authorization.validAfter,
    validBefore: authorization.validBefore,
    signature: proof.signature,
    payloadHash: proof.payloadHash,
    operation: request.operation,
    requestHash: hash,
    idempotencyKey: request.idempotencyKey,
    orderId: request.orderId,
    sumMicroUsdc: price.sum,
    feeMicroUsdc: price.fee,
    description: request.description,
    meta: request.meta,
    agentKnown: request.agentKnown,
    payerReference: request.payerReference,
    deliveryOwner: dependencies.settings.deliveryOwner,
    bound: proof.network.checker.isBound(authorization, hash),
    payerAccount: authorization.payerAccount,
    ...found,
    nowMs,
    expiresAtMs: nowMs + dependencies.settings.claimTtlMs,
  };
}

async function reserveAndWait(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
): Promise<Accepted> {
  const joins = await willJoin(dependencies, payerOf(checked.proof), request.idempotencyKey, checked.hash);
  const { reservation, result } = await makeReservation(dependencies, request, checked, joins);
  switch (result.kind) {
    case 'reserved':
      dependencies.notify(result.outboxId);
      return waitFor(dependencies, request, checked, { paymentId: result.paymentId, replayed: false });
    case 'joined':
      return waitFor(dependencies, request, checked, { paymentId: result.paymentId, replayed: true });
    case 'already-reserved': {
      // Another request presented the same authorization after we looked and before we reserved it.
      const row = await findProof(dependencies.store, reservation.network, reservation.payer, reservation.nonce);
      if (row === null || row.payloadHash !== reservation.payloadHash || row.requestHash !== reservation.requestHash) {
        throw new AppError('payment_already_used', { field: 'PAYMENT-SIGNATURE' });
      }
      return waitFor(dependencies, request, checked, { paymentId: row.paymentId, replayed: true });
    }
    case 'already-landed':
      await scheduleRefund(dependencies.store, result.fact);
      throw new AppError('payment_returned', { field: 'PAYMENT-SIGNATURE' });
    case 'key-reused':
      throw new AppError('idempotency_key_reused', { field: 'Idempotency-Key' });
    case 'order-taken':
      throw new AppError('order_in_progress');
    case 'order-closed':
      throw new AppError(CLOSED[result.how]);
    case 'not-joined':
      throw new Error('a reservation with resolved recipients was refused as unresolved');
    case 'too-many-resolving': {
      const detail = `${result.platform} has not answered for a while; try again later.`;
      throw new AppError('platform_unavailable', { detail });
    }
    case 'too-many-unsettled':
      return challenge('too_many_unsettled_payments', checked.price);
    case 'would-fail':
      return challenge(result.reason, checked.price);
  }
}

const CLOSED = {
  rejected: 'distribution_rejected',
  expired: 'distribution_expired',
  forgotten: 'distribution_not_found',
} as const;

/** Reserves; when the payment to join has been answered meanwhile, resolves the recipients and reserves anew. */
async function makeReservation(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
  joins: boolean,
): Promise<{ reservation: Reservation; result: ReservationResult | { kind: 'would-fail'; reason: ProofRefusal } }> {
  const { network, authorization } = checked.proof;
  const [lines, landedBefore] = await Promise.all([
    toLines(dependencies, request, !joins),
    network.checker.isUsed(authorization),
  ]);
  const reservation = toReservation(dependencies, request, checked, { lines, resolved: !joins, landedBefore });
  // Many see a distribution, and one payment at a time has it: what would fail must not keep the others from paying.
  if (!joins && distributionOfOrder(request.orderId ?? '') !== null) {
    const verdict = await network.checker.tryOut(checked.proof);
    if (verdict !== 'ok') return { reservation, result: { kind: 'would-fail', reason: verdict } };
  }
  dependencies.failpoint('accept.before-claim');
  const result = await reserveOrMiss(dependencies, reservation);
  dependencies.failpoint('accept.after-claim');
  if (result.kind !== 'not-joined') return { reservation, result };
  return makeReservation(dependencies, request, checked, false);
}

/** A reservation whose COMMIT lost its reply may stand: a retry of this caller must then find its answer missed. */
async function reserveOrMiss({ store }: ApiDependencies, reservation: Reservation): Promise<ReservationResult> {
  try {
    return await reservePayment(store, reservation);
  } catch (error) {
    await markDelivery(store, reservation.paymentId, 'missed');
    throw error;
  }
}

/** From here on the payment may settle: after any failure, a retry of this caller must find its answer missed. */
async function waitFor(
  dependencies: ApiDependencies,
  { signal }: PaidRequest,
  { price }: Checked,
  { paymentId, replayed }: { paymentId: string; replayed: boolean },
): Promise<Accepted> {
  try {
    return withPrice(await awaitOutcome(dependencies, paymentId, { replayed, signal }), price);
  } catch (error) {
    await markDelivery(dependencies.store, paymentId, 'missed');
    throw error;
  }
}
