import { UNSETTLED_PAYMENTS_MAX } from '../../core/amounts.ts';
import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { distributionOfOrder } from '../../core/rewards/distribution.ts';
import { ensureIdentity, type ClaimedRecipient } from '../identities/identities.ts';
import { enqueue } from '../store/outbox.ts';
import { startLookups } from '../identities/lookups.ts';
import { closedWithin, type Closed } from '../rewards/distributions.ts';
import { markTried } from '../rewards/unpaid.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { isMissed } from './records/missed.ts';

/** Retries within this time join the first payment when its caller was never handed the answer (contract, section 3). */
const JOIN_WINDOW_MS = 15 * 60_000;

export type NewLine = {
  txnId: number;
  slug: string;
  publicSlug: string;
  /** New: for a person who is paid for the first time, or to stand for one whom nobody knows yet. */
  identityId: string;
  recipient: ClaimedRecipient;
  receiver: string;
  amountMicroUsdc: bigint;
  note: string | null;
};

export type Claim = {
  paymentId: string;
  network: string;
  payer: string;
  payerAccount: string | null;
  nonce: string;
  payTo: string;
  validAfter: number;
  validBefore: number;
  signature: string;
  payloadHash: string;
  operation: string;
  requestHash: string;
  idempotencyKey: string | null;
  /** What can be paid once only; null for a payment that stands for itself. */
  orderId: string | null;
  sumMicroUsdc: bigint;
  feeMicroUsdc: bigint;
  description: string | null;
  meta: Record<string, unknown> | null;
  agentKnown: boolean;
  payerReference: string | null;
  deliveryOwner: string;
  bound: boolean;
  landedBefore: boolean;
  lines: NewLine[];
  /** False when the recipients were not looked up because the claim was expected to join an earlier payment. */
  resolved: boolean;
  nowMs: number;
  expiresAtMs: number;
};

export type ClaimResult =
  | { kind: 'claimed'; paymentId: string; outboxId: number | null }
  | { kind: 'joined'; paymentId: string }
  | { kind: 'already-landed'; fact: string }
  | { kind: 'too-many-resolving'; platform: string }
  | { kind: 'order-closed'; how: Closed }
  | { kind: 'already-claimed' | 'key-reused' | 'not-joined' | 'order-taken' | 'too-many-unsettled' };

/** Ends the transaction with nothing kept, and carries the answer out of it. */
export class ReservationRefused extends Error {
  readonly result: ClaimResult;
  constructor(result: ClaimResult) {
    super(result.kind);
    this.result = result;
  }
}

/**
 * Binds a proof to one request, once and for good. One transaction decides between four outcomes: a new payment, an
 * alias of an earlier one (same idempotency key, or a retry after a missed answer), a proof that somebody claimed in
 * the meantime, or a refusal. Nothing was broadcast yet and no network call happens in here.
 */
export async function reservePayment(store: Store, claim: Claim): Promise<ClaimResult> {
  try {
    return await store.tx((db) => claimWithin(db, store.tables, claim));
  } catch (error) {
    if (error instanceof ReservationRefused) return error.result;
    throw error;
  }
}

async function claimWithin(db: Db, tables: Tables, claim: Claim): Promise<ClaimResult> {
  const first = (await findByKey(db, tables, claim)) ?? (await findMissed(db, tables, claim));
  if (first === null && !claim.resolved) throw new ReservationRefused({ kind: 'not-joined' });
  await insertProof(db, tables, claim, first);
  if (first) {
    // What the first has bought is bought: nobody may be asked to pay for it again. Where another payment has it already,
    // the answer of the first is all there is to give.
    if (claim.orderId !== null) await tryOrder(db, tables, { orderId: claim.orderId, paymentId: first });
    return { kind: 'joined', paymentId: first };
  }
  await refuseLanded(db, tables, claim);
  await takeOrder(db, tables, claim);
  await assertOpen(db, tables, claim);
  await countUnsettled(db, tables, claim);
  await insertPayment(db, tables, claim);
  const outboxId = await enqueue(db, tables, 'payment', claim.paymentId, claim.nowMs);
  return { kind: 'claimed', paymentId: claim.paymentId, outboxId };
}

/** The payment that this payer's idempotency key already names; a key whose payment is rejected is free again. */
async function findByKey(db: Db, tables: Tables, claim: Claim): Promise<string | null> {
  if (claim.idempotencyKey === null) return null;
  const { idempotencyKeys, payments } = tables;
  const mine = and(eq(idempotencyKeys.payer, claim.payer), eq(idempotencyKeys.key, claim.idempotencyKey));
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
  if (row.requestHash !== claim.requestHash) throw new ReservationRefused({ kind: 'key-reused' });
  return row.id;
}

/** A recent payment for the same request whose caller got no 200: the new proof is that caller's retry. */
async function findMissed(db: Db, tables: Tables, claim: Claim): Promise<string | null> {
  const { payments } = tables;
  const [row] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.payer, claim.payer),
        eq(payments.requestHash, claim.requestHash),
        gt(payments.createdAtMs, claim.nowMs - JOIN_WINDOW_MS),
        isMissed(tables, claim.nowMs),
        ne(payments.status, 'rejected'),
        claim.idempotencyKey === null
          ? isNull(payments.idempotencyKey)
          : eq(payments.idempotencyKey, claim.idempotencyKey),
      ),
    )
    .orderBy(desc(payments.createdAtMs))
    .limit(1);
  return row?.id ?? null;
}

