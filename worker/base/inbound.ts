import { encodeTransfer, type Authorization } from '../../chain/base/authorization.ts';
import { CONTRACT_PAYER_GAS, gasLimitFor } from '../../chain/base/fees.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import type { ProofRefusal } from '../../core/x402.ts';
import { inboundCandidates, postponePayments } from '../../db/batches.ts';
import type { PaymentRow } from '../../db/payments/find.ts';
import { releaseClaim } from '../../db/payments/reject.ts';
import type { BaseWorker, Lane } from '../dependencies.ts';
import { sizeLimit, type Composition } from './composition.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;

/**
 * Chooses the payers' authorizations for one batch: the oldest that can share one, simulated together as they would
 * run. What fails before it was ever signed into a transaction is refused; what was signed before is only put off,
 * because from then on a simulation decides nothing. Null when there is nothing to send.
 */
export async function composeInbound(worker: BaseWorker, lane: Lane): Promise<Composition | null> {
  const candidates = await inboundCandidates(worker.store, worker.profile.network, worker.now(), CANDIDATES_MAX);
  if (candidates.length === 0) return null;
  const chosen = await chooseTogether(worker, candidates);
  const working = await simulate(worker, lane, chosen);
  if (working.length === 0) return null;
  return {
    kind: 'inbound',
    itemIds: working.map((payment) => payment.id),
    calls: working.map(toCall),
    gasLimit: chosen.gasLimitFor(working.length),
  };
}

type Chosen = { payments: PaymentRow[]; gasLimitFor: (count: number) => bigint };

/**
 * USDC hands a contract payer all the gas there is, so such a payer settles alone under a limit of its own. The others
 * share a batch with those that failed equally often: each failure halves the company they may keep.
 */
async function chooseTogether(worker: BaseWorker, candidates: PaymentRow[]): Promise<Chosen> {
  const [first] = candidates;
  if (first === undefined) throw new Error('a batch is chosen from at least one candidate, found none');
  const together = candidates.filter(({ tries }) => tries === first.tries).slice(0, sizeLimit(first.tries));
  const payers = [...new Set(together.map(({ payer }) => payer as Hex))];
  const codes = await worker.rpc.code(payers, 'pending');
  const withCode = new Set(payers.filter((_, index) => codes[index] !== '0x'));
  const plain = together.filter(({ payer }) => !withCode.has(payer as Hex));
  if (plain.length > 0 && !withCode.has(first.payer as Hex)) return { payments: plain, gasLimitFor };
  return { payments: [first], gasLimitFor: () => CONTRACT_PAYER_GAS };
}

async function simulate(worker: BaseWorker, lane: Lane, chosen: Chosen): Promise<PaymentRow[]> {
  const { payments, works } = await simulateTogether(worker, lane, chosen);
  const failing = payments.filter((_, index) => works[index] !== true);
  await refuse(
    worker,
    failing.filter(({ status }) => status === 'received'),
  );
  const signedBefore = failing.filter(({ status }) => status !== 'received');
  await postponePayments(
    worker.store,
    signedBefore.map(({ id }) => id),
    worker.now(),
  );
  return payments.filter((_, index) => works[index] === true);
}

type Simulated = { payments: PaymentRow[]; works: boolean[] };

/**
 * One item that burns all the gas takes the whole call down. The first half is tried then, so that the poisonous item
 * soon stands alone; there it is its own failure, provided that the node answers other questions.
 */
async function simulateTogether(worker: BaseWorker, lane: Lane, chosen: Chosen): Promise<Simulated> {
  const { payments, gasLimitFor: limitFor } = chosen;
  try {
    const gasLimit = limitFor(payments.length);
    const results = await worker.rpc.simulateBatch({ calls: payments.map(toCall), from: lane.address, gasLimit });
    return { payments, works: results.map(({ success }) => success) };
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || error.fault !== 'refused') throw error;
    await worker.rpc.head();
    if (payments.length === 1) return { payments, works: [false] };
    const half = payments.slice(0, Math.ceil(payments.length / 2));
    return simulateTogether(worker, lane, { ...chosen, payments: half });
  }
}

/** Refuses proofs that no signed transaction ever contained, with the reason that the chain's own state gives. */
async function refuse(worker: BaseWorker, payments: PaymentRow[]): Promise<void> {
  if (payments.length === 0) return;
  const keys = payments.map(({ payer, nonce }) => ({ authorizer: payer as Hex, nonce: nonce as Hex }));
  const used = await worker.rpc.authorizationStates(keys, 'pending');
  const waiting = payments.filter((_, index) => used[index] === true);
  // Somebody else may have sent this very authorization: the logs will tell.
  await postponePayments(
    worker.store,
    waiting.map(({ id }) => id),
    worker.now(),
  );
  for (const [index, payment] of payments.entries()) {
    if (used[index] === true) continue;
    const reason = await reasonFor(worker, payment);
    if (await releaseClaim(worker.store, payment.id, reason)) {
      worker.log.info({ paymentId: payment.id, reason }, 'proof refused before anything was sent');
      worker.announce([payment.id]);
    }
  }
}

async function reasonFor(worker: BaseWorker, payment: PaymentRow): Promise<ProofRefusal> {
  if (payment.validBefore * 1000 <= worker.now()) return 'payment_expired';
  const balance = await worker.rpc.balanceOf(payment.payer as Hex);
  const total = payment.sumMicroUsdc + payment.feeMicroUsdc;
  return balance < total ? 'insufficient_funds' : 'invalid_transaction_state';
}

function toCall(payment: PaymentRow): Hex {
  const authorization: Authorization = {
    from: payment.payer as Hex,
    to: payment.payTo as Hex,
    value: payment.sumMicroUsdc + payment.feeMicroUsdc,
    validAfter: payment.validAfter,
    validBefore: payment.validBefore,
    nonce: payment.nonce as Hex,
  };
  return encodeTransfer(authorization, payment.signature as Hex);
}
