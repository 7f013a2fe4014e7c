import { AppError } from '../../core/errors.ts';
import { VALIDITY_MAX_SECONDS } from '../../core/payments/x402.ts';
import { isLost, lastReconciledMs, lostPaymentsOf, type LostPayment } from '../../db/operator/lost-payer.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { Proof } from './proof.ts';
import type { Checked, PaidRequest, Price } from './request.ts';
import { refusalWhilePaused } from './serving.ts';

/** On Solana a proof lives for 150 blocks. */
const BLOCKHASH_MS = 2 * 60_000;
/** How long a request with a key may be the retry of one that was paid in the lost time. */
const RETRIED_MS = 24 * 3_600_000;

type Doubtful = Pick<Checked, 'hash'> & {
  proof: Pick<Proof, 'network' | 'authorization'>;
  price: Pick<Price, 'total'>;
};

/**
 * After a restore a new proof may be the retry of a payment that these books have lost. One that was signed before
 * `reconcile` is refused until it is over: it may have been answered with an earlier payment. A payer whose money of the
 * same sum is unresolved is not charged again, nor a request that was paid for and is retried by its key.
 */
export async function refuseAfterRestore(
  dependencies: Pick<ApiDependencies, 'store' | 'now'>,
  { idempotencyKey }: Pick<PaidRequest, 'idempotencyKey'>,
  checked: Doubtful,
): Promise<void> {
  const { store } = dependencies;
  const { proof, price } = checked;
  const reconciledMs = await lastReconciledMs(store);
  if (reconciledMs === null) return;
  const nowMs = dependencies.now();
  if (mayBeOlder(proof.authorization.validBefore, reconciledMs, nowMs)) throw await refusalWhilePaused(proof);
  const { network } = proof.network.terms;
  const lost = await lostPaymentsOf(store, { network, payer: proof.authorization.from, amountMicroUsdc: price.total });
  const isKeyed = idempotencyKey !== null;
  const found = lost.find((one) => isRetry(checked, one, { isKeyed, nowMs }));
  if (found === undefined) return;
  throw unresolved();
}

/** The same for a proof whose own money landed in the lost time: nobody can say that it goes back. */
export async function refuseLostProof({ store }: Pick<ApiDependencies, 'store'>, fact: string): Promise<void> {
  if (await isLost(store, fact)) throw unresolved();
}

function unresolved(): AppError {
  const detail =
    'A payment of yours of this sum landed while our books were lost, and what became of it is looked at by hand. Do not sign another.';
  return new AppError('settlement_pending', { detail, retryAfterSeconds: 3_600 });
}

/** A proof is not taken if it can land later than this, so what was signed before `reconcile` is over by then. */
function mayBeOlder(validBefore: number, reconciledMs: number, nowMs: number): boolean {
  if (validBefore === 0) return nowMs < reconciledMs + BLOCKHASH_MS;
  return validBefore * 1_000 <= reconciledMs + VALIDITY_MAX_SECONDS * 1_000;
}

function isRetry(
  { proof, hash }: Doubtful,
  { nonce, state, atMs }: LostPayment,
  { isKeyed, nowMs }: { isKeyed: boolean; nowMs: number },
): boolean {
  if (state === 'held') return true;
  if (nonce !== null && proof.network.checker.isBound({ ...proof.authorization, nonce }, hash)) return true;
  return isKeyed && nowMs < atMs + RETRIED_MS;
}
