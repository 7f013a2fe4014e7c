import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm';
import { takeWithin } from '../counters.ts';
import { move } from '../move.ts';
import type { PaymentRow, PayoutRow } from '../payments/find.ts';
import { exposureCounter } from '../payouts/authorize.ts';
import type { Db, Store } from '../store.ts';
import type { ATTEMPT_KINDS } from '../tables/solana.ts';

export type AttemptRow = Store['tables']['attempts']['$inferSelect'];

/** A transaction as it was signed, before it is sent. */
export type NewAttempt = {
  id: string;
  network: string;
  signature: string;
  wire: string;
  feePayer: string;
  lastValidHeight: number;
};

export type PayoutPart = {
  id: string;
  generation: number;
  /** Names its transfer within the transaction. */
  nonce: string;
  amountMicroUsdc: bigint;
  /** The inbound that funds it is not final yet. */
  exposed: boolean;
};

/** Caps that hold over all attempts together. */
export type AttemptCaps = {
  exposureCapMicroUsdc: bigint;
  /** Token accounts that this transaction opens, and how many a day may be. */
  accounts: { count: number; counter: string; dailyMax: number };
};

export type OpenResult = 'opened' | 'exposure-limit' | 'accounts-limit';

/** Ends the transaction with nothing kept. */
class OverCap extends Error {
  readonly result: Exclude<OpenResult, 'opened'>;
  constructor(result: Exclude<OpenResult, 'opened'>) {
    super(result);
    this.result = result;
  }
}

/**
 * Writes down a payment's transaction before it is first sent. False when the payment has moved on meanwhile; nothing is
 * kept then, and the signed bytes must be forgotten.
 */
export async function openInboundAttempt(
  store: Store,
  attempt: NewAttempt,
  paymentId: string,
  nowMs: number,
): Promise<boolean> {
  const { payments } = store.tables;
  return store.tx(async (db) => {
    const taken = await move(db, payments, {
      from: ['received'],
      where: and(eq(payments.id, paymentId), isNull(payments.attemptId)),
      set: { status: 'settling', attemptId: attempt.id },
    });
    if (taken.length === 0) return false;
    await insertAttempt(db, store, attempt, { kind: 'inbound', itemCount: 1, nowMs });
    return true;
  });
}

/**
 * Writes down a transaction of payouts before it is first sent, and takes its part of the caps. Throws, with nothing
 * kept, when one of the payouts is no longer queued in its generation: the caller then looks again.
 */
export async function openPayoutAttempt(
  store: Store,
  attempt: NewAttempt,
  parts: readonly PayoutPart[],
  caps: AttemptCaps,
  nowMs: number,
): Promise<OpenResult> {
  try {
    return await store.tx(async (db): Promise<OpenResult> => {
      await takeCaps(db, store, attempt.network, parts, caps);
      for (const part of parts) await takePayout(db, store, attempt.id, part);
      await insertAttempt(db, store, attempt, { kind: 'payout', itemCount: parts.length, nowMs });
      return 'opened';
    });
  } catch (error) {
    if (error instanceof OverCap) return error.result;
    throw error;
  }
}

async function takeCaps(db: Db, store: Store, network: string, parts: readonly PayoutPart[], caps: AttemptCaps) {
  const exposed = parts.reduce((sum, part) => sum + (part.exposed ? part.amountMicroUsdc : 0n), 0n);
  const counter = exposureCounter(network);
  if (exposed > 0n && !(await takeWithin(db, store, counter, exposed, caps.exposureCapMicroUsdc))) {
    throw new OverCap('exposure-limit');
  }
  const { accounts } = caps;
  if (accounts.count === 0) return;
  const mayOpen = await takeWithin(db, store, accounts.counter, BigInt(accounts.count), BigInt(accounts.dailyMax));
  if (!mayOpen) throw new OverCap('accounts-limit');
}

async function takePayout(db: Db, store: Store, attemptId: string, part: PayoutPart): Promise<void> {
  const { payouts } = store.tables;
  const taken = await move(db, payouts, {
    from: ['queued'],
    where: and(eq(payouts.id, part.id), eq(payouts.generation, part.generation), isNull(payouts.attemptId)),
    set: { status: 'broadcast', attemptId, nonce: part.nonce, exposed: part.exposed },
  });
  if (taken.length === 0) throw new Error(`payout ${part.id} was no longer queued in generation ${part.generation}`);
}

/** Belongs into the transaction that takes what it carries. */
export async function insertAttempt(
  db: Db,
  store: Store,
  attempt: NewAttempt,
  { kind, itemCount, nowMs }: { kind: (typeof ATTEMPT_KINDS)[number]; itemCount: number; nowMs: number },
): Promise<void> {
  await db.insert(store.tables.attempts).values({ ...attempt, kind, status: 'open', itemCount, createdAtMs: nowMs });
}

/** Transactions whose end is not known yet, oldest first. */
export async function openAttempts(store: Store, network: string, limit: number): Promise<AttemptRow[]> {
  const { attempts } = store.tables;
  return store.read
    .select()
    .from(attempts)
    .where(and(eq(attempts.network, network), eq(attempts.status, 'open')))
    .orderBy(asc(attempts.createdAtMs))
    .limit(limit);
}

/** Claimed payments that no transaction of ours has carried yet and that are not put off, oldest first. */
export async function receivedPayments(store: Store, network: string, nowMs: number, limit: number) {
  const { payments } = store.tables;
  return (
    store.read
      .select()
      .from(payments)
      // What is put off must not take the place of what could go: a crowd that waits holds up nobody.
      .where(
        and(
          eq(payments.network, network),
          eq(payments.status, 'received'),
          isNull(payments.attemptId),
          lte(payments.nextTryAtMs, nowMs),
        ),
      )
      .orderBy(asc(payments.createdAtMs))
      .limit(limit)
  );
}

/** What is on its way out of a token account by transactions that have not ended. */
export async function inFlightFrom(store: Store, network: string, payerAccount: string): Promise<bigint> {
  const { payments } = store.tables;
  const rows = await store.read
    .select({ sum: payments.sumMicroUsdc, fee: payments.feeMicroUsdc })
    .from(payments)
    .where(
      and(
        eq(payments.network, network),
        eq(payments.payerAccount, payerAccount),
        inArray(payments.status, ['settling']),
      ),
    );
  return rows.reduce((total, { sum, fee }) => total + sum + fee, 0n);
}

export async function paymentsOfAttempt(db: Db, store: Store, attemptId: string): Promise<PaymentRow[]> {
  const { payments } = store.tables;
  return db.select().from(payments).where(eq(payments.attemptId, attemptId));
}

export async function payoutsOfAttempt(db: Db, store: Store, attemptId: string): Promise<PayoutRow[]> {
  const { payouts } = store.tables;
  return db.select().from(payouts).where(eq(payouts.attemptId, attemptId));
}
