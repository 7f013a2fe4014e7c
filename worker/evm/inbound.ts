import { encodeTransfer, type Authorization } from '../../chain/evm/authorization.ts';
import {
  BATCH_ITEMS_MAX,
  CONTRACT_PAYER_GAS,
  gasLimitFor,
  TIGHT_ITEMS_MAX,
  tightGasFor,
} from '../../chain/evm/rpc/fees.ts';
import type { PayerState } from '../../chain/evm/rpc/authorization-reads.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import type { TransferRefusal } from '../../core/payments/refusals.ts';
import { inboundCandidates, postponePayments } from '../../db/payments/candidates.ts';
import type { PaymentRow } from '../../db/payments/records/find.ts';
import { releaseClaim } from '../../db/payments/reject.ts';
import type { Lane } from '../../chain/signing/evm.ts';
import type { EvmWorker } from '../dependencies.ts';
import { sizeLimit, type Composition } from './lanes/composition.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;

/**
 * Chooses payers' authorizations for one batch: the oldest that can share one, simulated together. One that fails is
 * refused if it was never signed into a transaction; otherwise it is only put off, because from then on only the chain
 * decides. Null when there is nothing to send.
 */
export async function composeInbound(worker: EvmWorker, lane: Lane): Promise<Composition | null> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const found = await inboundCandidates(worker.store, worker.profile.network, {
      which: 'open',
      nowMs: worker.now(),
      limit: CANDIDATES_MAX,
    });
    if (found.length === 0) return null;
    const candidates = await withoutCompromised(worker, found);
    const composition = candidates.length === 0 ? null : await composeFrom(worker, lane, candidates);
    // Refusals remove candidates, so each pass finds others: many payers without money hold up no other.
    if (composition !== null) return composition;
  }
  return null;
}

const LOOKS_MAX = 5;

/**
 * Who knows the key of a former address could take what comes there. A proof for it that was never signed into a transaction
 * is refused, so that its payer signs for the address of now. Any other may land all the same, and is not sent again.
 */
async function withoutCompromised(worker: EvmWorker, candidates: PaymentRow[]): Promise<PaymentRow[]> {
  const isThere = ({ payTo }: PaymentRow) => worker.formerTerms?.isCompromised(payTo) === true;
  const there = candidates.filter(isThere);
  if (there.length === 0) return candidates;
  const unsent = there.filter(({ status }) => status === 'received');
  await refuse(worker, unsent, async () => 'invalid_exact_evm_payload_recipient_mismatch');
  const sent = there.filter(({ status }) => status !== 'received');
  await postponePayments(
    worker.store,
    sent.map(({ id }) => id),
    worker.now(),
  );
  return candidates.filter((payment) => !isThere(payment));
}

async function composeFrom(worker: EvmWorker, lane: Lane, candidates: PaymentRow[]): Promise<Composition | null> {
  const { plain, withCode } = await divide(worker, candidates);
  // Half of the lanes take contract payers first, so that neither kind can starve the other.
  const codeFirst = worker.lanes.indexOf(lane) % 2 === 1;
  const alone = () => composeAlone(worker, lane, withCode);
  const together = () => composeTogether(worker, lane, plain);
  return codeFirst ? ((await alone()) ?? (await together())) : ((await together()) ?? (await alone()));
}

type Divided = { plain: PaymentRow[]; withCode: PaymentRow[] };

/** USDC gives a contract payer all available gas, so such a payer settles alone under its own limit. */
async function divide(worker: EvmWorker, candidates: PaymentRow[]): Promise<Divided> {
  // Asked anew for each batch: any account can get code with its next transaction (EIP-7702).
  const states = await worker.rpc.payerStates(candidates.map(keyOf), 'pending');
  return {
    plain: candidates.filter((_, index) => states[index]?.hasCode === false),
    withCode: candidates.filter((_, index) => states[index]?.hasCode === true),
  };
}

const keyOf = ({ payer, nonce }: PaymentRow) => ({ authorizer: payer as Hex, nonce: nonce as Hex });

/** Payments share a batch with those that failed equally often: each failure halves the batch. */
async function composeTogether(worker: EvmWorker, lane: Lane, plain: PaymentRow[]): Promise<Composition | null> {
  const [first] = plain;
  if (first === undefined) return null;
  const alike = plain.filter(({ tries }) => tries === first.tries);
  const tight = first.tries === 0 && alike.length > BATCH_ITEMS_MAX ? await composeTight(worker, lane, alike) : null;
  if (tight !== null) return tight;
  const together = alike.slice(0, sizeLimit(first.tries));
  const simulated = await simulateTogether(worker, lane, together, gasLimitFor);
  const working = await sortOut(worker, simulated);
  return working.length === 0 ? null : toComposition(working, gasLimitFor(working.length));
}

