import { and, asc, eq, isNotNull, lte } from 'drizzle-orm';
import type { Tables } from '../schema/tables.ts';
import type { Store } from '../store/store.ts';

export type Rush = Tables['rushes']['$inferSelect'];
type Place = Pick<Rush, 'transport' | 'chatId'>;

/** The rush of this place, with a tip more; where there is none, this one. Null: there is none, and none is wanted. */
export async function joinRush(
  store: Store,
  { transport, chatId }: Place,
  begun: { id: string; language: string | null; firstLookMs: number } | null,
  nowMs: number,
): Promise<Rush | null> {
  const { rushes } = store.tables;
  const isOpen = and(eq(rushes.transport, transport), eq(rushes.chatId, chatId), isNotNull(rushes.nextLookAtMs));
  // In a quiet place this is all.
  const [known] = await store.read.select({ id: rushes.id }).from(rushes).where(isOpen).limit(1);
  if (known === undefined && begun === null) return null;
  return store.tx(async (db) => {
    const [joined] = await db.update(rushes).set({ lastTipAtMs: nowMs }).where(isOpen).returning();
    if (joined || begun === null) return joined ?? null;
    const { id, language, firstLookMs } = begun;
    const row = { id, transport, chatId, language, lastTipAtMs: nowMs, nextLookAtMs: nowMs + firstLookMs };
    await db.insert(rushes).values(row);
    return row;
  });
}

export async function dueRushes(store: Store, transport: string, nowMs: number, limit: number): Promise<Rush[]> {
  const { rushes } = store.tables;
  return store.read
    .select()
    .from(rushes)
    .where(and(eq(rushes.transport, transport), lte(rushes.nextLookAtMs, nowMs)))
    .orderBy(asc(rushes.nextLookAtMs))
    .limit(limit);
}

/** Null: it is over, unless a tip came meanwhile: then it is looked at again. False where one came. */
export async function lookAtRushAgain(
  store: Store,
  { id, lastTipAtMs }: Pick<Rush, 'id' | 'lastTipAtMs'>,
  nextLookAtMs: number | null,
): Promise<boolean> {
  const { rushes } = store.tables;
  const isStill = nextLookAtMs === null ? eq(rushes.lastTipAtMs, lastTipAtMs) : undefined;
  const rows = await store.tx((db) =>
    db
      .update(rushes)
      .set({ nextLookAtMs })
      .where(and(eq(rushes.id, id), isStill))
      .returning({ id: rushes.id }),
  );
  return rows.length > 0;
}

export type RushTip = Pick<
  Tables['orders']['$inferSelect'],
  'userId' | 'recipient' | 'amountMicroUsdc' | 'status' | 'shownAtMs' | 'undoneAtMs' | 'erasedAtMs'
>;

/** The orders of the answers that are merged into it, in the order in which they came. */
export async function tipsOfRush(store: Store, { id, transport }: Pick<Rush, 'id' | 'transport'>): Promise<RushTip[]> {
  const { botMessages, orders } = store.tables;
  const { userId, recipient, amountMicroUsdc, status, shownAtMs, undoneAtMs, erasedAtMs } = orders;
  // An event's id is that of its order.
  return store.read
    .select({ userId, recipient, amountMicroUsdc, status, shownAtMs, undoneAtMs, erasedAtMs })
    .from(botMessages)
    .innerJoin(orders, and(eq(orders.transport, transport), eq(orders.eventId, botMessages.eventId)))
    .where(and(eq(botMessages.rushId, id), eq(botMessages.transport, transport)))
    .orderBy(asc(orders.createdAtMs), asc(orders.id));
}

/** Whether the answer with this key is part of a rush. */
export async function isMerged(store: Store, { transport, key }: { transport: string; key: string }): Promise<boolean> {
  const { botMessages: table } = store.tables;
  const [row] = await store.read
    .select({ rushId: table.rushId })
    .from(table)
    .where(and(eq(table.transport, transport), eq(table.key, key)));
  return row !== undefined && row.rushId !== null;
}

/** One that is over for so long names nobody any more; its answers are forgotten by themselves. */
export async function forgetRushes(store: Store, untilMs: number): Promise<void> {
  const { rushes } = store.tables;
  const isOver = lte(rushes.lastTipAtMs, untilMs);
  const [old] = await store.read.select({ id: rushes.id }).from(rushes).where(isOver).limit(1);
  if (old) await store.tx((db) => db.delete(rushes).where(isOver));
}
