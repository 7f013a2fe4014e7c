import { and, asc, countDistinct, eq, gt, inArray, isNull, lte, or } from 'drizzle-orm';
import {
  REQUESTS_DAY_MS,
  REQUESTS_GOT_DAY_MAX,
  REQUESTS_OPEN_MAX,
  REQUESTS_SENT_DAY_MAX,
  type RequestProblem,
} from '../../core/money-requests/money-requests.ts';
import { erasedNameOf } from '../chats/erased-name.ts';
import type { Tables } from '../schema/tables.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { insertOrder, type OrderDraft, type OrderRow } from '../tips/orders.ts';

export type MoneyRequest = Tables['moneyRequests']['$inferSelect'];
export type NewMoneyRequest = Omit<MoneyRequest, 'status' | 'orderId' | 'messageId' | 'nextLookAtMs'>;

/**
 * The requests of this event, one for each person who is asked, or why the asker, or one who is asked, has enough of them.
 * All are written or none.
 */
export async function openRequests(
  store: Store,
  wanted: readonly [NewMoneyRequest, ...NewMoneyRequest[]],
): Promise<{ row: MoneyRequest } | { problem: RequestProblem }> {
  const { moneyRequests: table } = store.tables;
  const [{ eventKey }] = wanted;
  const names = await namesOf(store, wanted);
  return store.tx(async (db) => {
    const isKnown = eq(table.eventKey, eventKey);
    const [known] = await db.select().from(table).where(isKnown).orderBy(asc(table.id)).limit(1);
    if (known) return { row: known };
    const problem = await findEnough(db, store.tables, wanted, names);
    if (problem !== null) return { problem };
    const rows = wanted.map((one) => ({ ...one, status: 'open' as const, nextLookAtMs: one.endsAtMs }));
    await db.insert(table).values(rows).onConflictDoNothing();
    // Another delivery of the same event may have been first.
    const [row] = await db.select().from(table).where(isKnown).orderBy(asc(table.id)).limit(1);
    if (!row) throw new Error(`the request of ${eventKey} was not written`);
    return { row };
  });
}

/** Under which names each of them counts: an erasure leaves the day's requests under another. */
async function namesOf(store: Store, wanted: readonly NewMoneyRequest[]): Promise<Map<string, string[]>> {
  const people = new Set(wanted.flatMap(({ askerId, askedId }) => [askerId, askedId]));
  const names = new Map<string, string[]>();
  for (const userId of people) names.set(userId, [userId, await erasedNameOf(store, userId)]);
  return names;
}

/** A bill counts as one for its asker, and for each person who is asked as one. */
async function findEnough(
  db: Db,
  { moneyRequests: table }: Tables,
  wanted: readonly [NewMoneyRequest, ...NewMoneyRequest[]],
  names: ReadonlyMap<string, readonly string[]>,
): Promise<RequestProblem | null> {
  const [{ askerId, createdAtMs: nowMs }] = wanted;
  const isToday = gt(table.createdAtMs, nowMs - REQUESTS_DAY_MS);
  const isOpen = and(eq(table.status, 'open'), gt(table.endsAtMs, nowMs));
  const counted = async (where: ReturnType<typeof and>) => {
    const [row] = await db
      .select({ events: countDistinct(table.eventKey) })
      .from(table)
      .where(where);
    return row?.events ?? 0;
  };
  if ((await counted(and(eq(table.askerId, askerId), isOpen))) >= REQUESTS_OPEN_MAX) return 'too_many_open';
  const isOf = (column: typeof table.askerId, userId: string) => inArray(column, [...(names.get(userId) ?? [userId])]);
  if ((await counted(and(isOf(table.askerId, askerId), isToday))) >= REQUESTS_SENT_DAY_MAX) return 'asks_often';
  for (const { askedId } of wanted) {
    if ((await counted(and(isOf(table.askedId, askedId), isToday))) >= REQUESTS_GOT_DAY_MAX) return 'asked_often';
  }
  return null;
}

/** All requests that one message shows, in the order in which people were named. */
export async function requestsShownWith(
  store: Store,
  { id, billId }: Pick<MoneyRequest, 'id' | 'billId'>,
): Promise<MoneyRequest[]> {
  const { moneyRequests: table } = store.tables;
  const isIt = billId === null ? eq(table.id, id) : eq(table.billId, billId);
  return store.read.select().from(table).where(isIt).orderBy(asc(table.id));
}

export async function findRequest(store: Store, id: string): Promise<MoneyRequest | null> {
  const { moneyRequests: table } = store.tables;
  const [row] = await store.read.select().from(table).where(eq(table.id, id));
  return row ?? null;
}

export async function noteRequestMessage(
  store: Store,
  { id, billId }: Pick<MoneyRequest, 'id' | 'billId'>,
  messageId: string,
): Promise<void> {
  const { moneyRequests: table } = store.tables;
  const isIt = billId === null ? eq(table.id, id) : eq(table.billId, billId);
  await store.tx((db) => db.update(table).set({ messageId }).where(isIt));
}

