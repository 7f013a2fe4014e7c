import { BLOCKHASH_BLOCKS } from '../../chain/solana/messages/programs.ts';
import { coSign } from '../../chain/solana/transactions/inbound.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import type { TransferRefusal } from '../../core/payments/refusals.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { readCounter } from '../../db/store/counters.ts';
import type { PaymentRow } from '../../db/payments/records/find.ts';
import { releaseClaim } from '../../db/payments/reject.ts';
import { openInbound } from '../../db/carriers/open-transaction.ts';
import { inboundCandidates, inFlightFrom, postponePayments } from '../../db/payments/candidates.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { failuresCounter } from './counters.ts';
import { storeAndSend } from './send.ts';

const CANDIDATES_MAX = 100;
const AT_ONCE = 8;
/** A transaction that fails on the chain costs us its fee, so a payer has few of them a day. */
const FAILURES_PER_DAY_MAX = 5;
/** A lagging node does not know a fresh blockhash yet; after this time the blockhash is too old instead. */
const FRESH_MS = 4_000;
/** Longer than any blockhash lives: a transaction that no node simulated in that time can never land. */
const UNSIMULATED_MS = 120_000;

/**
 * Sends the payers' transactions that were not sent yet. Each is simulated before our fee payer signs it, so it cannot
 * land; one that fails is refused and may be presented again. Answers how many were sent.
 */
export async function sendInbound(worker: SolanaWorker): Promise<number> {
  const { store, profile, now } = worker;
  const candidates = await inboundCandidates(store, profile.network, {
    which: 'received',
    nowMs: now(),
    limit: CANDIDATES_MAX,
  });
  const accounts = [...groupByAccount(candidates).values()];
  let sent = 0;
  for (let start = 0; start < accounts.length; start += AT_ONCE) {
    const some = accounts.slice(start, start + AT_ONCE);
    const counts = await Promise.all(some.map((payments) => sendOneByOne(worker, payments)));
    sent += counts.reduce((sum, count) => sum + count, 0);
  }
  return sent;
}

/** Payments of one account are judged in order, because each must see what the ones before it take. */
function groupByAccount(payments: readonly PaymentRow[]): Map<string, PaymentRow[]> {
  const groups = new Map<string, PaymentRow[]>();
  for (const payment of payments) {
    const account = accountOf(payment);
    groups.set(account, [...(groups.get(account) ?? []), payment]);
  }
  return groups;
}

async function sendOneByOne(worker: SolanaWorker, payments: readonly PaymentRow[]): Promise<number> {
  let sent = 0;
  for (const payment of payments) {
    try {
      if (await sendOne(worker, payment)) sent += 1;
    } catch (error) {
      worker.log.warn(
        { paymentId: payment.id, err: error },
        'could not find out how a payment ended; it is tried again',
      );
      await putOffUnjudged(worker, payment, error);
    }
  }
  return sent;
}

/** A payment that cannot be judged lets others pass and is refused in the end: it was never signed by us. */
async function putOffUnjudged(worker: SolanaWorker, payment: PaymentRow, error: unknown): Promise<void> {
  const isOver = worker.now() - payment.createdAtMs > UNSIMULATED_MS;
  if (isOver && error instanceof ChainUnavailable) await refuse(worker, payment, 'payment_expired');
  else await postponePayments(worker.store, [payment.id], worker.now());
}

async function sendOne(worker: SolanaWorker, payment: PaymentRow): Promise<boolean> {
  // Who knows the key of a former address could take what comes there: its payer signs for the address of now.
  if (worker.formerTerms?.isCompromised(payment.payTo) === true)
    return refuse(worker, payment, 'invalid_exact_svm_payload_recipient_mismatch');
  const verdict = await judge(worker, payment);
  if (verdict.kind === 'refused') return refuse(worker, payment, verdict.reason);
  if (verdict.kind === 'wait') {
    await postponePayments(worker.store, [payment.id], worker.now());
    return false;
  }
  const sinceMs = worker.now();
  const { wire, signature } = await coSign(payment.signature, worker.feePayer);
  const transaction = {
    id: worker.ids.carrierId(),
    network: worker.profile.network,
    signed: { hash: signature, bytes: wire },
    sender: worker.feePayer.address,
    lastValidHeight: verdict.height + BLOCKHASH_BLOCKS,
  };
  return storeAndSend(worker, 'inbound', transaction, {
    open: (stored) => openInbound(worker.store, stored, payment.id, worker.now()),
    opened: true,
    sinceMs,
    payments: [payment.id],
  });
}

