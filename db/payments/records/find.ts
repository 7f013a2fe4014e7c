import type { Network } from '../../../core/networks.ts';
import { returnedBecause } from '../../../core/payments/returned-because.ts';
import type { ReturnedBecause } from '../../../core/states.ts';
import { type SQL, and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { isUsed, usedAfter } from '../../identities/live-wallets.ts';
import { placeholder, prepare } from '../../store/prepare.ts';
import type { Db, Store } from '../../store/store.ts';
import type { Tables } from '../../schema/tables.ts';

export type PaymentRow = Tables['payments']['$inferSelect'];
export type LineRow = Tables['lines']['$inferSelect'];
export type TransferRow = Tables['transfers']['$inferSelect'];
export type ProofRow = Tables['proofs']['$inferSelect'];

export async function findProof(
  store: Store,
  network: Network,
  payer: string,
  nonce: string,
): Promise<ProofRow | null> {
  const [row] = await selectProof(store.read, { network, payer, nonce });
  return row ?? null;
}

const selectProof = prepare((db, { proofs }) =>
  db
    .select()
    .from(proofs)
    .where(
      and(
        eq(proofs.network, placeholder('network')),
        eq(proofs.payer, placeholder('payer')),
        eq(proofs.nonce, placeholder('nonce')),
      ),
    ),
);

export async function findPayment(store: Store, paymentId: string): Promise<PaymentRow | null> {
  const [row] = await selectPayment(store.read, { id: paymentId });
  return row ?? null;
}

const selectPayment = prepare((db, { payments }) =>
  db
    .select()
    .from(payments)
    .where(eq(payments.id, placeholder('id'))),
);

export async function findPayments(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, PaymentRow>> {
  const { payments } = store.tables;
  const rows = await store.read
    .select()
    .from(payments)
    .where(inArray(payments.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a payer's idempotency key names now, unless that payment was rejected. */
export async function findKeyed(
  store: Store,
  payer: string,
  key: string,
): Promise<{ paymentId: string; requestHash: string } | null> {
  const { idempotencyKeys, payments } = store.tables;
  const [row] = await store.read
    .select({ paymentId: payments.id, requestHash: idempotencyKeys.requestHash })
    .from(idempotencyKeys)
    .innerJoin(payments, eq(payments.id, idempotencyKeys.paymentId))
    .where(and(eq(idempotencyKeys.payer, payer), eq(idempotencyKeys.key, key), ne(payments.status, 'rejected')));
  return row ?? null;
}

export type LineWithPayout = { line: LineRow; payout: TransferRow | null };

export async function linesOf(store: Store, paymentId: string): Promise<LineWithPayout[]> {
  return selectLines(store.read, { paymentId });
}

const selectLines = prepare((db, { lines, transfers }) =>
  db
    .select({ line: lines, payout: transfers })
    .from(lines)
    .leftJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(eq(lines.paymentId, placeholder('paymentId')))
    .orderBy(asc(lines.position)),
);

export type ReceiptRow = LineWithPayout & { payment: PaymentRow };

/**
 * `isOwned`: its recipient is known and has addresses, of which none takes it now: they confirmed a claim that it is
 * part of, or it was sent after that. `returnedBecause`: null while it does not go back, and where nothing tells why.
 */
export type ShownRow = ReceiptRow & { isOwned: boolean; returnedBecause: ReturnedBecause | null };

/** By either of its addresses; the public one shows neither note nor sender. */
export async function findReceipt(store: Store, slug: string, nowMs: number): Promise<ShownRow | null> {
  const values = { slug, usedAfterMs: usedAfter(nowMs) };
  const found = toShown(await selectBySlug(store.read, values));
  if (found !== null) return found;
  const open = toShown(await selectByPublicSlug(store.read, values));
  if (open === null) return null;
  return { ...open, line: { ...open.line, note: null }, payment: { ...open.payment, description: null, meta: null } };
}

export async function findLine(store: Store, txnId: number, nowMs: number): Promise<ShownRow | null> {
  return toShown(await selectByTxn(store.read, { txnId, usedAfterMs: usedAfter(nowMs) }));
}

const selectBySlug = prepare((db, tables) => shownRows(db, tables, eq(tables.lines.slug, placeholder('slug'))));
const selectByPublicSlug = prepare((db, tables) =>
  shownRows(db, tables, eq(tables.lines.publicSlug, placeholder('slug'))),
);
const selectByTxn = prepare((db, tables) => shownRows(db, tables, eq(tables.lines.txnId, placeholder('txnId'))));

function shownRows(db: Db, tables: Tables, which: SQL) {
  const { claimLines, lines, payments, refunds, transfers, wallets } = tables;
  const isLater = sql`${wallets.identityId} = ${lines.identityId} and ${isUsed(lines, tables, placeholder('usedAfterMs'))}`;
  const isOwned = sql<unknown>`(exists (select 1 from ${claimLines} where ${claimLines.txnId} = ${lines.txnId}) or (
    exists (select 1 from ${wallets} where ${isLater}) and
    not exists (select 1 from ${wallets} where ${isLater} and ${wallets.network} = ${payments.network})))`;
  return db
    .select({ line: lines, payment: payments, payout: transfers, isOwned, refundedAtMs: refunds.createdAtMs })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .leftJoin(transfers, eq(transfers.id, lines.payoutId))
    .leftJoin(refunds, eq(refunds.txnId, lines.txnId))
    .where(which);
}

function toShown([row]: Awaited<ReturnType<typeof selectBySlug>>): ShownRow | null {
  if (row === undefined) return null;
  const { refundedAtMs, ...shown } = row;
  const why = row.line.status === 'returning' ? returnedBecause(row.line, refundedAtMs) : null;
  // SQLite answers 0 or 1.
  return { ...shown, isOwned: Boolean(row.isOwned), returnedBecause: why };
}

export async function linesOfPayout(store: Store, payoutId: string): Promise<LineWithPayout[]> {
  const { lines, transfers } = store.tables;
  return store.read
    .select({ line: lines, payout: transfers })
    .from(lines)
    .innerJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(eq(lines.payoutId, payoutId))
    .orderBy(asc(lines.position));
}