type Press = { id: string; askedId: string; nowMs: number };

/**
 * The asked person agrees: the request and the order that pays it are one transaction, so that no second press, delivery
 * or process makes a second order. Null where it was answered already, or its time is over.
 */
export async function agreeToRequest(
  store: Store,
  { id, askedId, nowMs }: Press,
  draft: OrderDraft,
): Promise<OrderRow | null> {
  const { tables } = store;
  const { moneyRequests: table } = tables;
  return store.tx(async (db) => {
    const moved = await move(db, table, {
      from: ['open'],
      where: and(eq(table.id, id), eq(table.askedId, askedId), gt(table.endsAtMs, nowMs)),
      set: { status: 'agreed', orderId: draft.id, nextLookAtMs: nowMs },
    });
    if (moved.length === 0) return null;
    const order = await insertOrder(db, tables, draft, 'drafted');
    if (order.id !== draft.id) throw new Error(`the press that agreed to ${id} has the order ${order.id} already`);
    return order;
  });
}

/** False where it was answered already. `never`: refuses all later requests by the same person too. */
export async function declineRequest(store: Store, { id, askedId, nowMs }: Press, never: boolean): Promise<boolean> {
  const { moneyRequests: table } = store.tables;
  return store.tx(async (db) => {
    const isTheirs = and(eq(table.id, id), eq(table.askedId, askedId));
    const [row] = await db.select().from(table).where(isTheirs);
    if (!row) return false;
    if (never) await choose(db, store.tables, { userId: askedId, otherId: row.askerId, isAllowed: false }, nowMs);
    const set = { status: 'declined', nextLookAtMs: nowMs } as const;
    return (await move(db, table, { from: ['open'], where: isTheirs, set })).length > 0;
  });
}

/** Cards that have to be looked at: their time is over, or they were answered and do not show the end yet. */
export async function dueRequests(store: Store, nowMs: number, limit: number): Promise<MoneyRequest[]> {
  const { moneyRequests: table } = store.tables;
  return store.read
    .select()
    .from(table)
    .where(lte(table.nextLookAtMs, nowMs))
    .orderBy(asc(table.nextLookAtMs), asc(table.id))
    .limit(limit);
}

export async function endRequest(store: Store, id: string, nowMs: number): Promise<void> {
  const { moneyRequests: table } = store.tables;
  const where = and(eq(table.id, id), lte(table.endsAtMs, nowMs));
  await store.tx((db) => move(db, table, { from: ['open'], where, set: { status: 'ended' } }));
}

/** Null: its end is shown, and nobody looks again. */
export async function lookAgainAt(store: Store, id: string, nextLookAtMs: number | null): Promise<void> {
  const { moneyRequests: table } = store.tables;
  await store.tx((db) => db.update(table).set({ nextLookAtMs }).where(eq(table.id, id)));
}

export async function forgetRequests(store: Store, untilMs: number, nowMs: number): Promise<void> {
  const { moneyRequests: table } = store.tables;
  const isOver = and(isNull(table.nextLookAtMs), lte(table.createdAtMs, untilMs));
  // What an erasure has left counts for a day.
  const isCounted = and(
    isNull(table.nextLookAtMs),
    eq(table.chatId, ''),
    lte(table.createdAtMs, nowMs - REQUESTS_DAY_MS),
  );
  await store.tx((db) => db.delete(table).where(or(isOver, isCounted)));
}

/** Replaces a person's id, which is never so short. */
export const EVERYBODY = '*';

export type Choice = { userId: string; otherId: string; isAllowed: boolean };

export async function chooseRequests(store: Store, choice: Choice, nowMs: number): Promise<void> {
  await store.tx((db) => choose(db, store.tables, choice, nowMs));
}

async function choose(db: Db, { requestChoices: table }: Tables, choice: Choice, createdAtMs: number): Promise<void> {
  await db
    .insert(table)
    .values({ ...choice, createdAtMs })
    .onConflictDoUpdate({ target: [table.userId, table.otherId], set: { isAllowed: choice.isAllowed, createdAtMs } });
}

/** What this person has decided about requests from that one, and in general; null: nothing. */
export async function choicesAbout(
  store: Store,
  { userId, otherId }: Pick<Choice, 'userId' | 'otherId'>,
): Promise<{ person: boolean | null; everybody: boolean | null }> {
  const { requestChoices: table } = store.tables;
  const rows = await store.read
    .select()
    .from(table)
    .where(and(eq(table.userId, userId), or(eq(table.otherId, otherId), eq(table.otherId, EVERYBODY))));
  const said = (about: string) => rows.find((row) => row.otherId === about)?.isAllowed ?? null;
  return { person: said(otherId), everybody: said(EVERYBODY) };
}
