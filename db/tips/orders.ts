import { and, asc, eq, gt, inArray, isNull, lt, lte, notInArray, or, sql, type SQL } from 'drizzle-orm';
import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import type { HeaderEnd, Past } from '../../core/payments/charge.ts';
import { signingTx } from '../processes/signing.ts';
import { move, moveSigned } from '../store/move.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { LineResult } from '../tables/bot.ts';
import { addSpending, giveBackSpending, takeSpending, type SpendingProblem } from '../wallets/spending.ts';

/**
 * Orders of the chat bot. Every move names the old state in its own statement and answers whether it happened, so two
 * processes that work on one order cannot both sign or both answer for it.
 */
export type OrderRow = Tables['orders']['$inferSelect'];
export type OrderDraft = OrderWish &
  Partial<Pick<OrderRow, 'lines' | 'tippedMessageId' | 'communityId' | 'viaLink' | 'agreedMicroUsdc'>>;
type OrderWish = Pick<
  OrderRow,
  | 'id'
  | 'transport'
  | 'eventId'
  | 'chatId'
  | 'messageId'
  | 'userId'
  | 'walletId'
  | 'walletName'
  | 'language'
  | 'network'
  | 'payerAddress'
  | 'route'
  | 'body'
  | 'recipient'
  | 'amountMicroUsdc'
  | 'createdAtMs'
>;

/**
 * The order of this event: the given draft, or the one that an earlier delivery of the same event left. A proposed
 * order is first shown to its payer and waits for the payer's confirmation (proposals.ts).
 */
export async function createOrder(
  store: Store,
  draft: OrderDraft,
  status: 'proposed' | 'drafted' = 'drafted',
): Promise<OrderRow> {
  return store.tx((db) => insertOrder(db, store.tables, draft, status));
}

/** The same inside the caller's transaction. */
export async function insertOrder(
  db: Db,
  { orders }: Tables,
  draft: OrderDraft,
  status: 'proposed' | 'drafted',
): Promise<OrderRow> {
  await db
    .insert(orders)
    .values({ ...draft, status })
    .onConflictDoNothing();
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.transport, draft.transport), eq(orders.eventId, draft.eventId)));
  if (!row) throw new Error(`order ${draft.id} was neither inserted nor found under its event`);
  return row;
}

export async function findOrder(store: Store, id: string): Promise<OrderRow | null> {
  const { orders } = store.tables;
  const [row] = await store.read.select().from(orders).where(eq(orders.id, id));
  return row ?? null;
}

export async function findOrderByEvent(store: Store, transport: string, eventId: string): Promise<OrderRow | null> {
  const { orders } = store.tables;
  const [row] = await store.read
    .select()
    .from(orders)
    .where(and(eq(orders.transport, transport), eq(orders.eventId, eventId)));
  return row ?? null;
}

/** For the worker, which looks for the chat of a payment: its order, once answered, by the order's first line. */
export async function findOrderByTxn(store: Store, txnId: number): Promise<OrderRow | null> {
  const [row] = await selectByTxn(store.read, { txnId });
  return row ?? null;
}

const selectByTxn = prepare((db, { orders }) =>
  db
    .select()
    .from(orders)
    .where(eq(orders.txnId, placeholder('txnId'))),
);

/**
 * Orders that are not over, or whose end was not shown yet, oldest first. Without proposed orders, which wait for their
 * payer, and linked ones, which wait for any payer (pay-links.ts). `after`: the last order of the page before.
 */
export async function openOrders(
  store: Store,
  limit: number,
  after: Pick<OrderRow, 'createdAtMs' | 'id'> | null = null,
  except: readonly string[] = [],
): Promise<OrderRow[]> {
  const { orders } = store.tables;
  const { createdAtMs, id } = orders;
  const isLater = after
    ? or(gt(createdAtMs, after.createdAtMs), and(eq(createdAtMs, after.createdAtMs), gt(id, after.id)))
    : undefined;
  return store.read
    .select()
    .from(orders)
    .where(
      and(
        isNull(orders.shownAtMs),
        notInArray(orders.status, ['proposed', 'linked']),
        notInArray(id, [...except]),
        isLater,
      ),
    )
    .orderBy(asc(createdAtMs), asc(id))
    .limit(limit);
}

