import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type UpdateBody = Record<string, unknown>;
export type NewUpdate = { id: number; body: UpdateBody };
export type OpenUpdate = NewUpdate & { receivedAtMs: number };

/** Writes down what has just come, and answers which of it was never seen before. */
export async function storeUpdates(store: Store, updates: readonly NewUpdate[], nowMs: number): Promise<Set<number>> {
  if (updates.length === 0) return new Set();
  const { telegramUpdates } = store.tables;
  const rows = await store.tx((db) =>
    db
      .insert(telegramUpdates)
      .values(updates.map((update) => ({ ...update, receivedAtMs: nowMs })))
      .onConflictDoNothing()
      .returning({ id: telegramUpdates.id }),
  );
  return new Set(rows.map(({ id }) => id));
}

/** What came by this time and is not done, oldest first. */
export async function openUpdates(store: Store, receivedUntilMs: number, limit: number): Promise<OpenUpdate[]> {
  const { telegramUpdates } = store.tables;
  const rows = await store.read
    .select({ id: telegramUpdates.id, body: telegramUpdates.body, receivedAtMs: telegramUpdates.receivedAtMs })
    .from(telegramUpdates)
    .where(and(isNull(telegramUpdates.doneAtMs), lte(telegramUpdates.receivedAtMs, receivedUntilMs)))
    .orderBy(asc(telegramUpdates.id))
    .limit(limit);
  return rows.flatMap(({ body, ...row }) => (body === null ? [] : [{ ...row, body }]));
}

/** Nothing of it is kept but that it was there. */
export async function completeUpdate(store: Store, id: number, nowMs: number): Promise<void> {
  const { telegramUpdates } = store.tables;
  await store.tx((db) =>
    db.update(telegramUpdates).set({ body: null, doneAtMs: nowMs }).where(eq(telegramUpdates.id, id)),
  );
}

/** Telegram keeps what is not confirmed for a day, so what was done long before cannot come again. */
export async function forgetUpdates(store: Store, doneUntilMs: number, limit: number): Promise<void> {
  const { telegramUpdates } = store.tables;
  const old = await store.read
    .select({ id: telegramUpdates.id })
    .from(telegramUpdates)
    .where(and(isNotNull(telegramUpdates.doneAtMs), lte(telegramUpdates.doneAtMs, doneUntilMs)))
    .limit(limit);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await store.tx((db) => db.delete(telegramUpdates).where(inArray(telegramUpdates.id, ids)));
}
