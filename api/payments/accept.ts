import { AppError } from '../../core/errors.ts';
import { feeFor, microUsdc, sumUsdc } from '../../core/money.ts';
import { requestHash } from '../../core/request-hash.ts';
import type { ProofRefusal } from '../../core/payments/refusals.ts';
import { findProof, type PaymentRow } from '../../db/payments/records/find.ts';
import { scheduleRefund } from '../../db/refunds/return-transfer.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { EVENT_ENDPOINT_HEADER } from '../http/event-endpoint.ts';
import { agreedPrice, askedOn, costsAsked, costsOfPayer, noteRefused, type AskedCosts } from './asked-costs.ts';
import { refuseKnownUnknown } from './lines.ts';
import { refuseForbidden } from './forbidden.ts';
import { awaitOutcome, type Outcome } from './outcome.ts';
import { checkProof, readProof, type Proof } from './proof.ts';
import { payerOf, type Checked, type PaidRequest, type Price } from './request.ts';
import { reserve } from './reservation.ts';
import { refuseAfterRestore, refuseLostProof } from './restored.ts';
import { assertServing, servedNetworks } from './serving.ts';

export type Accepted =
  | {
      kind: 'challenge';
      reason: ProofRefusal;
      total: bigint;
      fee: bigint;
      requestHash: string;
      asked: AskedCosts;
      /** The least that anything costs there: the request named nothing yet. */
      isLeast?: true;
    }
  | { kind: 'settled'; payment: PaymentRow; replayed: boolean }
  | { kind: 'pending'; payment: PaymentRow };

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
  const price = { sum, fee, cost: 0n, total: microUsdc(sum + fee), hash };
  const asked = costsAsked(dependencies, request);
  const reading = readProof(request.proofHeader, dependencies.networks);

  if (reading.kind === 'proof') {
    const known = await answerKnownProof(dependencies, request, reading.proof, hash);
    if (known && known.kind !== 'refused') return known;
    await assertServing(dependencies, reading.proof);
    if (known) return withPrice(known, price, asked);
  } else await assertServing(dependencies, null);
  if (reading.kind === 'none') {
    refuseKnownUnknown(dependencies, request);
    dependencies.admission?.assertCarried(servedNetworks(dependencies).map(({ terms }) => terms.network));
    return challenge('payment_required', price, await costsOfPayer(dependencies, request, asked, hash));
  }
  if (reading.kind === 'refused') return challenge(reading.reason, price, asked);

  const agreed = agreedPrice(dependencies, request, reading.proof, price);
  const verdict = await checkProof(reading.proof, agreed, dependencies.now());
  if (verdict !== 'ok') return challenge(verdict, price, asked);
  limitPayer(dependencies, reading.proof);
  const keyed = { ...request, idempotencyKey: idempotencyKeyOf(request, reading.proof) };
  const checked = { proof: reading.proof, hash, price: agreed };
  await refuseAfterRestore(dependencies, keyed, checked);
  return reserveAndWait(dependencies, keyed, checked);
}

/** New terms name the price without a cost, and the cost where it is asked. */
function challenge(reason: ProofRefusal, price: Price, asked: AskedCosts): Accepted {
  const { total, fee, cost, hash } = price;
  return { kind: 'challenge', reason, total: total - cost, fee: fee - cost, requestHash: hash, asked };
}

function withPrice(outcome: Outcome, price: Price, asked: AskedCosts): Accepted {
  return outcome.kind === 'refused' ? challenge(outcome.reason, price, asked) : outcome;
}

