import { and, eq, exists } from 'drizzle-orm';
import type { Heard } from '../../core/payments/joins.ts';
import { taskOfOrder } from '../../core/tasks.ts';
import { distributionOfOrder } from '../../core/rewards/distribution.ts';
import { useEndpoint } from '../events/endpoints.ts';
import { tellTask } from '../events/tell.ts';
import { ensureIdentity } from '../identities/identities.ts';
import { enqueue } from '../store/outbox.ts';
import { startLookups } from '../identities/lookups.ts';
import { openResponse, type HeldResponse } from '../processes/responses.ts';
import { closedWithin, type Closed } from '../rewards/distributions.ts';
import { markTried } from '../rewards/unpaid.ts';
import { payerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { NewLine, PaymentOrder } from './order.ts';
import { joinEarlier } from './records/earlier.ts';
import { addLoad, insertLine, insertProof, insertReceived, selectLanded } from './reserve-statements.ts';

export type Reservation = PaymentOrder & {
  /** The connection that waits for the answer. */
  response: HeldResponse;
  /** What is known about callers that wait for earlier payments of the same request. */
  heard: Heard;
};

export type ReservationResult =
  | { kind: 'reserved'; paymentId: string; outboxId: number | null }
  | { kind: 'joined'; paymentId: string }
  | { kind: 'already-landed'; fact: string }
  /** The chain says that the authorization is used, and the books know no transfer of it yet. */
  | { kind: 'used-before' }
  | { kind: 'too-many-resolving'; platform: string }
  | { kind: 'order-closed'; how: Closed }
  | { kind: 'already-reserved' | 'key-reused' | 'order-taken' | 'too-many-unsettled' }
  | { kind: 'not-joined' }
  /** This payer has registered no endpoint of that id. */
  | { kind: 'no-endpoint' }
  /** The process whose caller may still wait for an earlier payment of this request has to be asked first. */
  | { kind: 'unheard' };

/** Ends the transaction, keeps nothing, and carries the answer out of it. */
export class ReservationRefused extends Error {
  readonly result: ReservationResult;
  constructor(result: ReservationResult) {
    super(result.kind);
    this.result = result;
  }
}

/**
 * Binds a payment proof to one request for good. One transaction decides: a new payment, an alias of an earlier one
 * (same idempotency key, or a retry after a missed answer), a proof reserved in the meantime, or a refusal. Nothing was
 * broadcast yet, and no network call happens in here.
 */
export async function reservePayment(store: Store, reservation: Reservation): Promise<ReservationResult> {
  try {
    // What will be refused shares with nobody, unless there are conflicts: a refusal undoes all in its transaction.
    const locks = isUsed(reservation) ? [] : [payerLock(reservation.payer)];
    return await store.tx((db) => reserveWithin(db, store, reservation), locks);
  } catch (error) {
    if (error instanceof ReservationRefused) return error.result;
    throw error;
  }
}

/**
 * Statements that need nothing of each other go together (`Promise.all`): on PostgreSQL they are one round trip. What they
 * say counts in the order below; a refusal undoes them all.
 */
async function reserveWithin(db: Db, store: Store, reservation: Reservation): Promise<ReservationResult> {
  const { tables } = store;
  const { network, payer, nonce } = reservation;
  const [first, landed] = await Promise.all([
    findFirst(db, store, reservation),
    selectLanded(db, { network, payer, nonce }),
  ]);
  if (first !== null) return join(db, tables, reservation, first);
  if (!reservation.resolved) throw new ReservationRefused({ kind: 'not-joined' });
  const [isBound, hasRoom, identityIds] = await Promise.all([
    bindProof(db, reservation, null),
    countUnsettled(db, reservation),
    identitiesOf(db, tables, reservation),
  ]);
  if (!isBound) throw new ReservationRefused({ kind: 'already-reserved' });
  await nameEndpoint(db, reservation);
  assertNotLanded(landed, reservation);
  assertUnused(reservation);
  await takePurchase(db, tables, reservation);
  await assertOpen(db, tables, reservation);
  if (!hasRoom) throw new ReservationRefused({ kind: 'too-many-unsettled' });
  const { paymentId, nowMs, orderId, response } = reservation;
  const [outboxId] = await Promise.all([
    enqueue(db, tables, 'payment_reserved', { paymentId }, nowMs),
    openResponse(db, tables, response, paymentId),
    insertPayment(db, store, reservation, identityIds),
  ]);
  const taskId = orderId === null ? null : taskOfOrder(orderId);
  if (taskId !== null) await tellTask(db, tables, { taskId, type: 'task_working', paymentId }, nowMs);
  return { kind: 'reserved', paymentId, outboxId };
}

/** The earlier payment whose answer this request gets; null where it is a payment of its own. */
async function findFirst(db: Db, store: Store, reservation: Reservation): Promise<string | null> {
  return (await findByKey(db, store.tables, reservation)) ?? (await findMissed(db, store, reservation));
}

async function join(db: Db, tables: Tables, reservation: Reservation, first: string): Promise<ReservationResult> {
  if (!(await bindProof(db, reservation, first))) throw new ReservationRefused({ kind: 'already-reserved' });
  await openResponse(db, tables, reservation.response, first);
  // The first payment also buys this purchase, so that it is never paid again. If another payment has it already, the
  // caller still gets the first payment's answer.
  if (reservation.orderId !== null) await tryPurchase(db, tables, { orderId: reservation.orderId, paymentId: first });
  return { kind: 'joined', paymentId: first };
}

/** The payment that this payer's idempotency key already names; a key whose payment is rejected is free again. */
async function findByKey(db: Db, tables: Tables, reservation: Reservation): Promise<string | null> {
  if (reservation.idempotencyKey === null) return null;
  const { idempotencyKeys, payments } = tables;
  const mine = and(eq(idempotencyKeys.payer, reservation.payer), eq(idempotencyKeys.key, reservation.idempotencyKey));
  const [row] = await db
    .select({ id: payments.id, requestHash: idempotencyKeys.requestHash, status: payments.status })
    .from(idempotencyKeys)
    .innerJoin(payments, eq(payments.id, idempotencyKeys.paymentId))
    .where(mine);
  if (!row) return null;
  if (row.status === 'rejected') {
    await db.delete(idempotencyKeys).where(mine);
    return null;
  }
  if (row.requestHash !== reservation.requestHash) throw new ReservationRefused({ kind: 'key-reused' });
  return row.id;
}

/** A recent payment for the same request whose caller got no 200: the new proof is that caller's retry. */
async function findMissed(db: Db, store: Store, reservation: Reservation): Promise<string | null> {
  if (reservation.idempotencyKey !== null) return null;
  const decision = await joinEarlier(db, store, reservation, reservation.heard);
  if (decision.kind === 'ask') throw new ReservationRefused({ kind: 'unheard' });
  return decision.kind === 'join' ? decision.paymentId : null;
}

/** False when the proof is bound already. */
async function bindProof(db: Db, reservation: Reservation, first: string | null): Promise<boolean> {
  const { network, payer, nonce, payloadHash, requestHash, nowMs: claimedAtMs } = reservation;
  const paymentId = first ?? reservation.paymentId;
  const proof = { network, payer, nonce, payloadHash, requestHash, paymentId, alias: first !== null, claimedAtMs };
  const inserted = await insertProof(db, proof);
  return inserted.length > 0;
}

/**
 * A transfer that landed before its proof was presented could be a stranger's copy of a public signature, so it is not
 * taken as proof, unless its nonce names this very request. The row exists only once its block is scanned; a transfer
 * scanned later is recognised by the time of its block.
 */
function assertNotLanded([row]: Awaited<ReturnType<typeof selectLanded>>, { bound }: Reservation): void {
  if (!row || (bound && row.consumedBy === null)) return;
  throw new ReservationRefused({ kind: 'already-landed', fact: row.fact });
}

/**
 * It would not pay for this request, so it takes no place, no purchase and no gas. Presented once more, either its transfer
 * is in the books, or the chain has thought better of it (the block was undone, or a node lied).
 */
function assertUnused(reservation: Reservation): void {
  if (isUsed(reservation)) throw new ReservationRefused({ kind: 'used-before' });
}

const isUsed = ({ landedBefore, bound }: Reservation) => landedBefore && !bound;

/** The first proof takes the purchase; it is free again once that payment is refused or dead. */
export async function takePurchase(db: Db, tables: Tables, { orderId, paymentId }: PaymentOrder): Promise<void> {
  if (orderId === null || (await tryPurchase(db, tables, { orderId, paymentId }))) return;
  throw new ReservationRefused({ kind: 'order-taken' });
}

/**
 * A rejected, expired or deleted distribution takes no payment. Any other is kept for good from its first payment try
 * on.
 */
async function assertOpen(db: Db, tables: Tables, { orderId, nowMs }: Reservation): Promise<void> {
  const distribution = orderId === null ? null : distributionOfOrder(orderId);
  if (distribution === null) return;
  const how = await closedWithin(db, tables, distribution, nowMs);
  if (how !== null) throw new ReservationRefused({ kind: 'order-closed', how });
  // In this transaction, because what was never tried may be forgotten at any time.
  await markTried(db, tables, distribution, nowMs);
}

/** False when a payment that is not refused has it. */
async function tryPurchase(
  db: Db,
  { purchases, payments }: Tables,
  { orderId, paymentId }: { orderId: string; paymentId: string },
): Promise<boolean> {
  const taken = await db
    .insert(purchases)
    .values({ orderId, paymentId })
    .onConflictDoNothing()
    .returning({ orderId: purchases.orderId });
  if (taken.length > 0) return true;
  const rejected = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.id, purchases.paymentId), eq(payments.status, 'rejected')));
  const freed = await db
    .update(purchases)
    .set({ paymentId })
    .where(and(eq(purchases.orderId, orderId), exists(rejected)))
    .returning({ orderId: purchases.orderId });
  return freed.length > 0;
}

