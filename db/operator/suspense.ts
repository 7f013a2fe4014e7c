import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { oweSender, scheduleRefundWithin } from '../refunds/return-transfer.ts';
import type { LostReason } from '../../core/transfers/lost.ts';
import type { Db, Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';

export type ObservedRow = Store['tables']['observedTransfers']['$inferSelect'];

/** `lost`: what is known of it where it came in during the lost time of a restored database. */
export type Unexplained = { transfer: ObservedRow; lost: { reason: LostReason | null; paidMicroUsdc: bigint } | null };

/** What came to us, is explained by nothing, and is not on its way back; the oldest first. */
export async function unexplainedTransfers(store: Store, limit: number): Promise<Unexplained[]> {
  const { lostInbounds, refunds, observedTransfers } = store.tables;
  const rows = await store.read
    .select({ transfer: observedTransfers, lost: lostInbounds })
    .from(observedTransfers)
    .leftJoin(refunds, eq(refunds.id, sql`'return:' || ${observedTransfers.fact}`))
    .leftJoin(lostInbounds, eq(lostInbounds.fact, observedTransfers.fact))
    .where(
      and(
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        eq(observedTransfers.returnWanted, false),
        or(isNull(observedTransfers.consumedBy), eq(observedTransfers.consumedBy, 'suspense')),
        isNull(refunds.id),
        or(isNull(lostInbounds.fact), eq(lostInbounds.state, 'held')),
      ),
    )
    .orderBy(asc(observedTransfers.seenAtMs))
    .limit(limit);
  return rows.map(({ transfer, lost }) => ({
    transfer,
    lost: lost && { reason: lost.heldReason, paidMicroUsdc: lost.paidMicroUsdc },
  }));
}

/**
 * `when-safe`: it is not in suspense yet, and goes back as soon as its block is safe. `paid-out`: some of it has left for
 * lines that a lost database knew, so the whole of it must not go back.
 */
export type ReturnResult =
  | 'returned'
  | 'when-safe'
  | 'unknown'
  | 'explained'
  | 'sender-unknown'
  | 'returned-before'
  | 'paid-out';

/** Sends an unexplained transfer back to where it came from, because the operator says so. */
export async function returnByOperator(
  store: Store,
  fact: string,
  command: Command,
  nowMs: number,
): Promise<ReturnResult> {
  const { observedTransfers } = store.tables;
  return store.tx(async (db) => {
    const [transfer] = await db
      .select()
      .from(observedTransfers)
      .where(
        and(
          eq(observedTransfers.fact, fact),
          eq(observedTransfers.landed, true),
          eq(observedTransfers.outgoing, false),
        ),
      );
    if (!transfer) return 'unknown';
    if (transfer.fromAddress === '') return 'sender-unknown';
    const note = (result: ReturnResult) => recordAction(db, store.tables, command, { result, nowMs });
    if (transfer.consumedBy === null) {
      if (transfer.returnWanted) return 'returned-before';
      // It goes through suspense later, where nobody asks how much of it has left already.
      if (!(await takeLost(db, store, fact))) return 'paid-out';
      await scheduleRefundWithin(db, store, fact);
      await note('when-safe');
      return 'when-safe';
    }
    if (transfer.consumedBy !== 'suspense') return 'explained';
    if (!(await takeLost(db, store, fact))) return 'paid-out';
    if (!(await oweSender(db, store, transfer, nowMs))) return 'returned-before';
    await note('returned');
    return 'returned';
  });
}

/** What a restored database has lost is returned once, and only where nothing of it has left. */
async function takeLost(db: Db, { tables: { lostInbounds } }: Store, fact: string): Promise<boolean> {
  const [lost] = await db.select().from(lostInbounds).where(eq(lostInbounds.fact, fact));
  if (lost === undefined) return true;
  if (lost.heldReason === 'partly_paid' || lost.state === 'paid') return false;
  await db.update(lostInbounds).set({ state: 'returned', heldReason: null }).where(eq(lostInbounds.fact, fact));
  return true;
}
