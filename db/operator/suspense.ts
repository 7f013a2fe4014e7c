import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { oweSender, scheduleRefundWithin } from '../refunds/return-transfer.ts';
import type { Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';

export type ObservedRow = Store['tables']['observedTransfers']['$inferSelect'];

/** What came to us, is explained by nothing, and is not on its way back; the oldest first. */
export async function unexplainedTransfers(store: Store, limit: number): Promise<ObservedRow[]> {
  const { refunds, observedTransfers } = store.tables;
  const rows = await store.read
    .select({ transfer: observedTransfers })
    .from(observedTransfers)
    .leftJoin(refunds, eq(refunds.id, sql`'return:' || ${observedTransfers.fact}`))
    .where(
      and(
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        eq(observedTransfers.returnWanted, false),
        or(isNull(observedTransfers.consumedBy), eq(observedTransfers.consumedBy, 'suspense')),
        isNull(refunds.id),
      ),
    )
    .orderBy(asc(observedTransfers.seenAtMs))
    .limit(limit);
  return rows.map(({ transfer }) => transfer);
}

/** `when-safe`: it is not in suspense yet, and goes back as soon as its block is safe. */
export type ReturnResult = 'returned' | 'when-safe' | 'unknown' | 'explained' | 'sender-unknown' | 'returned-before';

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
      await scheduleRefundWithin(db, store, fact);
      await note('when-safe');
      return 'when-safe';
    }
    if (transfer.consumedBy !== 'suspense') return 'explained';
    if (!(await oweSender(db, store, transfer, nowMs))) return 'returned-before';
    await note('returned');
    return 'returned';
  });
}