export type Priced = 'priced' | 'elsewhere' | SpendingProblem;

/**
 * Also from `priced`, because an unsigned order is priced again. What the wallet itself pays counts against its limits
 * in the same transaction; above a limit nothing changes. `elsewhere`: another process has moved the order on.
 */
export async function markPriced(store: Store, id: string, totalMicroUsdc: bigint): Promise<Priced> {
  const { tables } = store;
  const { orders } = tables;
  const isOpen = and(eq(orders.id, id), inArray(orders.status, ['drafted', 'priced']));
  return store.tx(async (db) => {
    const [order] = await db.select().from(orders).where(isOpen);
    if (!order) return 'elsewhere';
    const isOwnMoney = order.viaLink !== true && !isTreasuryWallet(order.walletId);
    const problem = isOwnMoney ? await takeSpending(db, tables, order, totalMicroUsdc) : null;
    if (problem !== null) return problem;
    const counted = isOwnMoney ? { countedMicroUsdc: totalMicroUsdc } : {};
    await move(db, orders, { where: eq(orders.id, id), set: { status: 'priced', totalMicroUsdc, ...counted } });
    return 'priced';
  });
}

/** Stores the header before it is first sent. Of two signers only one succeeds; the other's header is dropped. */
export async function markSigned(store: Store, id: string, header: string, end: HeaderEnd): Promise<boolean> {
  const { orders } = store.tables;
  const set = { status: 'signed', header, ...end } as const;
  const moved = await signingTx(store, { under: null, carrier: null }, (db) =>
    moveSigned(db, orders, { where: eq(orders.id, id), set }),
  );
  return moved.length > 0;
}

/**
 * Also from `failed`: a refused header may still succeed when it is sent again, and a payment that landed counts. The
 * order then counts as not shown, so that the chat shows the new end.
 */
export async function markAnswered(store: Store, id: string, answer: OrderAnswer): Promise<boolean> {
  const { tables } = store;
  const ended = { status: 'answered', failure: null, failedLine: null, ...unshownEnd(tables) } as const;
  return store.tx(async (db) => {
    const [order] = await db.select().from(tables.orders).where(eq(tables.orders.id, id));
    const total = order?.totalMicroUsdc ?? null;
    // Its spending was given back when it failed; now it was paid after all and counts again.
    const isPersons = order !== undefined && !isTreasuryWallet(order.walletId);
    const isUncounted = isPersons && order.countedMicroUsdc === null && total !== null;
    const counted = isUncounted ? { countedMicroUsdc: total } : {};
    const moved = await move(db, tables.orders, {
      from: ['signed', 'failed'],
      where: eq(tables.orders.id, id),
      set: { ...ended, ...answer, ...counted },
    });
    const isMoved = moved.length > 0;
    if (isMoved && isUncounted) await addSpending(db, tables, order, total);
    return isMoved;
  });
}

/** `results` for an order with several lines; the first of them is what `txnId` and `receipt` say. */
export type OrderAnswer = { txnId: number; receipt: string; results?: LineResult[] };

/**
 * `from` is the state the caller saw: an order signed in the meantime does not fail for an earlier reason. An unsigned
 * order pays for nothing, so its spending is given back; a signed header may still be used (`releaseFailed`).
 */
export async function markFailed(
  store: Store,
  id: string,
  from: 'unsigned' | 'signed',
  failure: string,
  failedLine: number | null = null,
): Promise<boolean> {
  const { tables } = store;
  const { orders } = tables;
  const where = eq(orders.id, id);
  const set = { status: 'failed', failure, failedLine } as const;
  return store.tx(async (db) => {
    if (from === 'signed') return (await move(db, orders, { from: ['signed'], where, set })).length > 0;
    const [order] = await db.select().from(orders).where(where);
    const unsigned = { ...set, countedMicroUsdc: null };
    const moved = await move(db, orders, { from: ['drafted', 'priced'], where, set: unsigned });
    if (order && moved.length > 0) await giveBackSpending(db, tables, order);
    return moved.length > 0;
  });
}

