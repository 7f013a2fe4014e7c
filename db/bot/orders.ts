import { and, asc, eq, inArray, isNull, lt, ne, type SQL } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { LineResult } from '../tables/bot.ts';

/**
 * Orders of the chat bot. Every move names the old state in its own statement and answers whether it happened, so two
 * processes that work on one order cannot both sign or both answer for it.
 */
export type OrderRow = Tables['orders']['$inferSelect'];
export type OrderDraft = OrderWish & Partial<Pick<OrderRow, 'lines' | 'tippedMessageId' | 'communityId'>>;
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

/** When a header can no longer land, as its network tells time: Base by the clock, Solana by its blocks. */
export type HeaderEnd = { validBefore: number } | { lastValidHeight: number };
/** What is past for certain, in the same terms. */
export type Past = { nowSeconds: number } | { finalHeight: number };

/**
 * The order of this event: the given draft, or the one that an earlier delivery of the same event left. A proposed one
 * is shown to its payer first, and nobody works on it before a word of his (proposals.ts).
 */
export async function createOrder(
  store: Store,
  draft: OrderDraft,
  status: 'proposed' | 'drafted' = 'drafted',
): Promise<OrderRow> {
  const { orders } = store.tables;
  return store.tx(async (db) => {
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
  });
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

/** For the worker, which looks for the chat of a payment: its order, once the bot has its answer. Of several lines the first. */
export async function findOrderByTxn(store: Store, txnId: number): Promise<OrderRow | null> {
  const { orders } = store.tables;
  const [row] = await store.read.select().from(orders).where(eq(orders.txnId, txnId));
  return row ?? null;
}

/** Orders that are not over, or whose end nobody was told yet, oldest first. Proposed ones wait for a person. */
export async function openOrders(store: Store, limit: number): Promise<OrderRow[]> {
  const { orders } = store.tables;
  return store.read
    .select()
    .from(orders)
    .where(and(isNull(orders.shownAtMs), ne(orders.status, 'proposed')))
    .orderBy(asc(orders.createdAtMs))
    .limit(limit);
}

/** Also from `priced`, because a price is asked for again when nothing was signed for it. */
export function markPriced(store: Store, id: string, totalMicroUsdc: bigint): Promise<boolean> {
  return move(store, id, ['drafted', 'priced'], { status: 'priced', totalMicroUsdc });
}

/** The header is durable before anybody sends it. Of two signers only one gets here; the other's header is dropped. */
export function markSigned(store: Store, id: string, header: string, end: HeaderEnd): Promise<boolean> {
  return move(store, id, ['priced'], { status: 'signed', header, ...end });
}

/**
 * Also from `failed`: a refused header that somebody sent again may succeed later, and what was paid is the truth. It
 * counts as not shown then, so that the chat gets to see it.
 */
export function markAnswered(store: Store, id: string, answer: OrderAnswer): Promise<boolean> {
  const ended = { status: 'answered', failure: null, failedLine: null, shownAtMs: null } as const;
  return move(store, id, ['signed', 'failed'], { ...ended, ...answer });
}

/** `results` for an order with several lines; the first of them is what `txnId` and `receipt` say. */
export type OrderAnswer = { txnId: number; receipt: string; results?: LineResult[] };

/** `from` says what the caller saw: an order that was signed in the meantime does not fail for an earlier reason. */
export function markFailed(
  store: Store,
  id: string,
  from: 'unsigned' | 'signed',
  failure: string,
  failedLine: number | null = null,
): Promise<boolean> {
  const states: OrderRow['status'][] = from === 'signed' ? ['signed'] : ['drafted', 'priced'];
  return move(store, id, states, { status: 'failed', failure, failedLine });
}

/**
 * Gives up a header for a new one, and answers whether it was over. Only for a header whose end is past and which the API
 * has refused after that: before, both could land.
 */
export async function reopenOrder(store: Store, id: string, header: string, past: Past): Promise<boolean> {
  const { orders } = store.tables;
  const rows = await store.tx((db) =>
    db
      .update(orders)
      .set({ status: 'drafted', header: null, validBefore: null, lastValidHeight: null, totalMicroUsdc: null })
      .where(
        and(
          eq(orders.id, id),
          eq(orders.status, 'signed'),
          eq(orders.header, header),
          isOver(store, past),
          isNull(orders.txnId),
        ),
      )
      .returning({ id: orders.id }),
  );
  return rows.length > 0;
}

/** A column that is null, because the order is on the other network, is never below anything. */
function isOver({ tables }: Store, past: Past): SQL {
  const { validBefore, lastValidHeight } = tables.orders;
  return 'nowSeconds' in past ? lt(validBefore, past.nowSeconds) : lt(lastValidHeight, past.finalHeight);
}

/** The chat shows how it ended. */
export function markShown(store: Store, id: string, nowMs: number): Promise<boolean> {
  return move(store, id, ['answered', 'failed'], { shownAtMs: nowMs });
}

async function move(store: Store, id: string, from: OrderRow['status'][], change: Partial<OrderRow>): Promise<boolean> {
  const { orders } = store.tables;
  const rows = await store.tx((db) =>
    db
      .update(orders)
      .set(change)
      .where(and(eq(orders.id, id), inArray(orders.status, from)))
      .returning({ id: orders.id }),
  );
  return rows.length > 0;
}