async function insertProof(db: Db, tables: Tables, claim: Claim, first: string | null): Promise<void> {
  const inserted = await db
    .insert(tables.proofs)
    .values({
      network: claim.network,
      payer: claim.payer,
      nonce: claim.nonce,
      payloadHash: claim.payloadHash,
      requestHash: claim.requestHash,
      paymentId: first ?? claim.paymentId,
      alias: first !== null,
      claimedAtMs: claim.nowMs,
    })
    .onConflictDoNothing()
    .returning({ nonce: tables.proofs.nonce });
  if (inserted.length === 0) throw new ReservationRefused({ kind: 'already-claimed' });
}

/**
 * A transfer that was on the chain before its proof was presented could be anybody's copy of a public signature, so it
 * is not taken as proof, unless its nonce names this very request. The row exists only when the block was scanned; what
 * landed before but is scanned later is told by the time of its block.
 */
async function refuseLanded(db: Db, tables: Tables, claim: Claim): Promise<void> {
  const { transfers } = tables;
  const [row] = await db
    .select({ fact: transfers.fact, consumedBy: transfers.consumedBy })
    .from(transfers)
    .where(
      and(
        eq(transfers.network, claim.network),
        eq(transfers.authorizer, claim.payer),
        eq(transfers.nonce, claim.nonce),
      ),
    );
  if (!row || (claim.bound && row.consumedBy === null)) return;
  throw new ReservationRefused({ kind: 'already-landed', fact: row.fact });
}

/** The first proof takes the order; it is free again once that payment is refused or dead. */
export async function takeOrder(db: Db, tables: Tables, { orderId, paymentId }: Claim): Promise<void> {
  if (orderId === null || (await tryOrder(db, tables, { orderId, paymentId }))) return;
  throw new ReservationRefused({ kind: 'order-taken' });
}

/**
 * A distribution that was rejected, is over or forgotten is paid by nobody; one that is taken already is just that. Any
 * other is kept from now on.
 */
async function assertOpen(db: Db, tables: Tables, { orderId, nowMs }: Claim): Promise<void> {
  const distribution = orderId === null ? null : distributionOfOrder(orderId);
  if (distribution === null) return;
  const how = await closedWithin(db, tables, distribution, nowMs);
  if (how !== null) throw new ReservationRefused({ kind: 'order-closed', how });
  // In this transaction, because what was never tried may be forgotten at any time.
  await markTried(db, tables, distribution, nowMs);
}

/** False when a payment that is not refused has it. */
async function tryOrder(
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
  const rejected = db.select({ id: payments.id }).from(payments).where(eq(payments.status, 'rejected'));
  const freed = await db
    .update(purchases)
    .set({ paymentId })
    .where(and(eq(purchases.orderId, orderId), inArray(purchases.paymentId, rejected)))
    .returning({ orderId: purchases.orderId });
  return freed.length > 0;
}

async function countUnsettled(db: Db, tables: Tables, claim: Claim): Promise<void> {
  const { payerLoads } = tables;
  await db.insert(payerLoads).values({ payer: claim.payer, unsettled: 0 }).onConflictDoNothing();
  const counted = await db
    .update(payerLoads)
    .set({ unsettled: sql`${payerLoads.unsettled} + 1` })
    .where(and(eq(payerLoads.payer, claim.payer), lt(payerLoads.unsettled, UNSETTLED_PAYMENTS_MAX)))
    .returning({ payer: payerLoads.payer });
  if (counted.length === 0) throw new ReservationRefused({ kind: 'too-many-unsettled' });
}

/** With its lines; those whose platform has not answered are noted to be looked up. */
export async function insertPayment(db: Db, tables: Tables, claim: Claim): Promise<void> {
  const {
    lines,
    payloadHash: _hash,
    resolved: _resolved,
    orderId: _order,
    expiresAtMs,
    nowMs,
    paymentId,
    ...payment
  } = claim;
  await db.insert(tables.payments).values({
    ...payment,
    id: paymentId,
    status: 'received',
    nextTryAtMs: nowMs,
    tries: 0,
    delivery: 'waiting',
    createdAtMs: nowMs,
  });
  if (claim.idempotencyKey !== null) {
    const { payer, idempotencyKey: key, requestHash } = claim;
    await db.insert(tables.idempotencyKeys).values({ payer, key, requestHash, paymentId });
  }
  for (const [position, line] of lines.entries()) {
    const identityId = await identityOf(db, tables, line, nowMs);
    await db.insert(tables.lines).values({
      txnId: line.txnId,
      paymentId,
      position,
      identityId,
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
    });
  }
  const unresolved = lines.filter(({ recipient }) => recipient.stableId === null);
  const looked = unresolved.map(({ txnId, recipient }) => ({ txnId, paymentId, platform: recipient.platform }));
  const full = await startLookups(db, tables, looked, nowMs);
  if (full !== null) throw new ReservationRefused({ kind: 'too-many-resolving', platform: full });
}

async function identityOf(db: Db, tables: Tables, line: NewLine, nowMs: number): Promise<string> {
  const { stableId, ...recipient } = line.recipient;
  if (stableId === null) return line.identityId;
  return ensureIdentity(db, tables, { ...recipient, stableId }, line.identityId, nowMs);
}
