import { AppError } from '../core/errors.ts';
import { feeFor, microUsdc, sumUsdc, type MicroUsdc } from '../core/money.ts';
import type { Operation } from '../core/operations.ts';
import type { Recipient } from '../core/recipients/recipient.ts';
import { requestHash } from '../core/request-hash.ts';
import type { ProofRefusal } from '../core/x402.ts';
import { claimProof, type Claim, type NewLine } from '../db/payments/claim.ts';
import { findJoinable, findKeyed, findProof, type PaymentRow } from '../db/payments/find.ts';
import { signingStops } from '../db/stops.ts';
import type { ApiDependencies } from './dependencies.ts';
import { awaitOutcome, type Outcome } from './outcome.ts';
import { checkProof, readProof, type Proof } from './proof.ts';

/** A paid request in the program's own form, whichever interface it came through. */
export type PaidRequest = {
  operation: Operation;
  pathParameters: Record<string, string>;
  /** As received: what the proof is bound to. */
  body: unknown;
  lines: readonly { recipient: Recipient; receiver: string; amount: MicroUsdc }[];
  description: string | null;
  meta: Record<string, unknown> | null;
  payerReference: string | null;
  proofHeader: string | null;
  idempotencyKey: string | null;
  /** Aborted when the caller hangs up. */
  signal?: AbortSignal;
};

export type Accepted =
  | { kind: 'challenge'; reason: ProofRefusal; total: bigint; fee: bigint }
  | { kind: 'settled'; payment: PaymentRow; replayed: boolean }
  | { kind: 'pending'; payment: PaymentRow };

const JOIN_WINDOW_MS = 15 * 60_000;

/**
 * The accept step behind every interface, in the order that the contract fixes (section 3): a proof that is already
 * claimed gets its own answer and nothing else is checked; then the challenge; then the proof's terms, window and
 * signature; then key or join; then the recipient; then the claim. Nothing has an effect before settlement, and once a
 * settlement may have been broadcast the answer is never a 402.
 */
export async function accept(dependencies: ApiDependencies, request: PaidRequest): Promise<Accepted> {
  const { settings } = dependencies;
  const sum = sumUsdc(request.lines.map((line) => line.amount));
  const fee = feeFor(sum, settings.feeBps, settings.feeFlat);
  const price = { sum, fee, total: microUsdc(sum + fee) };
  const hash = requestHash(request.operation, request.pathParameters, request.body);
  const reading = readProof(request.proofHeader, dependencies.networks);

  if (reading.kind === 'proof') {
    const known = await answerKnownProof(dependencies, reading.proof, hash, request.signal);
    if (known) return withPrice(known, price);
  }
  await refuseWhilePaused(dependencies);
  if (reading.kind === 'none') return challenge('payment_required', price);
  if (reading.kind === 'refused') return challenge(reading.reason, price);

  const verdict = await checkProof(reading.proof, price.total, Math.floor(dependencies.now() / 1000));
  if (verdict !== 'ok') return challenge(verdict, price);
  limitPayer(dependencies, reading.proof);
  const lines = await resolveLines(dependencies, request, reading.proof, hash);
  const claim = toClaim(dependencies, request, reading.proof, { hash, ...price, lines });
  return claimAndWait(dependencies, request, claim, price);
}

type Price = { sum: bigint; fee: bigint; total: bigint };