/** The stored answer of a proof that was presented before, or the wait for it. */
async function answerKnownProof(
  dependencies: ApiDependencies,
  request: PaidRequest,
  proof: Proof,
  hash: string,
): Promise<Outcome | null> {
  const { from, nonce } = proof.authorization;
  const row = await findProof(dependencies.store, proof.network.terms.network, from, nonce);
  if (row === null) return null;
  if (row.payloadHash !== proof.payloadHash) return null;
  if (row.requestHash !== hash) throw new AppError('payment_already_used', { field: 'PAYMENT-SIGNATURE' });
  await dependencies.responses.hold(request.connection);
  return waitFor(dependencies, request, { paymentId: row.paymentId, replayed: true, proof });
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
function limitPayer({ payerLimiter }: Pick<ApiDependencies, 'payerLimiter'>, proof: Proof): void {
  const payer = payerOf(proof);
  if (payerLimiter.allows(payer)) return;
  throw new AppError('rate_limited', { retryAfterSeconds: payerLimiter.retryAfterSeconds(payer) });
}

async function reserveAndWait(
  dependencies: ApiDependencies,
  request: PaidRequest,
  checked: Checked,
): Promise<Accepted> {
  const { reservation, result } = await reserve(dependencies, request, checked);
  const asked = costsAsked(dependencies, request);
  const wait = async (paymentId: string, replayed: boolean) =>
    withPrice(
      await waitFor(dependencies, request, { paymentId, replayed, proof: checked.proof }),
      checked.price,
      asked,
    );
  switch (result.kind) {
    case 'reserved':
      dependencies.notify(result.outboxId);
      return wait(result.paymentId, false);
    case 'joined':
      return wait(result.paymentId, true);
    case 'already-reserved': {
      // Another request presented the same authorization after we looked and before we reserved it.
      const row = await findProof(dependencies.store, reservation.network, reservation.payer, reservation.nonce);
      if (row === null || row.payloadHash !== reservation.payloadHash || row.requestHash !== reservation.requestHash) {
        throw new AppError('payment_already_used', { field: 'PAYMENT-SIGNATURE' });
      }
      await dependencies.responses.hold(request.connection);
      return wait(row.paymentId, true);
    }
    case 'already-landed':
      await refuseLostProof(dependencies, result.fact);
      await scheduleRefund(dependencies.store, result.fact);
      throw new AppError('payment_returned', { field: 'PAYMENT-SIGNATURE' });
    case 'used-before':
      throw new AppError('settlement_pending', { detail: USED_BEFORE, retryAfterSeconds: USED_RETRY_SECONDS });
    case 'key-reused':
      throw new AppError('idempotency_key_reused', { field: 'Idempotency-Key' });
    case 'no-endpoint':
      throw new AppError('event_endpoint_not_found', { field: EVENT_ENDPOINT_HEADER });
    case 'order-taken':
      throw new AppError('order_in_progress');
    case 'order-closed':
      throw new AppError(CLOSED[result.how]);
    case 'too-many-resolving': {
      const detail = `${result.platform} has not answered for a while; try again later.`;
      throw new AppError('platform_unavailable', { detail });
    }
    case 'too-many-unsettled':
      return challenge('too_many_unsettled_payments', checked.price, asked);
    case 'would-fail':
      return challenge(await refuseForbidden(result.reason, checked.proof), checked.price, asked);
    case 'fee-required':
      noteRefused(dependencies, request, checked);
      return challenge('fee_required', checked.price, askedOn(dependencies, request, reservation.network));
  }
}

const USED_BEFORE =
  'The chain says that this authorization was used before it was presented here, and our books do not have its transfer yet. Repeat the same request with the same proof; do not sign a new one.';
/** A look of the scan, and some. */
const USED_RETRY_SECONDS = 2;

const CLOSED = {
  rejected: 'distribution_rejected',
  expired: 'distribution_expired',
  forgotten: 'distribution_not_found',
} as const;

/**
 * Waits as an open connection of this process. From here on the payment may settle: after any failure, a retry by this
 * caller must find that the answer was missed.
 */
async function waitFor(
  dependencies: ApiDependencies,
  request: PaidRequest,
  { paymentId, replayed, proof }: { paymentId: string; replayed: boolean; proof: Proof },
): Promise<Outcome> {
  const { connection, isImpatient } = request;
  const { responses } = dependencies;
  try {
    const outcome = await awaitOutcome(dependencies, paymentId, { replayed, proof, connection, isImpatient });
    if (outcome.kind === 'refused') await responses.end(connection, paymentId, 'missed');
    return outcome;
  } catch (error) {
    await responses.end(connection, paymentId, 'missed');
    throw error;
  }
}
