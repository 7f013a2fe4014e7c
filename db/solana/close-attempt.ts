import { eq } from 'drizzle-orm';
import { gasSpent } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { addWithin } from '../counters.ts';
import { postEntry } from '../ledger.ts';
import { move } from '../move.ts';
import { rejectWithin } from '../payments/reject.ts';
import { renewWithin } from '../payouts/authorize.ts';
import type { Db, Store } from '../store.ts';
import { stopSigningWithin } from '../stops.ts';
import { renewSweepWithin, sweepsOfAttempt } from '../tasks/sweeps.ts';
import { endWithdrawalAttempt } from '../withdrawals/attempt.ts';
import { paymentsOfAttempt, payoutsOfAttempt, type AttemptRow } from './attempts.ts';

/**
 * How a transaction ended, for good: it is final and moved the money; it is final and moved nothing (it cost its fee);
 * or it can never land.
 */
export type AttemptEnd = { kind: 'landed' | 'failed'; lamportsSpent: bigint } | { kind: 'dead' };

export type ClosedAttempt = { closed: boolean; rejectedPayments: string[]; renewedPayouts: string[] };

/**
 * Closes an attempt once: books what it cost, refuses the payment that it carried or frees its payouts for the next one,
 * ends its withdrawal. Money moves in no direction here: what landed was taken into the books from its transfers before.
 */
export async function closeAttempt(
  store: Store,
  attempt: AttemptRow,
  end: AttemptEnd,
  at: { nowMs: number; failuresCounter: (payer: string) => string },
): Promise<ClosedAttempt> {
  return store.tx(async (db) => {
    const result: ClosedAttempt = { closed: false, rejectedPayments: [], renewedPayouts: [] };
    const { attempts } = store.tables;
    // The books still show it as landed: the scan takes that out of them first.
    if (end.kind !== 'landed' && (await isInBooks(db, store, attempt))) return result;
    const moved = await move(db, attempts, { where: eq(attempts.id, attempt.id), set: { status: end.kind } });
    if (moved.length === 0) return result;
    result.closed = true;
    if (end.kind !== 'dead') await bookFee(db, store, attempt, end.lamportsSpent, at.nowMs);
    if (attempt.kind === 'withdrawal') await endWithdrawalAttempt(db, store, attempt, end.kind, at.nowMs);
    if (end.kind === 'landed') await checkLanded(db, store, attempt, at.nowMs);
    else await releaseItems(db, store, attempt, { ...at, failed: end.kind === 'failed' }, result);
    return result;
  });
}

async function isInBooks(db: Db, store: Store, attempt: AttemptRow): Promise<boolean> {
  const payments = await paymentsOfAttempt(db, store, attempt.id);
  const payouts = await payoutsOfAttempt(db, store, attempt.id);
  const sweeps = await sweepsOfAttempt(db, store.tables, attempt.id);
  return (
    payments.some(({ status }) => status === 'settled' || status === 'final') ||
    [...payouts, ...sweeps].some(({ status }) => status === 'confirmed' || status === 'final')
  );
}

async function bookFee(db: Db, store: Store, attempt: AttemptRow, lamports: bigint, nowMs: number): Promise<void> {
  const network = attempt.network as Network;
  const gas = { network, lane: attempt.feePayer, transaction: attempt.signature, unit: 'lamports' as const };
  await postEntry(db, store.tables, gasSpent({ ...gas, amount: lamports }), nowMs);
}

/** A final transaction of ours whose items are not all in the books did something that nobody understands. */
async function checkLanded(db: Db, store: Store, attempt: AttemptRow, nowMs: number): Promise<void> {
  const payments = await paymentsOfAttempt(db, store, attempt.id);
  const payouts = await payoutsOfAttempt(db, store, attempt.id);
  const sweeps = await sweepsOfAttempt(db, store.tables, attempt.id);
  const open = [
    ...payments.filter(({ status }) => status === 'settling'),
    ...[...payouts, ...sweeps].filter(({ status }) => status === 'broadcast'),
  ];
  if (open.length === 0) return;
  const detail = `${attempt.signature} is final, but ${open.length} of its ${attempt.itemCount} items are not in it`;
  await stopSigningWithin(db, store, 'unexplained_outflow', detail, nowMs);
}

type Release = { nowMs: number; failed: boolean; failuresCounter: (payer: string) => string };

async function releaseItems(
  db: Db,
  store: Store,
  attempt: AttemptRow,
  { nowMs, failed, failuresCounter }: Release,
  result: ClosedAttempt,
): Promise<void> {
  for (const payment of await paymentsOfAttempt(db, store, attempt.id)) {
    const reason = failed ? 'invalid_transaction_state' : 'payment_expired';
    if (!(await rejectWithin(db, store.tables, payment.id, reason))) continue;
    result.rejectedPayments.push(payment.id);
    // Each failure on the chain has cost us a fee that the payer chose to cause.
    if (failed) await addWithin(db, store, failuresCounter(payment.payer), 1n);
  }
  for (const sweep of await sweepsOfAttempt(db, store.tables, attempt.id)) {
    if (sweep.status === 'broadcast') await renewSweepWithin(db, store.tables, sweep, nowMs);
  }
  for (const payout of await payoutsOfAttempt(db, store, attempt.id)) {
    if (payout.status !== 'broadcast') continue;
    // Whoever failed together goes on in smaller company, until the poisonous one stands alone.
    const tries = failed ? payout.tries + 1 : payout.tries;
    if (await renewWithin(db, store, payout, { tries, nowMs })) result.renewedPayouts.push(payout.id);
  }
}
