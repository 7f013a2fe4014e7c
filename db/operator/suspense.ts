import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { oweSender, scheduleRefundWithin } from '../refunds/return-transfer.ts';
import type { Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';

export type TransferRow = Store['tables']['transfers']['$inferSelect'];

/** What came to us, is explained by nothing, and is not on its way back; the oldest first. */
export async function unexplainedTransfers(store: Store, limit: number): Promise<TransferRow[]> {
  const { refunds, transfers } = store.tables;
  const rows = await store.read
    .select({ transfer: transfers })
    .from(transfers)
    .leftJoin(refunds, eq(refunds.id, sql`'return:' || ${transfers.fact}`))
    .where(
      and(
        eq(transfers.landed, true),
        eq(transfers.outgoing, false),
        eq(transfers.returnWanted, false),
        or(isNull(transfers.consumedBy), eq(transfers.consumedBy, 'suspense')),
        isNull(refunds.id),
      ),
    )
    .orderBy(asc(transfers.seenAtMs))
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
  const { transfers } = store.tables;
  return store.tx(async (db) => {
    const [transfer] = await db
      .select()
      .from(transfers)
      .where(and(eq(transfers.fact, fact), eq(transfers.landed, true), eq(transfers.outgoing, false)));
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
