import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, min, ne, notInArray } from 'drizzle-orm';
import { taskOrderId } from '../../core/tasks.ts';
import { move } from '../store/move.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { PayLinkTerms } from '../tables/bot.ts';
import { unshownEnd, type OrderAnswer, type OrderRow } from '../tips/orders.ts';
import { giveBackSpending } from '../wallets/spending.ts';

/**
 * Links to pay an order with another wallet. The order waits as `linked` meanwhile and ends with its link, in one
 * transaction: paid by the task of the link, which the API takes payment for once, or expired.
 */
export type PayLinkRow = Tables['payLinks']['$inferSelect'];
export type LinkedOrder = { link: PayLinkRow; order: OrderRow };

/** The order waits from now on. Only if it was never signed: its header could still be paid beside the link. */
export async function linkOrder(
  store: Store,
  orderId: string,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<boolean> {
  const { orders, payLinks } = store.tables;
  return store.tx(async (db) => {
    const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
    const moved = await move(db, orders, {
      where: and(eq(orders.id, orderId), isNull(orders.header)),
      set: { status: 'linked', countedMicroUsdc: null },
    });
    if (!order || moved.length === 0) return false;
    // The wallet no longer pays it.
    await giveBackSpending(db, store.tables, order);
    await db.insert(payLinks).values({ orderId, status: 'open', untilMs, nextLookAtMs: nowMs, createdAtMs: nowMs });
    return true;
  });
}

/**
 * The payer has the money now and pays after all, as soon as the link is gone. Not when a visitor has begun to pay by it:
 * that payment could land beside the payer's own. The order is priced anew, where the money is.
 */
export async function unlinkOrder(
  store: Store,
  { id, userId }: { id: string; userId: string },
  paying: Pick<OrderRow, 'network' | 'payerAddress'>,
  nowMs: number,
): Promise<boolean> {
  const { orders, payLinkKeys, payLinks } = store.tables;
  return store.tx(async (db) => {
    const isTheirs = and(eq(orders.id, id), eq(orders.userId, userId), isNull(orders.header));
    const [order] = await db
      .select({ id: orders.id })
      .from(orders)
      .where(and(isTheirs, eq(orders.status, 'linked')));
    if (!order) return false;
    const ended = await db.delete(payLinks).where(isUntouched(store.tables, id)).returning({ id: payLinks.orderId });
    if (ended.length === 0) return false;
    await db.delete(payLinkKeys).where(eq(payLinkKeys.orderId, id));
    const set = { status: 'drafted', ...paying, totalMicroUsdc: null, createdAtMs: nowMs } as const;
    return (await move(db, orders, { from: ['linked'], where: isTheirs, set })).length > 0;
  });
}

function isUntouched({ payLinks }: Tables, orderId: string) {
  const isOpen = and(eq(payLinks.status, 'open'), isNull(payLinks.taskId), isNull(payLinks.header));
  return and(eq(payLinks.orderId, orderId), isOpen);
}

/** Whether no visitor has begun to pay by it. Only `unlinkOrder` decides; this just avoids a call that would fail. */
export async function isLinkUntouched(store: Store, orderId: string): Promise<boolean> {
  const { payLinks } = store.tables;
  const isOpen = isUntouched(store.tables, orderId);
  const rows = await store.read.select({ orderId: payLinks.orderId }).from(payLinks).where(isOpen);
  return rows.length > 0;
}

export async function addPayLinkKey(store: Store, id: string, orderId: string): Promise<void> {
  await store.tx((db) => db.insert(store.tables.payLinkKeys).values({ id, orderId }));
}

export async function findPayLink(store: Store, orderId: string): Promise<LinkedOrder | null> {
  const { orders, payLinks } = store.tables;
  const [row] = await store.read
    .select({ link: payLinks, order: orders })
    .from(payLinks)
    .innerJoin(orders, eq(orders.id, payLinks.orderId))
    .where(eq(payLinks.orderId, orderId));
  return row ?? null;
}

/** Null for an unknown key. */
export async function openPayLink(store: Store, keyId: string): Promise<LinkedOrder | null> {
  const { payLinkKeys } = store.tables;
  const [key] = await store.read
    .select({ orderId: payLinkKeys.orderId })
    .from(payLinkKeys)
    .where(eq(payLinkKeys.id, keyId));
  return key ? findPayLink(store, key.orderId) : null;
}

/** How many unpaid tasks were opened for this user's links since then. */
export async function countUnpaidTasks(store: Store, userId: string, sinceMs: number): Promise<number> {
  const { orders, payLinks } = store.tables;
  const isUnpaid = and(isNotNull(payLinks.taskId), ne(payLinks.status, 'paid'));
  const [row] = await store.read
    .select({ count: count() })
    .from(orders)
    .innerJoin(payLinks, eq(payLinks.orderId, orders.id))
    .where(and(eq(orders.userId, userId), gt(orders.createdAtMs, sinceMs), isUnpaid));
  return row?.count ?? 0;
}

/** Links that are due by then, the longest due first, and when the next one is due. */
export async function duePayLinks(store: Store, nowMs: number, limit: number, except: readonly string[] = []) {
  const { orderId, nextLookAtMs } = store.tables.payLinks;
  const { read } = store;
  const rows = await read
    .select({ orderId })
    .from(store.tables.payLinks)
    .where(and(lte(nextLookAtMs, nowMs), notInArray(orderId, [...except])))
    .orderBy(asc(nextLookAtMs))
    .limit(limit);
  const isLater = gt(nextLookAtMs, nowMs);
  const [next] = await read
    .select({ atMs: min(nextLookAtMs) })
    .from(store.tables.payLinks)
    .where(isLater);
  return { items: rows.map((row) => row.orderId), nextDueAtMs: next?.atMs ?? null };
}

/** Of two tasks opened at once the first is the link's; the other is never shown. */
export async function keepTask(
  store: Store,
  orderId: string,
  { nowMs, ...task }: { taskId: string; terms: PayLinkTerms; nowMs: number },
): Promise<void> {
  const { payLinks } = store.tables;
  await store.tx((db) =>
    db
      .update(payLinks)
      .set({ ...task, nextLookAtMs: nowMs })
      .where(and(eq(payLinks.orderId, orderId), isNull(payLinks.taskId))),
  );
}

/** Stores the payment before it is first sent. Of two wallets at once only one succeeds. */
export async function presentPayment(
  store: Store,
  orderId: string,
  { header, nowMs }: { header: string; nowMs: number },
): Promise<boolean> {
  const { payLinks } = store.tables;
  const rows = await store.tx((db) =>
    move(db, payLinks, {
      where: and(eq(payLinks.orderId, orderId), gt(payLinks.untilMs, nowMs)),
      set: { status: 'presented', header, refusal: null, nextLookAtMs: nowMs },
    }),
  );
  return rows.length > 0;
}

/** The API has refused this payment for good, so another one may come. */
export async function reopenPayLink(
  store: Store,
  orderId: string,
  { header, refusal }: { header: string; refusal: string },
): Promise<void> {
  const { payLinks } = store.tables;
  const where = and(eq(payLinks.orderId, orderId), eq(payLinks.header, header));
  await store.tx((db) => move(db, payLinks, { where, set: { status: 'open', header: null, refusal } }));
}

/** How much an order is for, and what it costs with its fee. */
export type PaidAmounts = Pick<OrderRow, 'amountMicroUsdc' | 'totalMicroUsdc' | 'lines'>;

/**
 * Another wallet paid, so the payer's own wallet is no longer named. A payment also overrides an expired order, which
 * then counts as not shown. `answer` names the amounts where they are known: what came may be more than was asked.
 */
export async function endPaid(
  store: Store,
  orderId: string,
  answer: OrderAnswer & Partial<PaidAmounts>,
): Promise<boolean> {
  const { orders, payLinks } = store.tables;
  const gone = { failure: null, failedLine: null, walletName: null } as const;
  const ended = { status: 'answered', ...gone, ...unshownEnd(store.tables) } as const;
  return store.tx(async (db) => {
    const moved = await move(db, payLinks, {
      where: eq(payLinks.orderId, orderId),
      set: { status: 'paid', header: null, refusal: null, nextLookAtMs: null },
    });
    if (moved.length === 0) return false;
    const answered = await move(db, orders, {
      from: ['linked', 'failed'],
      where: eq(orders.id, orderId),
      set: { ...ended, ...answer },
    });
    if (answered.length === 0) throw new Error(`order ${orderId} has a link and waits for no payment`);
    return true;
  });
}

/** It was not paid in time. Not while a payment is on its way; `nextLookAtMs` as for `lookAgain`. */
export async function endExpired(store: Store, orderId: string, nextLookAtMs: number | null): Promise<boolean> {
  const { orders, payLinks } = store.tables;
  return store.tx(async (db) => {
    const moved = await move(db, payLinks, {
      where: eq(payLinks.orderId, orderId),
      set: { status: 'expired', nextLookAtMs },
    });
    if (moved.length === 0) return false;
    await move(db, orders, {
      from: ['linked'],
      where: eq(orders.id, orderId),
      set: { status: 'failed', failure: 'link_expired' },
    });
    return true;
  });
}

/** `nextLookAtMs` null: there is nothing left to wait for. */
export async function lookAgain(store: Store, orderId: string, nextLookAtMs: number | null): Promise<void> {
  const { payLinks } = store.tables;
  const isWaiting = and(eq(payLinks.orderId, orderId), inArray(payLinks.status, ['open', 'presented', 'expired']));
  await store.tx((db) => db.update(payLinks).set({ nextLookAtMs }).where(isWaiting));
}

export async function markLinkShown(store: Store, orderId: string, nowMs: number): Promise<void> {
  const { payLinks } = store.tables;
  const isNew = and(eq(payLinks.orderId, orderId), isNull(payLinks.shownAtMs));
  await store.tx((db) => db.update(payLinks).set({ shownAtMs: nowMs }).where(isNew));
}

/** The chat may show something older over it, so it is shown once more, with a new key: by the next look, which is due. */
export async function markLinkUnshown(store: Store, orderId: string): Promise<void> {
  const { payLinks } = store.tables;
  const isWaiting = and(eq(payLinks.orderId, orderId), isNotNull(payLinks.nextLookAtMs));
  await store.tx((db) => db.update(payLinks).set({ shownAtMs: null, nextLookAtMs: 0 }).where(isWaiting));
}

/** For the worker, which finds the chat of a payment made over a link by the link's task, with any payer. */
export async function findOrderByTaskPayment(store: Store, paymentId: string): Promise<OrderRow | null> {
  const { orders, payLinks } = store.tables;
  const [taken] = await selectTaken(store.read, { paymentId });
  if (!taken?.orderId.startsWith(TASK_PREFIX)) return null;
  const [row] = await store.read
    .select({ order: orders })
    .from(payLinks)
    .innerJoin(orders, eq(orders.id, payLinks.orderId))
    .where(eq(payLinks.taskId, taken.orderId.slice(TASK_PREFIX.length)));
  return row?.order ?? null;
}

const selectTaken = prepare((db, { purchases }) =>
  db
    .select({ orderId: purchases.orderId })
    .from(purchases)
    .where(eq(purchases.paymentId, placeholder('paymentId'))),
);

const TASK_PREFIX = taskOrderId('');