/**
 * More than the usual gas limit holds: as many as the limit of a transaction, where a simulation of that very batch with
 * less gas works. Null where one item fails, for whatever reason: then the usual batch finds out which, and why.
 */
async function composeTight(worker: EvmWorker, lane: Lane, alike: PaymentRow[]): Promise<Composition | null> {
  const together = alike.slice(0, TIGHT_ITEMS_MAX);
  const { limit, proof } = tightGasFor(together.length);
  const batch = { calls: together.map(toCall), from: lane.address, gasLimit: proof };
  try {
    const results = await worker.rpc.simulateBatch(batch);
    return results.every(({ success }) => success) ? toComposition(together, limit) : null;
  } catch (error) {
    if (error instanceof ChainUnavailable && error.fault === 'refused') return null;
    throw error;
  }
}

/** Several contract payers are simulated at the same time; the oldest that works is sent. */
async function composeAlone(worker: EvmWorker, lane: Lane, withCode: PaymentRow[]): Promise<Composition | null> {
  const tried = withCode.slice(0, ALONE_MAX);
  const limit = () => CONTRACT_PAYER_GAS;
  const simulated = await Promise.all(tried.map((payment) => simulateTogether(worker, lane, [payment], limit)));
  const working = await sortOut(worker, {
    payments: simulated.flatMap(({ payments }) => payments),
    works: simulated.flatMap(({ works }) => works),
  });
  const [oldest] = working;
  return oldest === undefined ? null : toComposition([oldest], CONTRACT_PAYER_GAS);
}

const ALONE_MAX = 20;

function toComposition(payments: PaymentRow[], gasLimit: bigint): Composition {
  return { kind: 'inbound', itemIds: payments.map(({ id }) => id), calls: payments.map(toCall), gasLimit };
}

/** Refuses or puts off what failed, and answers what works. */
async function sortOut(worker: EvmWorker, { payments, works }: Simulated): Promise<PaymentRow[]> {
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
 * One item that burns all gas fails the whole call. Then half of the batch is tried, until the failing item stands
 * alone; alone it is to blame, provided that the node answers other questions.
 */
async function simulateTogether(
  worker: EvmWorker,
  lane: Lane,
  payments: PaymentRow[],
  limitFor: (count: number) => bigint,
): Promise<Simulated> {
  try {
    const gasLimit = limitFor(payments.length);
    const results = await worker.rpc.simulateBatch({ calls: payments.map(toCall), from: lane.address, gasLimit });
    return { payments, works: results.map(({ success }) => success) };
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || error.fault !== 'refused') throw error;
    await worker.rpc.latest();
    if (payments.length === 1) return { payments, works: [false] };
    return simulateTogether(worker, lane, payments.slice(0, Math.ceil(payments.length / 2)), limitFor);
  }
}

type Reason = (worker: EvmWorker, payment: PaymentRow, state: PayerState) => Promise<TransferRefusal>;

/** Refuses authorizations that were never in a signed transaction, by itself with the reason that the chain's state gives. */
async function refuse(worker: EvmWorker, payments: PaymentRow[], reasonOf: Reason = reasonFor): Promise<void> {
  if (payments.length === 0) return;
  // Asked after the simulation, and all at one moment: a balance that its own transfer has taken proves nothing.
  const states = await worker.rpc.payerStates(payments.map(keyOf), 'pending');
  const waiting = payments.filter((_, index) => states[index]?.used === true);
  // A third party may have sent this authorization: the logs will show it.
  await postponePayments(
    worker.store,
    waiting.map(({ id }) => id),
    worker.now(),
  );
  const refused = payments.map(async (payment, index) => {
    const state = states[index];
    if (state?.used === false) await refuseOne(worker, payment, await reasonOf(worker, payment, state));
  });
  await Promise.all(refused);
}

async function refuseOne(worker: EvmWorker, payment: PaymentRow, reason: TransferRefusal): Promise<void> {
  if (!(await releaseClaim(worker.store, payment.id, reason, worker.now()))) return;
  worker.log.info({ paymentId: payment.id, reason }, 'proof refused before anything was sent');
  worker.announce([payment.id]);
}

async function reasonFor(
  { rpc, now }: Pick<EvmWorker, 'rpc' | 'now'>,
  payment: PaymentRow,
  { balanceMicroUsdc }: PayerState,
): Promise<TransferRefusal> {
  if (payment.validBefore * 1000 <= now()) return 'payment_expired';
  const total = payment.sumMicroUsdc + payment.feeMicroUsdc;
  if (balanceMicroUsdc < total) return 'insufficient_funds';
  const { isPaused, isBarred } = await rpc.settlingState(payment.payer as Hex, []);
  if (isPaused) return 'token_paused';
  return isBarred ? 'payer_barred' : 'invalid_transaction_state';
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
