import { and, asc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type EventBody = Record<string, unknown>;
export type NewEvent = { id: string; body: EventBody };
export type OpenEvent = NewEvent & { receivedAtMs: number };

/** Stores what has just come, and answers which events are new. */
export async function storeEvents(
  store: Store,
  transport: string,
  events: readonly NewEvent[],
  nowMs: number,
): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { chatEvents } = store.tables;
  const rows = await store.tx((db) =>
    db
      .insert(chatEvents)
      .values(events.map((event) => ({ transport, ...event, receivedAtMs: nowMs })))
      .onConflictDoNothing()
      .returning({ id: chatEvents.id }),
  );
  return new Set(rows.map(({ id }) => id));
}

/** What came by this time and is not done, in the order of arrival. */
export async function openEvents(
  store: Store,
  transport: string,
  receivedUntilMs: number,
  limit: number,
): Promise<OpenEvent[]> {
  const { id, body, receivedAtMs, doneAtMs, transport: of } = store.tables.chatEvents;
  const rows = await store.read
    .select({ id, body, receivedAtMs })
    .from(store.tables.chatEvents)
    .where(and(eq(of, transport), isNull(doneAtMs), lte(receivedAtMs, receivedUntilMs)))
    // Platforms number their events upwards, and 10 comes after 9.
    .orderBy(asc(receivedAtMs), sql`length(${id})`, asc(id))
    .limit(limit);
  return rows.map((row) => ({ ...row, body: row.body ?? {} }));
}

/** Null where it was not stored. */
export async function receivedAtOf(store: Store, transport: string, eventId: string): Promise<number | null> {
  const { id, receivedAtMs, transport: of } = store.tables.chatEvents;
  const isIt = and(eq(of, transport), eq(id, eventId));
  const [row] = await store.read.select({ receivedAtMs }).from(store.tables.chatEvents).where(isIt);
  return row?.receivedAtMs ?? null;
}

/** Keeps nothing of them but that they were there. */
export async function completeEvents(
  store: Store,
  transport: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  const { chatEvents } = store.tables;
  await store.tx((db) =>
    db
      .update(chatEvents)
      .set({ body: null, doneAtMs: nowMs })
      .where(and(eq(chatEvents.transport, transport), inArray(chatEvents.id, [...ids]))),
  );
}

/** What was done by then cannot come again. */
export async function forgetEvents(store: Store, transport: string, doneUntilMs: number, limit: number): Promise<void> {
  const { chatEvents } = store.tables;
  const isOld = and(isNotNull(chatEvents.doneAtMs), lte(chatEvents.doneAtMs, doneUntilMs));
  const isOfChat = eq(chatEvents.transport, transport);
  const old = await store.read.select({ id: chatEvents.id }).from(chatEvents).where(and(isOfChat, isOld)).limit(limit);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await store.tx((db) => db.delete(chatEvents).where(and(isOfChat, inArray(chatEvents.id, ids))));
}
