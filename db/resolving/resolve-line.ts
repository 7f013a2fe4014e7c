import { and, eq, ne } from 'drizzle-orm';
import { lineResolved } from '../../core/ledger.ts';
import type { ReturnReason } from '../../core/states.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { ensureIdentity } from '../identities/identities.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { enqueue } from '../store/outbox.ts';
import type { LineRow, PaymentRow } from '../payments/records/find.ts';
import { createLinePayout } from '../payments/settle.ts';
import { refundWithin, type RefundResult } from '../refunds/refund-line.ts';
import { isBlocked } from '../tips/blocks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { endLookup } from '../identities/lookups.ts';

/** The account the platform named, and since when it has the name, where the platform says so. */
export type FoundPerson = { stableId: string; sinceMs?: number };

export type ResolveDependencies = { newIdentityId: () => string; transferIdOf: TransferIdOf; nowMs: number };

/** `not-waiting`: the line was decided meanwhile, or its payment is not settled any more; nothing was changed. */
export type ResolveResult = 'escrowed' | 'paying' | 'returned' | 'not-waiting';

/**
 * The platform answered after the payment who has the name. In one transaction the money moves from its placeholder to
 * that person, and goes on to their wallet if one is known. If the payer may have meant another person it goes back
 * instead.
 */
export async function resolveLine(
  store: Store,
  txnId: number,
  person: FoundPerson,
  dependencies: ResolveDependencies,
): Promise<ResolveResult> {
  return store.tx((db) => resolveWithin(db, store, { txnId, person }, dependencies));
}

/** No account has the name, or the platform did not answer in time. A line decided meanwhile stays as it is. */
export async function returnUnresolved(
  store: Store,
  txnId: number,
  reason: ReturnReason,
  nowMs: number,
): Promise<RefundResult> {
  return store.tx((db) => refundWithin(db, store, { txnId, from: ['resolving'], reason }, nowMs));
}

/** The same inside the caller's transaction. Without `transferIdOf` the money waits even if the person has a wallet. */
export async function resolveWithin(
  db: Db,
  store: Store,
  { txnId, person }: { txnId: number; person: FoundPerson },
  {
    newIdentityId,
    transferIdOf,
    nowMs,
  }: Omit<ResolveDependencies, 'transferIdOf'> & { transferIdOf: TransferIdOf | null },
): Promise<ResolveResult> {
  const { tables } = store;
  const found = await findResolving(db, tables, txnId);
  if (found === null) return 'not-waiting';
  const { line, payment } = found;
  const doubt = await doubtAbout(db, tables, found, person);
  if (doubt !== null) {
    const refund = { txnId, from: ['resolving'] as const, reason: doubt };
    return (await refundWithin(db, store, refund, nowMs)) === 'refunded' ? 'returned' : 'not-waiting';
  }
  const { platform, recipientKey: key, display, amountMicroUsdc: amount } = line;
  const known = { platform, key, display, ...person };
  const identityId = await ensureIdentity(db, tables, known, newIdentityId(), nowMs);
  const [resolved] = await move(db, tables.lines, {
    from: ['resolving'],
    where: eq(tables.lines.txnId, txnId),
    set: { status: 'escrowed', identityId },
  });
  if (resolved === undefined) return 'not-waiting';
  await endLookup(db, tables, txnId);
  const network = payment.network;
  const event = { network, paymentId: payment.id, txnId, placeholderId: line.identityId, identityId, amount };
  await postEntry(db, tables, lineResolved(event), nowMs);
  const isPaying =
    transferIdOf !== null && (await createLinePayout(db, { tables, transferIdOf, nowMs }, payment, resolved)) !== null;
  // The chat is notified when the money has arrived.
  if (isPaying) return 'paying';
  await enqueue(db, tables, 'line_resolved', { paymentId: payment.id, txnId }, nowMs);
  return 'escrowed';
}

type Resolving = { line: LineRow; payment: PaymentRow };

/** While a reorganisation has taken the money away there is nothing to move. */
async function findResolving(db: Db, tables: Tables, txnId: number): Promise<Resolving | null> {
  const { lines, payments } = tables;
  const [found] = await db
    .select({ line: lines, payment: payments })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(lines.txnId, txnId), eq(lines.status, 'resolving')));
  return found && ['settled', 'final'].includes(found.payment.status) ? found : null;
}

/**
 * It is unknown who had the name at the payment. Its present owner counts only if we never saw another owner and they
 * did not get the name after the payment: a stranger could have taken it to be paid. Who opted out is not paid.
 */
async function doubtAbout(
  db: Db,
  tables: Tables,
  { line, payment }: Resolving,
  person: FoundPerson,
): Promise<ReturnReason | null> {
  if (person.sinceMs !== undefined && person.sinceMs > payment.createdAtMs) return 'newer_than_payment';
  const { identities, lines } = tables;
  const same = and(eq(identities.platform, line.platform), eq(identities.stableId, person.stableId));
  const [known] = await db.select({ optedOutAtMs: identities.optedOutAtMs }).from(identities).where(same);
  if (known && known.optedOutAtMs !== null) return 'opted_out';
  const { platform } = line;
  if (await isBlocked(db, tables, { platform, stableId: person.stableId, payer: payment.payer })) return 'opted_out';
  const another = and(eq(identities.platform, line.platform), ne(identities.stableId, person.stableId));
  const [named] = await db
    .select({ id: identities.id })
    .from(identities)
    .where(and(another, eq(identities.key, line.recipientKey)))
    .limit(1);
  if (named) return 'had_another_owner';
  // An identity keeps only its newest name; earlier names it was paid under are in its lines.
  const [paid] = await db
    .select({ id: identities.id })
    .from(lines)
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .where(and(another, eq(lines.platform, line.platform), eq(lines.recipientKey, line.recipientKey)))
    .limit(1);
  return paid ? 'had_another_owner' : null;
}