function challenge(reason: ProofRefusal, price: Price): Accepted {
  return { kind: 'challenge', reason, total: price.total, fee: price.fee };
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

/**
 * The stable id behind each name. Skipped when the claim will join an earlier payment: its stored answer counts even
 * if the name is gone by now. The platform is asked before the claim, so that an unknown name costs nothing.
 */
async function resolveLines(
  dependencies: ApiDependencies,
  request: PaidRequest,
  proof: Proof,
  hash: string,
): Promise<NewLine[]> {
  const payer = payerOf(proof);
  const joins = await willJoin(dependencies, payer, request.idempotencyKey, hash);
  const resolving = request.lines.map(async ({ recipient, receiver, amount }, index): Promise<NewLine> => {
    const field = request.lines.length === 1 ? 'receiver' : `receivers[${index}].receiver`;
    const stableId = joins ? recipient.key : await resolve(dependencies, recipient, field);
    return {
      txnId: dependencies.ids.txnId(),
      slug: dependencies.ids.slug(),
      publicSlug: dependencies.ids.slug(),
      identityId: dependencies.ids.identityId(),
      recipient: { platform: recipient.platform, stableId, key: recipient.key, display: recipient.display },
      receiver,
      amountMicroUsdc: amount,
    };
  });
  return Promise.all(resolving);
}

async function willJoin(
  { store, now }: ApiDependencies,
  payer: string,
  idempotencyKey: string | null,
  hash: string,
): Promise<boolean> {
  if (idempotencyKey === null) return (await findJoinable(store, payer, hash, now() - JOIN_WINDOW_MS)) !== null;
  const keyed = await findKeyed(store, payer, idempotencyKey);
  if (keyed === null) return false;
  if (keyed.requestHash !== hash) throw new AppError('idempotency_key_reused', { field: 'Idempotency-Key' });
  return true;
}

async function resolve({ identity }: ApiDependencies, recipient: Recipient, field: string): Promise<string> {
  const resolution = await identity.resolve(recipient);
  if (resolution.kind === 'found') return resolution.stableId;
  if (resolution.kind === 'not-found') {
    const detail = `Nobody is called "${recipient.display}" on ${recipient.platform}.`;
    throw new AppError('receiver_not_found', { field, detail });
  }
  throw new AppError('platform_unavailable', { detail: `${recipient.platform} does not answer right now; try again.` });
}

/** Counted only now that the signature is the payer's: nobody can use up somebody else's minute. */
function limitPayer({ payerLimiter }: ApiDependencies, proof: Proof): void {
  if (payerLimiter.allows(payerOf(proof))) return;
  throw new AppError('rate_limited', { retryAfterSeconds: payerLimiter.retryAfterSeconds() });
}

/** A payer is an account on one network. */
function payerOf(proof: Proof): string {
  return proof.authorization.from;
}

function toClaim(
  dependencies: ApiDependencies,
  request: PaidRequest,
  proof: Proof,
  priced: Price & { hash: string; lines: NewLine[] },
): Claim {
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
    requestHash: priced.hash,
    idempotencyKey: request.idempotencyKey,
    sumMicroUsdc: priced.sum,
    feeMicroUsdc: priced.fee,
    description: request.description,
    meta: request.meta,
    payerReference: request.payerReference,
    deliveryOwner: dependencies.settings.deliveryOwner,
    lines: priced.lines,
    nowMs,
    expiresAtMs: nowMs + dependencies.settings.claimTtlMs,
  };
}

async function claimAndWait(
  dependencies: ApiDependencies,
  request: PaidRequest,
  claim: Claim,
  price: Price,
): Promise<Accepted> {
  dependencies.failpoint('accept.before-claim');
  const result = await claimProof(dependencies.store, claim);
  dependencies.failpoint('accept.after-claim');
  switch (result.kind) {
    case 'claimed':
    case 'joined': {
      if (result.kind === 'claimed') dependencies.ring(result.outboxId);
      const replayed = result.kind === 'joined';
      const outcome = await awaitOutcome(dependencies, result.paymentId, { replayed, signal: request.signal });
      return withPrice(outcome, price);
    }
    case 'already-claimed': {
      // Somebody presented the same authorization between our look and our claim.
      const row = await findProof(dependencies.store, claim.network, claim.payer, claim.nonce);
      if (row === null || row.payloadHash !== claim.payloadHash || row.requestHash !== claim.requestHash) {
        throw new AppError('payment_already_used', { field: 'PAYMENT-SIGNATURE' });
      }
      const options = { replayed: true, signal: request.signal };
      return withPrice(await awaitOutcome(dependencies, row.paymentId, options), price);
    }
    case 'key-reused':
      throw new AppError('idempotency_key_reused', { field: 'Idempotency-Key' });
    case 'already-landed':
      throw new AppError('payment_already_landed', { field: 'PAYMENT-SIGNATURE' });
    case 'too-many-unsettled':
      return challenge('too_many_unsettled_payments', price);
  }
}
