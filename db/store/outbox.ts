import { and, asc, count, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { outboxKey, type OutboxPayload, type OutboxTopic } from '../../core/outbox.ts';
import { marks } from './locks.ts';
import { placeholder, prepare } from './prepare.ts';
import type { Db, Store } from './store.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * An event of a committed change (`core/outbox.ts`). Its row is written in the transaction that causes it and done when
 * the worker says so; the queue only wakes the worker earlier than its sweep would.
 */
export type OutboxItem = { id: number; topic: OutboxTopic; key: string; tries: number };

/** The same event twice is one row. Answers the new row's id, or null when it was written before. */
export async function enqueue<Topic extends OutboxTopic>(
  db: Db,
  _tables: Tables,
  topic: Topic,
  payload: OutboxPayload<Topic>,
  nowMs: number,
): Promise<number | null> {
  const [row] = await insertItem(db, { topic, key: outboxKey(topic, payload), nextAtMs: nowMs });
  return row?.id ?? null;
}

const insertItem = prepare((db, { outbox }) =>
  db
    .insert(outbox)
    .values({ topic: placeholder('topic'), key: placeholder('key'), nextAtMs: placeholder('nextAtMs'), tries: 0 })
    .onConflictDoNothing()
    .returning({ id: outbox.id }),
);

/** The same for several of one topic. */
export async function enqueueAll<Topic extends OutboxTopic>(
  db: Db,
  { outbox }: Tables,
  topic: Topic,
  payloads: readonly OutboxPayload<Topic>[],
  nowMs: number,
): Promise<void> {
  if (payloads.length === 0) return;
  const rows = payloads.map((payload) => ({ topic, key: outboxKey(topic, payload), nextAtMs: nowMs, tries: 0 }));
  await db.insert(outbox).values(rows).onConflictDoNothing();
}

/** The same where it has to happen once more. */
export async function enqueueAgain<Topic extends OutboxTopic>(
  db: Db,
  tables: Tables,
  topic: Topic,
  payload: OutboxPayload<Topic>,
  nowMs: number,
): Promise<void> {
  const { outbox } = tables;
  const open = { nextAtMs: nowMs, tries: 0, doneAtMs: null };
  await db
    .insert(outbox)
    .values({ topic, key: outboxKey(topic, payload), ...open })
    .onConflictDoUpdate({ target: [outbox.topic, outbox.key], set: open });
}

/** The oldest open rows that are due. */
export async function dueItems(store: Store, nowMs: number, limit: number): Promise<OutboxItem[]> {
  return selectDue(store.read, { nowMs, limit });
}

const selectDue = prepare((db, { outbox }) =>
  db
    .select({ id: outbox.id, topic: outbox.topic, key: outbox.key, tries: outbox.tries })
    .from(outbox)
    .where(and(isNull(outbox.doneAtMs), lte(outbox.nextAtMs, placeholder('nowMs'))))
    .orderBy(asc(outbox.id))
    .limit(placeholder('limit')),
);

export async function findItem({ read }: Pick<Store, 'read'>, id: number): Promise<OutboxItem | null> {
  const [row] = await openItem(read, { id });
  return row ?? null;
}

const openItem = prepare((db, { outbox }) =>
  db
    .select({ id: outbox.id, topic: outbox.topic, key: outbox.key, tries: outbox.tries })
    .from(outbox)
    .where(and(eq(outbox.id, placeholder('id')), isNull(outbox.doneAtMs))),
);

/** How many of these are not done yet. */
export async function countOpen<Topic extends OutboxTopic>(
  store: Store,
  topic: Topic,
  payloads: readonly OutboxPayload<Topic>[],
): Promise<number> {
  if (payloads.length === 0) return 0;
  const { outbox } = store.tables;
  const keys = payloads.map((payload) => outboxKey(topic, payload));
  const [row] = await store.read
    .select({ count: count() })
    .from(outbox)
    .where(and(eq(outbox.topic, topic), inArray(outbox.key, keys), isNull(outbox.doneAtMs)));
  return row?.count ?? 0;
}

export async function completeItems(
  store: Pick<Store, 'tx' | 'tables'>,
  ids: readonly number[],
  nowMs: number,
): Promise<void> {
  const [first] = ids;
  if (first === undefined) return;
  const { outbox } = store.tables;
  const complete = (db: Db) =>
    ids.length === 1
      ? completeItem(db, { id: first, nowMs })
      : db
          .update(outbox)
          .set({ doneAtMs: nowMs })
          .where(and(inArray(outbox.id, [...ids]), isNull(outbox.doneAtMs)));
  await store.tx(async (db) => void (await complete(db)), [marks]);
}

const completeItem = prepare((db, { outbox }) =>
  db
    .update(outbox)
    .set({ doneAtMs: sql`${placeholder('nowMs')}` })
    .where(and(eq(outbox.id, placeholder('id')), isNull(outbox.doneAtMs))),
);

/** Puts a row off after a failure. */
export async function postponeItem(store: Store, id: number, nextAtMs: number): Promise<void> {
  const { outbox } = store.tables;
  const postpone = (db: Db) =>
    db
      .update(outbox)
      .set({ nextAtMs, tries: sql`${outbox.tries} + 1` })
      .where(and(eq(outbox.id, id), isNull(outbox.doneAtMs)));
  await store.tx(postpone, [marks]);
}
