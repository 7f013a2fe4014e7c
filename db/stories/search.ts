import { and, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm';
import { AppError } from '../../core/errors.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import type { PaymentRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Store } from '../store/store.ts';
import { FORMS } from './forms.ts';
import { searchOthers, type Other } from './others.ts';

/** The newest that fit; `unexplained`: transfers of that hash which nothing explains. */
export type Found = {
  payments: PaymentRow[];
  others: Other[];
  hasMore: boolean;
  unexplained: Tables['observedTransfers']['$inferSelect'][];
};

const SHOWN_MAX = 50;

/**
 * Payments by a txn_id, an id of theirs, of a payout or a claim, a name, a wallet, a transaction, or a receipt's address; and
 * what else fits.
 */
export async function searchStories(store: Store, text: string): Promise<Found> {
  const wanted = text.trim();
  const which = await conditionOf(store, wanted);
  const { payments } = store.tables;
  const rows =
    which === undefined
      ? []
      : await store.read
          .select()
          .from(payments)
          .where(which)
          .orderBy(desc(payments.createdAtMs), desc(payments.id))
          .limit(SHOWN_MAX + 1);
  const unexplained = await unexplainedOf(store, wanted);
  const others = await searchOthers(store, wanted);
  return { payments: rows.slice(0, SHOWN_MAX), others, hasMore: rows.length > SHOWN_MAX, unexplained };
}

/** Undefined: nothing can fit. */
async function conditionOf(store: Store, text: string): Promise<SQL | undefined> {
  const { tables } = store;
  const { payments, lines } = tables;
  if (FORMS.txn.test(text)) return byLine(store, eq(lines.txnId, Number(text)));
  if (FORMS.payment.test(text)) return eq(payments.id, text);
  if (FORMS.claim.test(text)) return byClaim(store, text);
  if (FORMS.payout.test(text)) return byItems(store, [text.toLowerCase()]);
  if (FORMS.evmAddress.test(text)) return byAddress(store, text.toLowerCase());
  if (FORMS.evmHash.test(text)) return byTransaction(store, text.toLowerCase());
  if (FORMS.svmHash.test(text)) return byTransaction(store, text);
  if (FORMS.svmAddress.test(text)) return byAddress(store, text);
  const slug = text.split('/').at(-1) ?? '';
  if (FORMS.slug.test(slug)) return byLine(store, or(eq(lines.slug, slug), eq(lines.publicSlug, slug)));
  return byName(store, text);
}

function byLine({ read, tables: { payments, lines } }: Store, which: SQL | undefined): SQL {
  return inArray(payments.id, read.select({ id: lines.paymentId }).from(lines).where(which));
}

function byClaim(store: Store, claimId: string): SQL {
  const { claimLines, lines } = store.tables;
  const released = store.read
    .select({ txnId: claimLines.txnId })
    .from(claimLines)
    .where(eq(claimLines.claimId, claimId));
  return byLine(store, inArray(lines.txnId, released));
}

/** As payer, or as the place that a payout went to. */
function byAddress({ read, tables }: Store, address: string): SQL | undefined {
  const { payments, lines, transfers } = tables;
  const paidOut = read
    .select({ id: lines.paymentId })
    .from(lines)
    .innerJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(eq(transfers.toAddress, address));
  return or(eq(payments.payer, address), inArray(payments.id, paidOut));
}

/** The transaction that brought it, or any of ours that carried it or what left for it. */
async function byTransaction(store: Store, hash: string): Promise<SQL | undefined> {
  const { carrierItems, carrierTransactions, payments } = store.tables;
  const carried = await store.read
    .select({ id: carrierItems.itemId })
    .from(carrierTransactions)
    .innerJoin(carrierItems, eq(carrierItems.carrierId, carrierTransactions.carrierId))
    .where(eq(carrierTransactions.hash, hash));
  const ids = carried.map(({ id }) => id);
  const landed = eq(payments.landedTransaction, hash);
  return ids.length === 0 ? landed : or(landed, inArray(payments.id, ids), byItems(store, ids));
}

/** Payouts of lines, and refunds that several payments may share. */
function byItems(store: Store, ids: string[]): SQL | undefined {
  const { lines, payments, refunds } = store.tables;
  const refunded = store.read.select({ id: refunds.paymentId }).from(refunds).where(inArray(refunds.payoutId, ids));
  return or(byLine(store, inArray(lines.payoutId, ids)), inArray(payments.id, refunded));
}

function byName(store: Store, text: string): SQL | undefined {
  const [, word = '', receiver = ''] = FORMS.name.exec(text) ?? [];
  const platform = findPlatform(word);
  if (platform === null) return undefined;
  const { lines } = store.tables;
  try {
    const { key } = parseRecipient(platform, receiver);
    return byLine(store, and(eq(lines.platform, platform), eq(lines.recipientKey, key)));
  } catch (error) {
    // No such name can exist there, so nothing was ever paid to it.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function unexplainedOf({ read, tables }: Store, text: string): Promise<Found['unexplained']> {
  const { observedTransfers } = tables;
  const hash = FORMS.evmHash.test(text) ? text.toLowerCase() : text;
  if (!FORMS.evmHash.test(text) && !FORMS.svmHash.test(text)) return [];
  const isOpen = or(isNull(observedTransfers.consumedBy), eq(observedTransfers.consumedBy, 'suspense'));
  return read
    .select()
    .from(observedTransfers)
    .where(and(eq(observedTransfers.transaction, hash), isOpen))
    .limit(SHOWN_MAX);
}
