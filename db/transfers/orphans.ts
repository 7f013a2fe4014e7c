import { countEndedPayouts } from '../counts/ended.ts';
import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { lossRecovered } from '../../core/ledger.ts';
import { NETWORKS } from '../../core/networks.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { postEntry } from '../ledger/ledger.ts';
import { uncount } from '../limits/release.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { giveBackExposure } from './exposure.ts';
import { isExposed } from './find.ts';
import { giveBackReserve, sourceOf } from './reserve.ts';

/**
 * A reorganisation can take a payment away for good after its lines have got their payouts. What was not sent by then is
 * not sent any more, and the loss that was noted for it is none.
 */

/** Payouts of dead payments that nothing signed can land. */
export async function orphanedPayouts(store: Store, limit: number): Promise<string[]> {
  const { lines, payments, transfers } = store.tables;
  const rows = await store.read
    .selectDistinct({ id: transfers.id })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, and(eq(payments.id, lines.paymentId), isDead(store.tables)))
    .where(neverSent(store.tables))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** As seen from what is open: of the dead ones there are ever more. */
const isDead = ({ payments }: Tables) => isOneOf(payments.status, ['rejected']);

/** Held, queued, or signed for and in no transaction yet. */
function neverSent({ transfers }: Tables) {
  const unsent = and(eq(transfers.status, 'assigned'), isNull(transfers.carrierId), eq(transfers.tries, 0));
  return or(inArray(transfers.status, ['held', 'queued']), unsent);
}

/**
 * Ends such a payout: its reserve is reversed, and its dead payments' money is no longer owed. Refunds of living
 * payments that shared it go into another payout. Answers whether this call ended it.
 */
export async function voidOrphan(store: Store, payoutId: string, nowMs: number): Promise<boolean> {
  const { tables } = store;
  const { transfers } = tables;
  return store.tx(async (db) => {
    const dead = await deadLinesOf(db, tables, payoutId);
    if (dead.length === 0) return false;
    const [before] = await db.select().from(transfers).where(eq(transfers.id, payoutId));
    const moved = await move(db, transfers, {
      where: and(eq(transfers.id, payoutId), neverSent(tables)),
      set: { status: 'void', exposed: false },
    });
    if (before === undefined || moved.length === 0) return false;
    await uncount(db, tables, payoutId);
    await giveBackReserve(db, tables, before, nowMs);
    if (before.exposed) await giveBackExposure(db, store, before.network, before.amountMicroUsdc);
    if (before.purpose === 'refund') await freeRefunds(db, tables, payoutId);
    else
      for (const { paymentId, txnId, network } of dead) {
        await moveLine(db, tables, txnId, 'paying');
        const amount = before.amountMicroUsdc;
        const written = { network, paymentId, txnId, account: sourceOf(before), amount };
        await postEntry(db, tables, lossRecovered(written), nowMs);
      }
    await countEndedPayouts(db, store, 'void', moved);
    return true;
  });
}

async function deadLinesOf(db: Db, { lines, payments }: Tables, payoutId: string) {
  const rows = await db
    .select({ txnId: lines.txnId, paymentId: payments.id, network: payments.network })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(lines.payoutId, payoutId), eq(payments.status, 'rejected')));
  return rows.map((row) => ({ ...row, network: row.network }));
}

async function moveLine(db: Db, { lines }: Tables, txnId: number, from: 'paying' | 'returning'): Promise<void> {
  const moved = await move(db, lines, { from: [from], where: eq(lines.txnId, txnId), set: { status: 'void' } });
  if (moved.length === 0) throw new Error(`line ${txnId} is not ${from}, which its payout says`);
}

async function freeRefunds(db: Db, { lines, refunds }: Tables, payoutId: string): Promise<void> {
  await db.update(refunds).set({ payoutId: null }).where(eq(refunds.payoutId, payoutId));
  await db.update(lines).set({ payoutId: null }).where(eq(lines.payoutId, payoutId));
}

/** Refunds of dead payments that are in no payout. */
export async function orphanedRefunds(store: Store, limit: number): Promise<string[]> {
  const { payments, refunds } = store.tables;
  const rows = await store.read
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(payments, and(eq(payments.id, refunds.paymentId), isDead(store.tables)))
    .where(isNull(refunds.payoutId))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The payer still has the money, so nothing is owed back. Answers whether this call ended it. */
export async function voidRefund(store: Store, refundId: string, nowMs: number): Promise<boolean> {
  const { tables } = store;
  const { payments, refunds } = tables;
  return store.tx(async (db) => {
    const [found] = await db
      .select({ id: refunds.id })
      .from(refunds)
      .innerJoin(payments, and(eq(payments.id, refunds.paymentId), eq(payments.status, 'rejected')))
      .where(eq(refunds.id, refundId));
    if (!found) return false;
    const [refund] = await db
      .delete(refunds)
      .where(and(eq(refunds.id, refundId), isNull(refunds.payoutId)))
      .returning();
    if (!refund) return false;
    const { paymentId, txnId, account, amountMicroUsdc: amount } = refund;
    if (paymentId === null || txnId === null) throw new Error(`refund ${refundId} names no line`);
    await moveLine(db, tables, txnId, 'returning');
    const network = refund.network;
    await postEntry(db, tables, lossRecovered({ network, paymentId, txnId, account, amount }), nowMs);
    return true;
  });
}

const LANDED = ['confirmed', 'final'] as const;

/**
 * What was paid out against a payment that is dead is lost, and at risk no longer. Answers how many it was. The index of what is
 * at risk begins with the network, so all of them are named.
 */
export async function releaseLostExposure(store: Store, limit: number): Promise<number> {
  const { lines, payments, transfers } = store.tables;
  const rows = await store.read
    .selectDistinct({ id: transfers.id, network: transfers.network, amount: transfers.amountMicroUsdc })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, and(eq(payments.id, lines.paymentId), isDead(store.tables)))
    .where(and(inArray(transfers.network, NETWORKS), isExposed(store.tables), isOneOf(transfers.status, LANDED)))
    .limit(limit);
  if (rows.length === 0) return 0;
  await store.tx(async (db) => {
    for (const { id, network, amount } of rows) {
      const moved = await db
        .update(transfers)
        .set({ exposed: false })
        .where(and(eq(transfers.id, id), eq(transfers.exposed, true), inArray(transfers.status, LANDED)))
        .returning({ id: transfers.id });
      if (moved.length > 0) await giveBackExposure(db, store, network, amount);
    }
  });
  return rows.length;
}