type Verdict =
  | { kind: 'refused'; reason: TransferRefusal }
  | { kind: 'wait' }
  /** `height` was read after the blockhash was seen to be good: it cannot be accepted above `height` + 150. */
  | { kind: 'good'; height: number };

async function judge(worker: SolanaWorker, payment: PaymentRow): Promise<Verdict> {
  const { store, rpc, profile } = worker;
  const failures = await readCounter(store, failuresCounter(payment.payer, worker.now()));
  if (failures >= FAILURES_PER_DAY_MAX) return { kind: 'refused', reason: 'too_many_failed_payments' };
  const total = payment.sumMicroUsdc + payment.feeMicroUsdc;
  const [[account], inFlight] = await Promise.all([
    rpc.tokenAccounts([accountOf(payment)]),
    inFlightFrom(store, profile.network, accountOf(payment)),
  ]);
  if (account?.kind === 'usdc' && account.frozen) return { kind: 'refused', reason: 'payer_barred' };
  if (account?.kind !== 'usdc' || account.amount < total) return { kind: 'refused', reason: 'insufficient_funds' };
  // It would pass the simulation and fail on the chain, at our cost.
  if (account.amount < total + inFlight) return { kind: 'wait' };
  const simulated = await rpc.simulate(payment.signature);
  if (simulated.ok) return { kind: 'good', height: await rpc.height('processed', simulated.slot) };
  switch (simulated.reason) {
    case 'blockhash':
      if (worker.now() - payment.createdAtMs < FRESH_MS) return { kind: 'wait' };
      return { kind: 'refused', reason: 'payment_expired' };
    case 'already-processed': {
      const { slot, firstBlock } = await landingOf(worker, payment);
      // Another node may know it a little later.
      if (slot === null && worker.now() - payment.createdAtMs < FRESH_MS) return { kind: 'wait' };
      // What came before these books began is in their opening balances: it pays for nothing here.
      if (slot !== null && slot <= firstBlock) return { kind: 'refused', reason: 'invalid_transaction_state' };
      // Our signature has landed already, so these books are older than the chain. It is followed like any other.
      return { kind: 'good', height: await rpc.height('processed', simulated.slot) };
    }
    case 'fee-payer':
      worker.log.error({ address: worker.feePayer.address }, 'the fee payer has too little SOL; payments wait');
      return { kind: 'wait' };
    case 'failed':
      return { kind: 'refused', reason: 'invalid_transaction_state' };
  }
}

/** The slot in which our signature has landed, null where the node does not know it, and that in which these books begin. */
async function landingOf({ store, rpc, profile, feePayer }: SolanaWorker, payment: PaymentRow) {
  const cursor = await readCursor(store, profile.network);
  const { signature } = await coSign(payment.signature, feePayer);
  const { statuses } = await rpc.statuses([signature]);
  return { slot: statuses[0]?.slot ?? null, firstBlock: cursor?.firstBlock ?? -1 };
}

async function refuse(worker: SolanaWorker, payment: PaymentRow, reason: TransferRefusal): Promise<false> {
  if (!(await releaseClaim(worker.store, payment.id, reason, worker.now()))) return false;
  worker.log.info({ paymentId: payment.id, reason }, 'proof refused before anything was sent');
  worker.announce([payment.id]);
  return false;
}

function accountOf({ id, payerAccount }: PaymentRow): string {
  if (payerAccount === null) throw new Error(`payment ${id} on Solana names no token account`);
  return payerAccount;
}
