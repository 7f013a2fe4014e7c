import type { OrderedLine, Purchase } from '../../core/bodies/order.ts';
import { distributionOrderId, type Distribution } from '../../core/rewards/distribution.ts';
import { AppError } from '../../core/errors.ts';
import type { Interface } from '../../core/payments/operations.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { requestHash } from '../../core/request-hash.ts';
import type { FoundDistribution } from '../../db/rewards/distributions.ts';
import { findProof } from '../../db/payments/records/find.ts';
import { refusedTries } from '../../db/payments/records/refused.ts';
import { accept, type Accepted } from '../payments/accept.ts';
import type { PaidRequest } from '../payments/request.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { readProof } from '../payments/proof.ts';
import { requireDistribution } from './read.ts';

/** How many failed payments a payer may have for one distribution within this time. */
const FAILED_MAX = 3;
const FAILED_WINDOW_MS = 15 * 60_000;

/** How a confirmation arrived; its lines and body come from the distribution. */
export type Confirmation = Pick<
  PaidRequest,
  'pathParameters' | 'agentKnown' | 'proofHeader' | 'asker' | 'idempotencyKey' | 'endpointId' | 'connection'
> & { id: string; through: Interface };

/** `earlier`: it was paid before, and this request has changed nothing. */
export type Confirmed = { found: FoundDistribution; accepted: Accepted; isEarlier: boolean };

/**
 * Confirms a distribution: the accept step, with lines from the frozen list, and around it what only a distribution
 * needs. A proof that is reserved already gets its own answer first. Then a caller that comes too late learns the
 * outcome before it is asked to sign; one that comes at the same moment learns it from the reservation.
 */
export async function confirmDistribution(dependencies: ApiDependencies, asked: Confirmation): Promise<Confirmed> {
  const { store } = dependencies;
  const found = await requireDistribution(store, asked.id);
  const { proof, payer } = await proofOf(dependencies, asked.proofHeader);
  const before = proof === 'claimed' ? null : earlierOrRefused(dependencies, found, proof);
  if (before !== null) return before;
  const request = toRequest(found.distribution, asked);
  if (proof === 'new' && found.payment === null) await refuseTired(dependencies, request, payer);
  const accepted = await acceptOrTaken(dependencies, request);
  if (accepted !== 'taken' && accepted.kind !== 'challenge') return { found, accepted, isEarlier: false };
  // Its proof was refused, or another payer was faster: nobody may sign for what is over.
  const after = earlierOrRefused(dependencies, await requireDistribution(store, asked.id), 'none');
  if (after !== null) return after;
  if (accepted === 'taken') throw new AppError('order_in_progress');
  return { found, accepted, isEarlier: false };
}

/** The request behind a confirmation: named by the distribution alone, however its id arrived. */
export function toRequest(distribution: Distribution, asked: Confirmation): PaidRequest {
  const { id, through, ...rest } = asked;
  return {
    ...rest,
    ...toOrder(distribution),
    operation: `${through}.confirm-distribution`,
    body: { order_id: id },
    orderId: distributionOrderId(id),
  };
}

function toOrder({ shares, authorName, platform }: Distribution): Purchase {
  const lines = shares.map(({ userId, username, amount }, index): OrderedLine => {
    const field = `recipients[${index}]`;
    const recipient = parseRecipient(platform, username, field);
    return { recipient, stableId: userId, receiver: username, amount, field, note: null };
  });
  const description = authorName === null ? 'Reward for a post' : `Reward for a post by ${authorName}`;
  return { lines, description, meta: null, payerReference: null };
}

type ProofState = { proof: 'none' | 'new' | 'claimed'; payer: string };

async function proofOf(
  { store, networks }: Pick<ApiDependencies, 'store' | 'networks'>,
  header: string | null,
): Promise<ProofState> {
  const reading = readProof(header, networks);
  if (reading.kind !== 'proof') return { proof: 'none', payer: '' };
  const { network, authorization, payloadHash } = reading.proof;
  const { from: payer } = authorization;
  const row = await findProof(store, network.terms.network, payer, authorization.nonce);
  return { proof: row?.payloadHash === payloadHash ? 'claimed' : 'new', payer };
}

/**
 * Each payment blocks all others until its end is certain, and some that look good fail all the same, as often as an
 * attacker wants. What counts was signed by the payer, so no caller can use up another payer's tries.
 */
async function refuseTired(
  { store, now }: Pick<ApiDependencies, 'store' | 'now'>,
  request: PaidRequest,
  payer: string,
): Promise<void> {
  const hash = requestHash(request.operation, request.pathParameters, request.body);
  const sinceMs = now() - FAILED_WINDOW_MS;
  const failed = await refusedTries(store, { payer, requestHash: hash, sinceMs }, FAILED_MAX);
  const last = failed[FAILED_MAX - 1];
  if (last === undefined) return;
  const detail = 'Several payments of this payer for this distribution have failed; try again later.';
  throw new AppError('rate_limited', { detail, retryAfterSeconds: Math.ceil((last - sinceMs) / 1000) });
}

/**
 * Null: it may be paid for. A new proof while one is on its way may be a retry of the same payer, which the reservation
 * finds out.
 */
function earlierOrRefused(
  { now }: Pick<ApiDependencies, 'now'>,
  found: FoundDistribution,
  proof: ProofState['proof'],
): Confirmed | null {
  const { distribution, payment } = found;
  if (payment !== null) {
    if (payment.answer !== null) {
      return { found, accepted: { kind: 'settled', payment, replayed: true }, isEarlier: true };
    }
    if (proof === 'none') throw new AppError('order_in_progress');
    return null;
  }
  if (distribution.rejectedAtMs !== null) throw new AppError('distribution_rejected');
  if (now() >= distribution.expiresAtMs) throw new AppError('distribution_expired');
  return null;
}

async function acceptOrTaken(dependencies: ApiDependencies, request: PaidRequest): Promise<Accepted | 'taken'> {
  try {
    return await accept(dependencies, request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'order_in_progress') return 'taken';
    throw error;
  }
}
