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
  const { lines, payments, transfers } = store.tables;
  const rows = await store.read
    .select({ id: transfers.id })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        eq(transfers.status, 'held'),
        inArray(transfers.heldReason, [...LIMIT_REASONS]),
        lte(transfers.nextTryAtMs, nowMs),
        inArray(payments.status, ['settled', 'final']),
      ),
    )
    .orderBy(asc(transfers.createdAtMs), asc(transfers.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Lets a payout go if today has room for it; otherwise it waits for the next day. The state moves first, so that of
 * several workers one takes the payout's part of the limits, and takes it once. Answers whether it was let go.
 */
export async function releaseByLimit(store: Store, payoutId: string, nowMs: number): Promise<boolean> {
  const { tables } = store;
  const { transfers } = tables;
  return store.tx(async (db) => {
    const heldByLimit = inArray(transfers.heldReason, [...LIMIT_REASONS]);
    const [moved] = await move(db, transfers, {
      from: ['held'],
      where: and(eq(transfers.id, payoutId), heldByLimit),
      set: { status: 'queued', heldReason: null, countedOn: dayOf(nowMs), nextTryAtMs: nowMs },
    });
    if (!moved) return false;
    const limited = await limitedBy(db, tables, payoutId);
    if (limited === null) throw new Error(`payout ${payoutId} is held by a limit and pays no line`);
    const over = await takeDaily(db, tables, limited, await readPayoutSettings(db, tables), nowMs);
    if (over === null) return true;
    await move(db, transfers, {
      from: ['queued'],
      where: eq(transfers.id, payoutId),
      set: { status: 'held', heldReason: over, countedOn: null, nextTryAtMs: nextDayMs(nowMs) },
    });
    return false;
  });
}

/** Whose limits a payout counts against; null for one that is not limited (refunds, withdrawals). */
export async function limitedBy(db: Db, tables: Tables, payoutId: string): Promise<Limited | null> {
  const { lines, payments, transfers } = tables;
  const [row] = await db
    .select({ payer: payments.payer, identityId: lines.identityId, amountMicroUsdc: transfers.amountMicroUsdc })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(transfers.id, payoutId), eq(transfers.purpose, 'payout')));
  return row ?? null;
}

/** A payout that comes to nothing gives its part back, to the day it took it from. */
export async function uncount(db: Db, tables: Tables, payoutId: string): Promise<void> {
  const { transfers } = tables;
  const [payout] = await db.select({ day: transfers.countedOn }).from(transfers).where(eq(transfers.id, payoutId));
  const day = payout?.day ?? null;
  const limited = await limitedBy(db, tables, payoutId);
  if (day === null || limited === null) return;
  await db.update(transfers).set({ countedOn: null }).where(eq(transfers.id, payoutId));
  await giveBackDaily(db, tables, limited, day);
}
