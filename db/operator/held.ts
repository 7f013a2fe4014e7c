import { FORMER_ADDRESS, FORMER_NONCE } from '../../core/payments/former-address.ts';
import { BEFORE_BOOKS } from '../../core/transfers/before-books.ts';
import type { Network } from '../../core/networks.ts';
import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { dayOf, takeDailyAnyway } from '../limits/daily.ts';
import { limitedBy } from '../limits/release.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { overrule } from '../screening/decisions.ts';
import { recordAction, type Command } from './actions.ts';

/** Payouts let go by one command: more are for the next. */
export const RELEASED_MAX = 500;

export type HeldSum = { reason: string; network: Network; count: number; amountMicroUsdc: bigint };

export async function heldSums(store: Store): Promise<HeldSum[]> {
  const { transfers } = store.tables;
  const rows = await store.read
    .select({
      reason: transfers.heldReason,
      network: transfers.network,
      count: sql<string>`count(*)`,
      sum: sql<string>`sum(${transfers.amountMicroUsdc})`,
    })
    .from(transfers)
    .where(eq(transfers.status, 'held'))
    .groupBy(transfers.heldReason, transfers.network)
    .orderBy(asc(transfers.heldReason), asc(transfers.network));
  return rows.map(({ reason, network, count, sum }) => ({
    reason: reason ?? '',
    network,
    count: Number(count),
    amountMicroUsdc: BigInt(sum),
  }));
}

/** Held payouts, oldest first, with their recipients; none for a refund. */
export async function heldList(store: Store, limit: number) {
  const { lines, transfers } = store.tables;
  return store.read
    .select({ payout: transfers, platform: lines.platform, key: lines.recipientKey })
    .from(transfers)
    .leftJoin(lines, and(eq(lines.payoutId, transfers.id), eq(lines.status, 'paying')))
    .where(eq(transfers.status, 'held'))
    .orderBy(asc(transfers.createdAtMs), asc(transfers.id))
    .limit(limit);
}

/** Null where nothing is held under that id. */
export async function heldReasonOf(store: Store, payoutId: string): Promise<string | null> {
  const { transfers } = store.tables;
  const isIt = and(eq(transfers.id, payoutId), eq(transfers.status, 'held'));
  const [found] = await store.read.select({ reason: transfers.heldReason }).from(transfers).where(isIt);
  return found?.reason ?? null;
}

export type Which = { payoutId: string } | { reason: string };

/**
 * Lets held payouts go because the operator says so, whatever keeps them back: over a limit they still count. The
 * worker looks at them again, and keeps back anew what it still cannot send. What was paid before the books began is never let go.
 * Answers what was let go.
 */
export async function releaseByOperator(
  store: Store,
  which: Which,
  command: Command,
  nowMs: number,
): Promise<{ count: number; amountMicroUsdc: bigint }> {
  const { transfers } = store.tables;
  return store.tx(async (db) => {
    const meant = 'payoutId' in which ? eq(transfers.id, which.payoutId) : eq(transfers.heldReason, which.reason);
    const held = await db
      .select()
      .from(transfers)
      .where(and(eq(transfers.status, 'held'), meant))
      .orderBy(asc(transfers.createdAtMs), asc(transfers.id))
      .limit(RELEASED_MAX);
    const released = { count: 0, amountMicroUsdc: 0n };
    for (const payout of held) {
      const isCounted = payout.countedOn !== null;
      if (!(await release(db, store, payout, { isCounted, nowMs }))) continue;
      if (payout.heldReason === 'screening') await overrule(db, store.tables, payout.id, nowMs);
      released.count += 1;
      released.amountMicroUsdc += payout.amountMicroUsdc;
    }
    if (released.count === 0) return released;
    const result = `released ${released.count} payouts, ${released.amountMicroUsdc} micro-USDC`;
    await recordAction(db, store.tables, command, { result, nowMs });
    return released;
  });
}

/** One of them, unless it is held no longer, or was paid before the books began. */
export async function release(
  db: Db,
  { tables }: Store,
  { id: payoutId, heldReason }: { id: string; heldReason: string | null },
  { isCounted, nowMs }: { isCounted: boolean; nowMs: number },
): Promise<boolean> {
  const { transfers } = tables;
  const limited = isCounted ? null : await limitedBy(db, tables, payoutId);
  const counted = limited === null ? {} : { countedOn: dayOf(nowMs) };
  // Otherwise the next look would hold it for the same reason. One of them says nothing about the others.
  const compared = {
    ...(heldReason === 'paid_before' ? { comparedAtMs: nowMs } : {}),
    ...(heldReason === FORMER_ADDRESS ? { formerLossAtMs: nowMs } : {}),
    ...(heldReason === FORMER_NONCE ? { formerNonceAtMs: nowMs } : {}),
  };
  const moved = await move(db, transfers, {
    from: ['held'],
    where: and(eq(transfers.id, payoutId), ne(transfers.heldReason, BEFORE_BOOKS)),
    set: { status: 'queued', heldReason: null, nextTryAtMs: nowMs, ...counted, ...compared },
  });
  if (moved.length === 0) return false;
  if (limited !== null) await takeDailyAnyway(db, tables, limited, nowMs);
  return true;
}
