import { and, asc, eq, sql } from 'drizzle-orm';
import { dayOf, takeDailyAnyway } from '../limits/daily.ts';
import { limitedBy } from '../limits/release.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';

/** Payouts let go by one command: more are for the next. */
export const RELEASED_MAX = 500;

export type HeldSum = { reason: string; network: string; count: number; amountMicroUsdc: bigint };

export async function heldSums(store: Store): Promise<HeldSum[]> {
  const { payouts } = store.tables;
  const rows = await store.read
    .select({
      reason: payouts.heldReason,
      network: payouts.network,
      count: sql<string>`count(*)`,
      sum: sql<string>`sum(${payouts.amountMicroUsdc})`,
    })
    .from(payouts)
    .where(eq(payouts.status, 'held'))
    .groupBy(payouts.heldReason, payouts.network)
    .orderBy(asc(payouts.heldReason), asc(payouts.network));
  return rows.map(({ reason, network, count, sum }) => ({
    reason: reason ?? '',
    network,
    count: Number(count),
    amountMicroUsdc: BigInt(sum),
  }));
}

/** Held payouts, oldest first, with their recipients; none for a refund. */
export async function heldList(store: Store, limit: number) {
  const { lines, payouts } = store.tables;
  return store.read
    .select({ payout: payouts, platform: lines.platform, key: lines.recipientKey })
    .from(payouts)
    .leftJoin(lines, and(eq(lines.payoutId, payouts.id), eq(lines.status, 'paying')))
    .where(eq(payouts.status, 'held'))
    .orderBy(asc(payouts.createdAtMs), asc(payouts.id))
    .limit(limit);
}

export type Which = { payoutId: string } | { reason: string };

/**
 * Lets held payouts go because the operator says so, whatever keeps them back: over a limit they count all the same. The
 * worker looks at them again, and keeps back anew what it still cannot send. Answers what was let go.
 */
export async function releaseByOperator(
  store: Store,
  which: Which,
  command: Command,
  nowMs: number,
): Promise<{ count: number; amountMicroUsdc: bigint }> {
  const { payouts } = store.tables;
  return store.tx(async (db) => {
    const meant = 'payoutId' in which ? eq(payouts.id, which.payoutId) : eq(payouts.heldReason, which.reason);
    const held = await db
      .select()
      .from(payouts)
      .where(and(eq(payouts.status, 'held'), meant))
      .orderBy(asc(payouts.createdAtMs), asc(payouts.id))
      .limit(RELEASED_MAX);
    const released = { count: 0, amountMicroUsdc: 0n };
    for (const payout of held) {
      if (!(await release(db, store, payout.id, { isCounted: payout.countedOn !== null, nowMs }))) continue;
      released.count += 1;
      released.amountMicroUsdc += payout.amountMicroUsdc;
    }
    if (released.count === 0) return released;
    const result = `released ${released.count} payouts, ${released.amountMicroUsdc} micro-USDC`;
    await recordAction(db, store.tables, command, { result, nowMs });
    return released;
  });
}

async function release(
  db: Db,
  { tables }: Store,
  payoutId: string,
  { isCounted, nowMs }: { isCounted: boolean; nowMs: number },
): Promise<boolean> {
  const { payouts } = tables;
  const limited = isCounted ? null : await limitedBy(db, tables, payoutId);
  const counted = limited === null ? {} : { countedOn: dayOf(nowMs) };
  const moved = await move(db, payouts, {
    from: ['held'],
    where: eq(payouts.id, payoutId),
    set: { status: 'queued', heldReason: null, nextTryAtMs: nowMs, ...counted },
  });
  if (moved.length === 0) return false;
  if (limited !== null) await takeDailyAnyway(db, tables, limited, nowMs);
  return true;
}
