import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Store } from '../store.ts';

const OVER = ['answered', 'failed'] as const;

/**
 * Forgets whom somebody tipped and with which words. What is not over stays, and so does everything about money:
 * wallets, withdrawals, payments and the ledger. What stands in a chat is the chat's. Of an order remains that its event is used up: without that, an
 * event delivered again would pay again. Answers how many orders were forgotten.
 */
export async function eraseChatUser(store: Store, userId: string, nowMs: number): Promise<number> {
  const { orders, chatButtons, chatFiles, chatUsers } = store.tables;
  const isOver = and(isNotNull(orders.shownAtMs), inArray(orders.status, OVER), isNull(orders.erasedAtMs));
  const blank = { body: {}, recipient: '', walletName: null, lines: null, results: null, receipt: null, header: null };
  return store.tx(async (db) => {
    const erased = await db
      .update(orders)
      .set({ ...blank, erasedAtMs: nowMs })
      .where(and(eq(orders.userId, userId), isOver))
      .returning({ id: orders.id });
    await db.delete(chatButtons).where(and(eq(chatButtons.userId, userId), isNotNull(chatButtons.pressedByEvent)));
    await db.delete(chatFiles).where(eq(chatFiles.userId, userId));
    await db.update(chatUsers).set({ language: null }).where(eq(chatUsers.id, userId));
    return erased.length;
  });
}
