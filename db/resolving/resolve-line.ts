import { and, eq, ne } from 'drizzle-orm';
import { lineResolved } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import type { ReturnReason } from '../../core/states.ts';
import { ensureIdentity, walletOf } from '../identities/identities.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { enqueue } from '../store/outbox.ts';
import type { LineRow, PaymentRow } from '../payments/records/find.ts';
import { createLinePayout } from '../payments/settle.ts';
import { refundWithin, type RefundResult } from '../refunds/refund-line.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { endLookup } from '../identities/lookups.ts';

/** Whom the platform named, and since when that account has its name, where the platform says so. */
export type FoundPerson = { stableId: string; sinceMs?: number };

export type ResolveDependencies = { newIdentityId: () => string; newPayoutId: () => string; nowMs: number };

/** `not-waiting`: decided by somebody else, or the payment is not settled any more; nothing was changed. */
export type ResolveResult = 'escrowed' | 'paying' | 'returned' | 'not-waiting';

/**
 * A platform has said, after the payment, whom a name means. In one transaction the money moves from its placeholder to
 * that person, and goes on to their wallet if one is known. Where it cannot be said that the payer meant this person it
 * goes back instead (contract, section 8).
 */
export async function resolveLine(
  store: Store,
  txnId: number,
  person: FoundPerson,
  dependencies: ResolveDependencies,
): Promise<ResolveResult> {
  return store.tx((db) => resolveWithin(db, store, { txnId, person }, dependencies));
}

/** Nobody has the name, or nobody would say so in time. A line that was decided meanwhile is left alone. */
export async function returnUnresolved(
  store: Store,
  txnId: number,
  reason: ReturnReason,
  nowMs: number,
): Promise<RefundResult> {
  return store.tx((db) => refundWithin(db, store, { txnId, from: ['resolving'], reason }, nowMs));
}

/** The same inside the caller's transaction. Without `newPayoutId` the money waits even for somebody who has a wallet. */
export async function resolveWithin(
  db: Db,
  store: Store,
  { txnId, person }: { txnId: number; person: FoundPerson },
  {
    newIdentityId,
    newPayoutId,
    nowMs,
  }: Omit<ResolveDependencies, 'newPayoutId'> & { newPayoutId: (() => string) | null },
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
  const known = { platform, key, display, stableId: person.stableId };
  const identityId = await ensureIdentity(db, tables, known, newIdentityId(), nowMs);
  const [resolved] = await move(db, tables.lines, {
    from: ['resolving'],
    where: eq(tables.lines.txnId, txnId),
    set: { status: 'escrowed', identityId },
  });
  if (resolved === undefined) return 'not-waiting';
  await endLookup(db, tables, txnId);
  const network = payment.network as Network;
  const event = { network, paymentId: payment.id, txnId, placeholderId: line.identityId, identityId, amount };
  await postEntry(db, tables, lineResolved(event), nowMs);
  const wallet = await walletOf(db, tables, { identityId, network }, nowMs);
  if (wallet !== null && newPayoutId !== null) {
    // The chat hears of it when the money has arrived.
    await createLinePayout(db, { tables, newPayoutId, nowMs }, payment, resolved, wallet);
    return 'paying';
  }
  await enqueue(db, tables, 'receipt', `resolved:${payment.id}:${txnId}`, nowMs);
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
 * Who had the name when it was paid nobody knows; who has it now counts only when nobody else was ever seen with it, and
 * when they did not get it after the payment: somebody else could have taken it to be paid. And nobody is paid who said
 * that he wants no payments.
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
  const another = and(eq(identities.platform, line.platform), ne(identities.stableId, person.stableId));
  const [named] = await db
    .select({ id: identities.id })
    .from(identities)
    .where(and(another, eq(identities.key, line.recipientKey)))
    .limit(1);
  if (named) return 'had_another_owner';
  // An identity keeps its newest name only; those that it was paid under before are in its lines.
  const [paid] = await db
    .select({ id: identities.id })
    .from(lines)
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .where(and(another, eq(lines.platform, line.platform), eq(lines.recipientKey, line.recipientKey)))
    .limit(1);
  return paid ? 'had_another_owner' : null;
}
