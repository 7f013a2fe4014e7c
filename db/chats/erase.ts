import { and, eq, inArray, isNotNull, isNull, lte, notInArray } from 'drizzle-orm';
import { COOLDOWN_MAX_S } from '../../core/communities/community-settings.ts';
import type { Store } from '../store/store.ts';

const OVER = ['answered', 'failed'] as const;

/**
 * Forgets whom somebody tipped and with which words. What is not over stays, and so does everything about money:
 * wallets, withdrawals, payments and the ledger. What stands in a chat is the chat's, and so is who is banned from it. Of
 * an order remains that its event is used up: without that, an event delivered again would pay again. Answers how many
 * orders were forgotten.
 */
export async function eraseChatUser(store: Store, userId: string, nowMs: number): Promise<number> {
  const {
    orders,
    chatButtons,
    chatFiles,
    chatUsers,
    payLinkKeys,
    payLinks,
    telegramMessages,
    communityTips,
    knownRecipients,
  } = store.tables;
  const isOver = and(isNotNull(orders.shownAtMs), inArray(orders.status, OVER), isNull(orders.erasedAtMs));
  const blank = { body: {}, recipient: '', walletName: null, lines: null, results: null, receipt: null, header: null };
  return store.tx(async (db) => {
    const erased = await db
      .update(orders)
      .set({ ...blank, erasedAtMs: nowMs })
      .where(and(eq(orders.userId, userId), isOver))
      .returning({ id: orders.id });
    // Nothing opens them any more, and nobody waits for what may still be sent.
    const ids = erased.map(({ id }) => id);
    await db.delete(payLinkKeys).where(inArray(payLinkKeys.orderId, ids));
    await db.update(payLinks).set({ nextLookAtMs: null }).where(inArray(payLinks.orderId, ids));
    await db.delete(chatButtons).where(and(eq(chatButtons.userId, userId), isNotNull(chatButtons.pressedByEvent)));
    await db.delete(chatFiles).where(eq(chatFiles.userId, userId));
    await db.delete(knownRecipients).where(eq(knownRecipients.userId, userId));
    await db.update(chatUsers).set({ language: null }).where(eq(chatUsers.id, userId));
    // What waits to be shown says the same as the orders, and the cards of those that go on are still needed.
    const open = db
      .select({ messageId: orders.messageId })
      .from(orders)
      .where(and(eq(orders.userId, userId), isNull(orders.shownAtMs)));
    const isOwn = and(eq(telegramMessages.userId, userId), isNotNull(telegramMessages.view));
    await db
      .update(telegramMessages)
      .set({ view: null, pendingSinceMs: null })
      .where(and(isOwn, notInArray(telegramMessages.key, open)));
    // A younger one may still keep somebody from tipping again.
    const over = lte(communityTips.lastTipAtMs, nowMs - COOLDOWN_MAX_S * 1_000);
    await db.delete(communityTips).where(and(eq(communityTips.userId, userId), over));
    return erased.length;
  });
}
