import { createHash } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { SMALL_TIPS_GRACE_MS, smallTipsDueMs } from '../../core/chats/small-tips.ts';
import { enqueue } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';

/** From now on one line a day says what small tips came. Chosen again, the time of day stays. */
export async function quietSmallTips(store: Store, userId: string, nowMs: number): Promise<void> {
  const { quietPeople } = store.tables;
  await store.tx((db) => db.insert(quietPeople).values({ userId, sinceMs: nowMs }).onConflictDoNothing());
}

/** What is counted already still comes as a line. */
export async function ringSmallTips(store: Store, userId: string): Promise<void> {
  const { quietPeople } = store.tables;
  await store.tx((db) => db.delete(quietPeople).where(eq(quietPeople.userId, userId)));
}

export async function isQuiet(store: Store, userId: string): Promise<boolean> {
  const { quietPeople } = store.tables;
  const [row] = await store.read.select().from(quietPeople).where(eq(quietPeople.userId, userId));
  return row !== undefined;
}

export type SmallTip = { txnId: number; userId: string; giverId: string };

/**
 * Counts it for the line of its day, which is asked for in the same transaction: once, however often the tip is reported.
 * False where this person wants to hear of each.
 */
export async function countQuietly(store: Store, tip: SmallTip, nowMs: number): Promise<boolean> {
  const { quietPeople, quietTips } = store.tables;
  const [counted] = await store.read.select().from(quietTips).where(eq(quietTips.txnId, tip.txnId));
  // Most people want to hear of each, and for them nothing is written.
  if (counted === undefined && !(await isQuiet(store, tip.userId))) return false;
  return store.tx(async (db) => {
    const [known] = await db.select({ txnId: quietTips.txnId }).from(quietTips).where(eq(quietTips.txnId, tip.txnId));
    if (known) return true;
    const [person] = await db.select().from(quietPeople).where(eq(quietPeople.userId, tip.userId));
    if (!person) return false;
    const dueMs = smallTipsDueMs(person.sinceMs, nowMs);
    const lineId = createHash('sha256')
      .update(JSON.stringify([tip.userId, dueMs]))
      .digest('base64url');
    await db.insert(quietTips).values({ ...tip, lineId });
    await enqueue(db, store.tables, 'small_tips_due', { lineId }, dueMs + SMALL_TIPS_GRACE_MS);
    return true;
  });
}

export type CountedTip = SmallTip & { amountMicroUsdc: bigint; isWaiting: boolean };

/** Those of one line that are not on their way back. None once the line was said. */
export async function tipsOfLine(store: Store, lineId: string): Promise<CountedTip[]> {
  const { lines, quietTips } = store.tables;
  const { txnId, userId, giverId } = quietTips;
  const rows = await store.read
    .select({ txnId, userId, giverId, amountMicroUsdc: lines.amountMicroUsdc, status: lines.status })
    .from(quietTips)
    .innerJoin(lines, eq(lines.txnId, txnId))
    .where(and(eq(quietTips.lineId, lineId), inArray(lines.status, ['resolving', 'escrowed', 'paying'])));
  return rows.map(({ status, ...tip }) => ({ ...tip, isWaiting: status === 'escrowed' }));
}

export async function forgetLine(store: Store, lineId: string): Promise<void> {
  const { quietTips } = store.tables;
  await store.tx((db) => db.delete(quietTips).where(eq(quietTips.lineId, lineId)));
}
