import { and, asc, eq, inArray, lte } from 'drizzle-orm';
import { LIMIT_REASONS } from '../../core/states.ts';
import { move } from '../store/move.ts';
import { readPayoutSettings } from './settings.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { dayOf, giveBackDaily, nextDayMs, takeDaily, type Limited } from './daily.ts';

/**
 * Payouts kept back by a limit that may be tried now, oldest first. Each is tried once a day: what a day has no room for
 * it has no room for later. While a reorganisation has taken the money away there is nothing to let go.
 */
export async function dueHeldByLimit(store: Store, nowMs: number, limit: number): Promise<string[]> {
  const { lines, payments, payouts } = store.tables;
  const rows = await store.read
    .select({ id: payouts.id })
    .from(payouts)
    .innerJoin(lines, eq(lines.payoutId, payouts.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        eq(payouts.status, 'held'),
        inArray(payouts.heldReason, [...LIMIT_REASONS]),
        lte(payouts.nextTryAtMs, nowMs),
        inArray(payments.status, ['settled', 'final']),
      ),
    )
    .orderBy(asc(payouts.createdAtMs), asc(payouts.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Lets a payout go if today has room for it; otherwise it waits for the next day. The state moves first, so that of
 * several workers one takes the payout's part of the limits, and takes it once. Answers whether it was let go.
 */
export async function releaseByLimit(store: Store, payoutId: string, nowMs: number): Promise<boolean> {
  const { tables } = store;
  const { payouts } = tables;
  return store.tx(async (db) => {
    const heldByLimit = inArray(payouts.heldReason, [...LIMIT_REASONS]);
    const [moved] = await move(db, payouts, {
      from: ['held'],
      where: and(eq(payouts.id, payoutId), heldByLimit),
      set: { status: 'queued', heldReason: null, countedOn: dayOf(nowMs), nextTryAtMs: nowMs },
    });
    if (!moved) return false;
    const limited = await limitedBy(db, tables, payoutId);
    if (limited === null) throw new Error(`payout ${payoutId} is held by a limit and pays no line`);
    const over = await takeDaily(db, tables, limited, await readPayoutSettings(db, tables), nowMs);
    if (over === null) return true;
    await move(db, payouts, {
      from: ['queued'],
      where: eq(payouts.id, payoutId),
      set: { status: 'held', heldReason: over, countedOn: null, nextTryAtMs: nextDayMs(nowMs) },
    });
    return false;
  });
}

/** Whose limits a payout counts against; null for one that is not limited (refunds, withdrawals). */
export async function limitedBy(db: Db, tables: Tables, payoutId: string): Promise<Limited | null> {
  const { lines, payments, payouts } = tables;
  const [row] = await db
    .select({ payer: payments.payer, identityId: lines.identityId, amountMicroUsdc: payouts.amountMicroUsdc })
    .from(payouts)
    .innerJoin(lines, eq(lines.payoutId, payouts.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(payouts.id, payoutId), eq(payouts.purpose, 'line')));
  return row ?? null;
}

/** A payout that comes to nothing gives its part back, to the day it took it from. */
export async function uncount(db: Db, tables: Tables, payoutId: string): Promise<void> {
  const { payouts } = tables;
  const [payout] = await db.select({ day: payouts.countedOn }).from(payouts).where(eq(payouts.id, payoutId));
  const day = payout?.day ?? null;
  const limited = await limitedBy(db, tables, payoutId);
  if (day === null || limited === null) return;
  await db.update(payouts).set({ countedOn: null }).where(eq(payouts.id, payoutId));
  await giveBackDaily(db, tables, limited, day);
}
