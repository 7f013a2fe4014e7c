import { and, asc, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type EventBody = Record<string, unknown>;
export type NewEvent = { id: string; body: EventBody };

/** Writes down what has just come, and answers which of it was never seen before. */
export async function storeEvents(store: Store, events: readonly NewEvent[], nowMs: number): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { discordEvents } = store.tables;
  const rows = await store.tx((db) =>
    db
      .insert(discordEvents)
      .values(events.map((event) => ({ ...event, receivedAtMs: nowMs })))
      .onConflictDoNothing()
      .returning({ id: discordEvents.id }),
  );
  return new Set(rows.map(({ id }) => id));
}

/** What is not done, oldest first. */
export async function openEvents(store: Store, limit: number): Promise<NewEvent[]> {
  const { discordEvents } = store.tables;
  const rows = await store.read
    .select({ id: discordEvents.id, body: discordEvents.body })
    .from(discordEvents)
    .where(isNull(discordEvents.doneAtMs))
    .orderBy(asc(discordEvents.receivedAtMs), asc(discordEvents.id))
    .limit(limit);
  return rows.map(({ id, body }) => ({ id, body: body ?? {} }));
}

/** Nothing of them is kept but that they were there. */
export async function completeEvents(store: Store, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  const { discordEvents } = store.tables;
  await store.tx((db) =>
    db
      .update(discordEvents)
      .set({ body: null, doneAtMs: nowMs })
      .where(inArray(discordEvents.id, [...ids])),
  );
}

/** Answers how many there were. Discord repeats an event within minutes or never. */
export async function forgetEvents(store: Store, doneBeforeMs: number, limit: number): Promise<number> {
  const { discordEvents } = store.tables;
  const old = await store.read
    .select({ id: discordEvents.id })
    .from(discordEvents)
    .where(and(isNotNull(discordEvents.doneAtMs), lt(discordEvents.doneAtMs, doneBeforeMs)))
    .limit(limit);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await store.tx((db) => db.delete(discordEvents).where(inArray(discordEvents.id, ids)));
  return ids.length;
}