/**
 * Drops a header to sign a new one, and answers whether it could. Only for a header past its end that the API refused
 * after that end: otherwise both could land.
 */
export async function reopenOrder(store: Store, id: string, header: string, past: Past): Promise<boolean> {
  const { orders } = store.tables;
  const moved = await store.tx((db) =>
    move(db, orders, {
      from: ['signed'],
      where: and(eq(orders.id, id), eq(orders.header, header), isOver(store, past), isNull(orders.txnId)),
      set: { status: 'drafted', header: null, validBefore: null, lastValidHeight: null, totalMicroUsdc: null },
    }),
  );
  return moved.length > 0;
}

/** A column that is null, because the order is on the other network, is never below anything. */
function isOver({ tables }: Store, past: Past): SQL {
  const { validBefore, lastValidHeight } = tables.orders;
  return 'nowSeconds' in past ? lt(validBefore, past.nowSeconds) : lt(lastValidHeight, past.finalHeight);
}

/** The payer took these lines back; the chat has to show it. Lines taken back before stay so. */
export function markUndone(store: Store, id: string, txnIds: readonly number[], nowMs: number): Promise<boolean> {
  const { tables } = store;
  return store.tx(async (db) => {
    const [order] = await db.select().from(tables.orders).where(eq(tables.orders.id, id));
    const results =
      order?.results?.map((one) => (txnIds.includes(one.txnId) ? { ...one, undone: true as const } : one)) ?? null;
    return note(db, tables, id, ['answered'], { undoneAtMs: nowMs, ...unshown(tables), results });
  });
}

/** The chat shows how it ended, as far as this row tells: with news since, it is shown once more. */
export function markShown(
  store: Store,
  { id, newsCount }: Pick<OrderRow, 'id' | 'newsCount'>,
  nowMs: number,
): Promise<boolean> {
  const { orders } = store.tables;
  const isNewest = eq(orders.newsCount, newsCount);
  return store.tx((db) => note(db, store.tables, id, ['answered', 'failed'], { shownAtMs: nowMs }, isNewest));
}

/**
 * Something became true of its money that its message does not say: it was found, has arrived, or came back. False before
 * its answer, whose message says that anyway. `within`: in these states its message says something else than its end.
 */
export function noteNews(store: Store, id: string, within: OrderRow['status'][] = ['answered']): Promise<boolean> {
  return store.tx((db) => note(db, store.tables, id, within, unshown(store.tables)));
}

/** The count grows by one in size, and stays below one until anybody has shown how the order ended. */
function unshown({ orders: { newsCount, shownAtMs } }: Tables) {
  const wasNeverShown = and(isNull(shownAtMs), lte(newsCount, 0));
  return {
    shownAtMs: null,
    newsCount: sql`case when ${wasNeverShown} then ${newsCount} - 1 else abs(${newsCount}) + 1 end`,
  };
}

/** The same where it had another end before, which another process may be about to show. */
export function unshownEnd({ orders: { newsCount, status } }: Tables) {
  return { shownAtMs: null, newsCount: sql`${newsCount} - case when ${status} = 'failed' then 1 else 0 end` };
}

/** Whether its message has said before how it ended, and is only shown once more. */
export const isNews = ({ status, newsCount }: Pick<OrderRow, 'status' | 'newsCount'>): boolean =>
  status === 'answered' && newsCount > 0;

/** Writes beside the state of an order that is in one of these. */
async function note(
  db: Db,
  { orders }: Tables,
  id: string,
  within: OrderRow['status'][],
  noted: Pick<Partial<OrderRow>, 'undoneAtMs' | 'shownAtMs' | 'results'> & { newsCount?: SQL },
  isToo?: SQL,
): Promise<boolean> {
  const rows = await db
    .update(orders)
    .set(noted)
    .where(and(eq(orders.id, id), inArray(orders.status, within), isToo))
    .returning({ id: orders.id });
  return rows.length > 0;
}
