import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import type { OrderRow } from './orders.ts';

/** A message that people have tipped. */
export type TippedMessage = { transport: string; chatId: string; tippedMessageId: string };

/** All users' paid tips for one message, without those taken back or erased. */
export async function tipsForMessage(store: Store, message: TippedMessage) {
  const { orders } = store.tables;
  const { id, userId, recipient, amountMicroUsdc, language } = orders;
  return store.read
    .select({ id, userId, recipient, amountMicroUsdc, language })
    .from(orders)
    .where(countsFor(store, message))
    .orderBy(orders.createdAtMs, orders.id);
}

type Ordered = Pick<OrderRow, 'id' | 'transport' | 'chatId' | 'tippedMessageId' | 'createdAtMs'>;

/**
 * Whether none of the tips that count for its message was asked for earlier. Of all that are ever paid one is the first,
 * whichever of them is looked at first. True of a tip for no message.
 */
export async function isFirstForMessage(store: Store, { tippedMessageId, ...order }: Ordered): Promise<boolean> {
  if (tippedMessageId === null) return true;
  const { orders } = store.tables;
  const { id, createdAtMs } = order;
  const isEarlier = or(
    lt(orders.createdAtMs, createdAtMs),
    and(eq(orders.createdAtMs, createdAtMs), lt(orders.id, id)),
  );
  const [earlier] = await store.read
    .select({ id: orders.id })
    .from(orders)
    .where(and(countsFor(store, { ...order, tippedMessageId }), isEarlier))
    .limit(1);
  return earlier === undefined;
}

function countsFor({ tables: { orders } }: Store, { transport, chatId, tippedMessageId }: TippedMessage) {
  return and(
    eq(orders.transport, transport),
    eq(orders.chatId, chatId),
    eq(orders.tippedMessageId, tippedMessageId),
    eq(orders.status, 'answered'),
    isNull(orders.undoneAtMs),
    isNull(orders.erasedAtMs),
  );
}

/** The message that shows them; null while there is none. */
export async function findSummary(store: Store, message: TippedMessage): Promise<string | null> {
  const { tipSummaries } = store.tables;
  const [row] = await store.read.select().from(tipSummaries).where(isFor(store, message));
  return row?.messageId ?? null;
}

/** Remembers the message that shows them: this one, or the one that was there before. */
export async function keepSummary(store: Store, message: TippedMessage, messageId: string): Promise<string> {
  const { tipSummaries } = store.tables;
  return store.tx(async (db) => {
    await db
      .insert(tipSummaries)
      .values({ ...message, messageId })
      .onConflictDoNothing();
    const [row] = await db.select().from(tipSummaries).where(isFor(store, message));
    if (!row) throw new Error(`no message stands for the tips to ${message.tippedMessageId}`);
    return row.messageId;
  });
}

function isFor({ tables: { tipSummaries } }: Store, { transport, chatId, tippedMessageId }: TippedMessage) {
  return and(
    eq(tipSummaries.transport, transport),
    eq(tipSummaries.chatId, chatId),
    eq(tipSummaries.tippedMessageId, tippedMessageId),
  );
}
