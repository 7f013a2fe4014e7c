import { AppError } from '../../core/errors.ts';
import { decideJoin, NOTHING_HEARD, type Heard, type JoinDecision } from '../../core/payments/joins.ts';
import type { ProofRefusal } from '../../core/payments/refusals.ts';
import { distributionOfOrder } from '../../core/rewards/distribution.ts';
import { findEarlier } from '../../db/payments/records/earlier.ts';
import { findKeyed } from '../../db/payments/records/find.ts';
import { reservePayment, type NewLine, type Reservation, type ReservationResult } from '../../db/payments/reserve.ts';
import type { HeldResponse } from '../../db/processes/responses.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { toLines } from './lines.ts';
import { payerOf, type Checked, type PaidRequest } from './request.ts';

type Result =
  | Exclude<ReservationResult, { kind: 'unheard' } | { kind: 'not-joined' }>
  | { kind: 'would-fail'; reason: ProofRefusal };
export type Reserved = { reservation: Reservation; result: Result };

/**
 * Reserves, once it is known whether this is a retry. When that has changed meanwhile, because the payment to join was
 * answered or another caller of the same request came, it finds out and reserves anew.
 */
export async function reserve(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
): Promise<Reserved> {
  const { responses } = dependencies;
  const response = responses.hold(request.connection);
  let paymentId: string | null = null;
  let heard = NOTHING_HEARD;
  try {
    for (;;) {
      const decision = await lookBack(dependencies, request, checked, heard);
      if (decision.kind === 'ask') {
        heard = both(heard, await responses.hear(decision.responses, request.connection.signal));
        continue;
      }
      const joins = decision.kind === 'join';
      const { reservation, result } = await attempt(dependencies, request, checked, { joins, response, heard });
      if (result.kind === 'unheard' || result.kind === 'not-joined') continue;
      if (result.kind === 'reserved' || result.kind === 'joined') ({ paymentId } = result);
      return { reservation, result };
    }
  } finally {
    if (paymentId === null) responses.release(request.connection);
    else responses.opened(request.connection, paymentId);
  }
}

function both(one: Heard, other: Heard): Heard {
  return {
    present: new Set([...one.present, ...other.present]),
    silent: new Map([...one.silent, ...other.silent]),
  };
}

/** Whether the request would join an earlier payment; the reservation looks again inside its transaction. */
async function lookBack(
  { store }: ApiDependencies,
  { idempotencyKey }: PaidRequest,
  { proof, hash }: Checked,
  heard: Heard,
): Promise<JoinDecision> {
  const payer = payerOf(proof);
  if (idempotencyKey === null) {
    return decideJoin(await findEarlier(store.read, store, { payer, requestHash: hash }), heard);
  }
  const keyed = await findKeyed(store, payer, idempotencyKey);
  if (keyed === null) return { kind: 'apart' };
  if (keyed.requestHash !== hash) throw new AppError('idempotency_key_reused', { field: 'Idempotency-Key' });
  return { kind: 'join', paymentId: keyed.paymentId };
}

type Standing = { joins: boolean; response: HeldResponse; heard: Heard };

async function attempt(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
  { joins, ...standing }: Standing,
): Promise<{ reservation: Reservation; result: ReservationResult | { kind: 'would-fail'; reason: ProofRefusal } }> {
  const { network, authorization } = checked.proof;
  const [lines, landedBefore] = await Promise.all([
    toLines(dependencies, request, !joins),
    network.checker.isUsed(authorization),
  ]);
  const found = { lines, resolved: !joins, landedBefore };
  const reservation = { ...toReservation(dependencies, request, checked, found), ...standing };
  // Many see a distribution, and one payment at a time has it: what would fail must not keep the others from paying.
  if (!joins && distributionOfOrder(request.orderId ?? '') !== null) {
    const verdict = await network.checker.tryOut(checked.proof);
    if (verdict !== 'ok') return { reservation, result: { kind: 'would-fail', reason: verdict } };
  }
  dependencies.failpoint('accept.before-claim');
  const result = await reserveOrMiss(dependencies, request, reservation);
  dependencies.failpoint('accept.after-claim');
  return { reservation, result };
}

/** A reservation whose COMMIT lost its reply may stand: a retry of this caller must then find its answer missed. */
async function reserveOrMiss(
  { store, responses }: ApiDependencies,
  { connection }: PaidRequest,
  reservation: Reservation,
): Promise<ReservationResult> {
  try {
    return await reservePayment(store, reservation);
  } catch (error) {
    responses.opened(connection, reservation.paymentId);
    await responses.end(connection, reservation.paymentId, 'missed');
    throw error;
  }
}

function toReservation(
  dependencies: ApiDependencies,
  request: PaidRequest,
  { proof, hash, price }: Checked,
  found: { lines: NewLine[]; resolved: boolean; landedBefore: boolean },
): Omit<Reservation, 'response' | 'heard'> {
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
    bound: proof.network.checker.isBound(authorization, hash),
    payerAccount: authorization.payerAccount,
    ...found,
    nowMs,
    expiresAtMs: nowMs + dependencies.settings.claimTtlMs,
  };
}
