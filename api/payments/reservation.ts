import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../core/errors.ts';
import { expectedCost } from '../../core/costs/allowance.ts';
import { decideJoin, NOTHING_HEARD, type Heard, type JoinDecision } from '../../core/payments/joins.ts';
import type { TransferRefusal } from '../../core/payments/refusals.ts';
import { distributionOfOrder } from '../../core/rewards/distribution.ts';
import { findEarlier } from '../../db/payments/records/earlier.ts';
import { findKeyed, findProof } from '../../db/payments/records/find.ts';
import { reservePayment, type Reservation, type ReservationResult } from '../../db/payments/reserve.ts';
import type { NewLine } from '../../db/payments/order.ts';
import type { HeldResponse } from '../../db/processes/responses.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { Granted } from '../costs/costs.ts';
import { toLines } from './lines.ts';
import { refuseScreened } from './screened.ts';
import { isBound, type Proof } from './proof.ts';
import { payerOf, type Checked, type PaidRequest } from './request.ts';

type Result =
  | Exclude<ReservationResult, { kind: 'unheard' } | { kind: 'not-joined' }>
  | { kind: 'would-fail'; reason: TransferRefusal }
  | { kind: 'fee-required' };
export type Reserved = { reservation: Reservation; result: Result };

/**
 * Reserves, once it is known whether this is a retry. If that changes meanwhile, because the payment to join was answered
 * or another caller came with the same request, it looks again and reserves anew.
 */
export async function reserve(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
): Promise<Reserved> {
  const { responses, now, settings } = dependencies;
  const untilMs = now() + settings.settlementWaitMs;
  const response = await responses.hold(request.connection);
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
      // Its transfer is a block ahead of the books, most of the time.
      if (result.kind === 'used-before' && now() < untilMs && (await rests(request.connection.signal))) continue;
      if (result.kind === 'reserved' || result.kind === 'joined') ({ paymentId } = result);
      return { reservation, result };
    }
  } finally {
    if (paymentId === null) responses.release(request.connection);
    else responses.opened(request.connection, paymentId);
  }
}

const LOOK_AGAIN_MS = 500;

/** False where the caller has left meanwhile. */
const rests = (signal: AbortSignal): Promise<boolean> => sleep(LOOK_AGAIN_MS, true, { signal }).catch(() => false);

function both(one: Heard, other: Heard): Heard {
  return {
    present: new Set([...one.present, ...other.present]),
    silent: new Map([...one.silent, ...other.silent]),
  };
}

/** Whether the request would join an earlier payment; the reservation looks again inside its transaction. */
async function lookBack(
  { store }: Pick<ApiDependencies, 'store'>,
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

type Attempt = {
  reservation: Reservation;
  result: ReservationResult | { kind: 'would-fail'; reason: TransferRefusal } | { kind: 'fee-required' };
};
type Standing = { joins: boolean; response: HeldResponse; heard: Heard };

/** A new payment is admitted before anything is asked or reserved for it; joining an earlier one takes no place. */
async function attempt(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
  standing: Standing,
): Promise<Attempt> {
  const place = standing.joins ? undefined : await enter(dependencies, checked.proof);
  let isReserved = false;
  try {
    const attempted = await attemptWithin(dependencies, request, checked, standing);
    isReserved = attempted.result.kind === 'reserved';
    return attempted;
  } finally {
    place?.leave(isReserved);
  }
}

/** Another request may have reserved this proof since it was looked up: then it was taken, and needs no place. */
async function enter({ admission, store }: Pick<ApiDependencies, 'admission' | 'store'>, proof: Proof) {
  const { nonce, validBefore } = proof.authorization;
  const { network } = proof.network.terms;
  const payer = payerOf(proof);
  try {
    return admission?.enter(network, { id: `${payer} ${nonce}`, validBefore });
  } catch (error) {
    if ((await findProof(store, network, payer, nonce)) === null) throw error;
    return undefined;
  }
}

async function attemptWithin(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
  { joins, ...standing }: Standing,
): Promise<Attempt> {
  const { network, authorization } = checked.proof;
  const [lines, landedBefore] = await Promise.all([
    toLines(dependencies, request, !joins, payerOf(checked.proof)),
    network.checker.isUsed(authorization),
  ]);
  const found = { lines, resolved: !joins, landedBefore };
  const reservation = { ...toReservation(dependencies, request, checked, found), ...standing };
  // Many people see a distribution, and one payment at a time holds it: one that would fail must not block the others.
  if (!joins && distributionOfOrder(request.orderId ?? '') !== null) {
    const verdict = await network.checker.tryOut(checked.proof);
    if (verdict !== 'ok') return { reservation, result: { kind: 'would-fail', reason: verdict } };
  }
  if (!joins) await refuseScreened(dependencies, request, checked);
  const granted = joins ? null : await grantCost(dependencies, request, checked, lines);
  if (granted === 'fee-required') return { reservation, result: { kind: granted } };
  const { paymentId, network: name } = reservation;
  const passage = { sinceMs: dependencies.now(), network: name, payments: [paymentId] };
  dependencies.failpoint('accept.before-claim');
  const prepaid = { ...reservation, costPrepaid: granted?.units ?? reservation.costPrepaid };
  const result = await reserveOrMiss(dependencies, request, prepaid);
  if (granted !== null && result.kind !== 'reserved') dependencies.costs?.giveBack(granted);
  dependencies.failpoint('accept.after-claim', result.kind === 'reserved' ? passage : undefined);
  return { reservation: prepaid, result };
}

/** Before anything is reserved, and never for what joins an earlier payment: that may be on its way. */
async function grantCost(
  { costs }: Pick<ApiDependencies, 'costs'>,
  { orderId }: Pick<PaidRequest, 'orderId'>,
  { proof, price }: Checked,
  lines: readonly NewLine[],
): Promise<Granted | null | 'fee-required'> {
  if (costs === undefined || price.cost > 0n) return null;
  const recipients = lines.flatMap(({ recipient: { platform, stableId } }) =>
    stableId === null ? [] : [{ platform, stableId }],
  );
  // The price of a task was agreed on when it was opened.
  const isAgreed = orderId !== null && distributionOfOrder(orderId) === null;
  const paying = { payer: payerOf(proof), recipients, isWhole: recipients.length === lines.length, isAgreed };
  return (await costs.grant(proof.network.terms.network, price.sum, lines.length, paying)) ?? 'fee-required';
}

/** A reservation may stand although its COMMIT's reply was lost: a retry must then find that the answer was missed. */
async function reserveOrMiss(
  { store, responses }: Pick<ApiDependencies, 'store' | 'responses'>,
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
  dependencies: Pick<ApiDependencies, 'now' | 'ids' | 'settings'>,
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
    costMicroUsdc: price.cost,
    costPrepaid: price.cost === 0n ? 0n : expectedCost(proof.network.terms.network, found.lines.length),
    description: request.description,
    meta: request.meta,
    agentKnown: request.agentKnown,
    payerReference: request.payerReference,
    endpointId: request.endpointId ?? null,
    bound: isBound(proof, hash),
    payerAccount: authorization.payerAccount,
    ...found,
    nowMs,
    expiresAtMs: nowMs + dependencies.settings.claimTtlMs,
  };
}