/** Only who signed for an endpoint may have it told something. One that has ended takes nothing, and refuses no payment. */
async function nameEndpoint(db: Db, { endpointId = null, network, payer, nowMs }: Reservation): Promise<void> {
  if (endpointId === null || (await useEndpoint(db, { id: endpointId, network, payer, nowMs }))) return;
  throw new ReservationRefused({ kind: 'no-endpoint' });
}

/** False when this payer has as many unsettled payments as one may have. */
async function countUnsettled(db: Db, { payer }: Reservation): Promise<boolean> {
  const counted = await addLoad(db, { payer });
  return counted.length > 0;
}

/** With its lines, whose people are `identitiesOf` it; those whose platform has not answered are queued for lookup. */
export async function insertPayment(
  db: Db,
  { tables }: Pick<Store, 'tables'>,
  reservation: PaymentOrder,
  identityIds: readonly string[],
): Promise<void> {
  const { lines, expiresAtMs, nowMs, paymentId, meta, endpointId = null } = reservation;
  const json = meta === null ? null : JSON.stringify(meta);
  const rows = lines.map((line, position) => ({
    txnId: line.txnId,
    paymentId,
    position,
    identityId: identityIds[position],
    platform: line.recipient.platform,
    receiver: line.receiver,
    recipientKey: line.recipient.key,
    display: line.recipient.display,
    amountMicroUsdc: line.amountMicroUsdc,
    note: line.note,
    status: line.recipient.stableId === null ? 'resolving' : 'accepted',
    slug: line.slug,
    publicSlug: line.publicSlug,
    expiresAtMs,
  }));
  await Promise.all([
    insertReceived(db, { ...reservation, id: paymentId, endpointId, meta: json }),
    insertKey(db, tables, reservation),
    ...rows.map((row) => insertLine(db, row)),
  ]);
  const unresolved = lines.filter(({ recipient }) => recipient.stableId === null);
  const looked = unresolved.map(({ txnId, recipient }) => ({ txnId, paymentId, platform: recipient.platform }));
  const full = await startLookups(db, tables, looked, nowMs);
  if (full !== null) throw new ReservationRefused({ kind: 'too-many-resolving', platform: full });
}

/** The person of each line, in their order. */
export function identitiesOf(db: Db, tables: Tables, { lines, nowMs }: PaymentOrder): Promise<string[]> {
  return Promise.all(lines.map((line) => identityOf(db, tables, line, nowMs)));
}

async function insertKey(db: Db, { idempotencyKeys }: Tables, reservation: PaymentOrder): Promise<void> {
  const { payer, idempotencyKey: key, requestHash, paymentId } = reservation;
  if (key !== null) await db.insert(idempotencyKeys).values({ payer, key, requestHash, paymentId });
}

async function identityOf(db: Db, tables: Tables, line: NewLine, nowMs: number): Promise<string> {
  const { stableId, ...recipient } = line.recipient;
  if (stableId === null) return line.identityId;
  return ensureIdentity(db, tables, { ...recipient, stableId }, line.identityId, nowMs);
}
