import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import {
  decideJoin,
  standingOf,
  type EarlierPayment,
  type Heard,
  type JoinDecision,
} from '../../../core/payments/joins.ts';
import { closeResponses, readResponses } from '../../processes/responses.ts';
import { placeholder, prepare } from '../../store/prepare.ts';
import type { Db, Store } from '../../store/store.ts';

/** Retries within this time join the first payment when its caller was never handed the answer. */
const JOIN_WINDOW_MS = 15 * 60_000;
/** A payer has far fewer that are not settled, and an answer leaves within a second of its settlement. */
const EARLIER_MAX = 100;

export type RequestKey = { payer: string; requestHash: string };

/**
 * A payer's recent payments for the same request whose callers were not handed their answers, newest first. Requests
 * with an idempotency key are compared by it alone.
 */
export async function findEarlier(db: Db, store: Store, { payer, requestHash }: RequestKey): Promise<EarlierPayment[]> {
  const rows = await selectEarlier(db, { payer, requestHash });
  if (rows.length === 0) return [];
  const responses = await readResponses(db, store, { paymentIds: rows.map(({ paymentId }) => paymentId) });
  return rows.map(({ paymentId, delivery }) => ({
    paymentId,
    delivery: delivery === 'waiting' ? 'waiting' : 'missed',
    responses: responses.filter((response) => response.paymentId === paymentId),
  }));
}

const selectEarlier = prepare((db, { payments }, clock) =>
  db
    .select({ paymentId: payments.id, delivery: payments.delivery })
    .from(payments)
    .where(
      and(
        eq(payments.payer, placeholder('payer')),
        eq(payments.requestHash, placeholder('requestHash')),
        gt(payments.reservedAtMs, sql`${clock} - ${JOIN_WINDOW_MS}`),
        ne(payments.delivery, 'handed'),
        ne(payments.status, 'rejected'),
        isNull(payments.idempotencyKey),
      ),
    )
    .orderBy(desc(payments.reservedAtMs))
    .limit(EARLIER_MAX),
);

/**
 * In the transaction that makes a retry join: what still waits for that payment in a process that is gone, or that has
 * not answered, never gets the answer then.
 */
export async function joinEarlier(db: Db, store: Store, request: RequestKey, heard: Heard): Promise<JoinDecision> {
  const earlier = await findEarlier(db, store, request);
  const decision = decideJoin(earlier, heard);
  if (decision.kind !== 'join') return decision;
  const { paymentId } = decision;
  const responses = earlier.flatMap((payment) => (payment.paymentId === paymentId ? payment.responses : []));
  const gone = responses.filter((response) => standingOf(response, heard) === 'gone');
  await closeResponses(
    db,
    store.tables,
    paymentId,
    gone.map(({ id }) => id),
  );
  return decision;
}
