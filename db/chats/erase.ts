import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notInArray } from 'drizzle-orm';
import { COOLDOWN_MAX_S } from '../../core/communities/community-settings.ts';
import type { Store } from '../store/store.ts';

const OVER = ['answered', 'failed'] as const;

/**
 * Erases whom a user tipped and with which words. Open orders stay, and so does everything about money: wallets,
 * withdrawals, payments and the ledger. Messages and bans belong to the chat. An order's bare row stays, because an
 * event delivered again would otherwise pay again. Answers how many orders were erased. `madeUntilMs`: later orders stay.
 */
export async function eraseChatUser(
  store: Store,
  userId: string,
  nowMs: number,
  madeUntilMs?: number,
): Promise<number> {
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
  const isOver = and(
    isNotNull(orders.shownAtMs),
    inArray(orders.status, OVER),
    isNull(orders.erasedAtMs),
    madeUntilMs === undefined ? undefined : lte(orders.createdAtMs, madeUntilMs),
  );
  const blank = { body: {}, recipient: '', walletName: null, lines: null, results: null, receipt: null, header: null };
  return store.tx(async (db) => {
    const erased = await db
      .update(orders)
      .set({ ...blank, erasedAtMs: nowMs })
      .where(and(eq(orders.userId, userId), isOver))
      .returning({ id: orders.id });
    // Their links open no more, and no user waits for what may still be sent.
    const ids = erased.map(({ id }) => id);
    await db.delete(payLinkKeys).where(inArray(payLinkKeys.orderId, ids));
    await db.update(payLinks).set({ nextLookAtMs: null }).where(inArray(payLinks.orderId, ids));
    await db.delete(chatButtons).where(and(eq(chatButtons.userId, userId), isNotNull(chatButtons.pressedByEvent)));
    await db.delete(chatFiles).where(eq(chatFiles.userId, userId));
    await db.delete(knownRecipients).where(eq(knownRecipients.userId, userId));
    await db.update(chatUsers).set({ language: null }).where(eq(chatUsers.id, userId));
    // Views that wait to be shown repeat the orders' contents; the cards of open orders are still needed.
    const open = db
      .select({ messageId: orders.messageId })
      .from(orders)
      .where(and(eq(orders.userId, userId), isNull(orders.shownAtMs)));
    const isOwn = and(eq(telegramMessages.userId, userId), isNotNull(telegramMessages.view));
    await db
      .update(telegramMessages)
      .set({ view: null, pendingSinceMs: null })
      .where(and(isOwn, notInArray(telegramMessages.key, open)));
    // A younger row may still be needed for the pause between two tips.
    const over = lte(communityTips.lastTipAtMs, nowMs - COOLDOWN_MAX_S * 1_000);
    await db.delete(communityTips).where(and(eq(communityTips.userId, userId), over));
    return erased.length;
  });
}

/** An erasure as it is kept outside the database, which may be restored from before it. `user`: a hash of the user's id. */
export type KeptErasure = { user: string; atMs: number };

const USERS_AT_ONCE = 500;

/**
 * Erases again what a restored database has brought back, up to the moment of each erasure. Answers how many orders that
 * were. May be repeated.
 */
export async function eraseAgain(
  store: Store,
  kept: readonly KeptErasure[],
  hashOf: (userId: string) => string,
  nowMs: number,
): Promise<number> {
  const { chatUsers } = store.tables;
  const untilMs = new Map<string, number>();
  for (const { user, atMs } of kept) untilMs.set(user, Math.max(atMs, untilMs.get(user) ?? 0));
  let count = 0;
  for (let after: string | undefined = ''; untilMs.size > 0 && after !== undefined;) {
    const users: { id: string }[] = await store.read
      .select({ id: chatUsers.id })
      .from(chatUsers)
      .where(gt(chatUsers.id, after))
      .orderBy(asc(chatUsers.id))
      .limit(USERS_AT_ONCE);
    for (const { id } of users) {
      const atMs = untilMs.get(hashOf(id));
      if (atMs !== undefined) count += await eraseChatUser(store, id, nowMs, atMs);
    }
    after = users.at(-1)?.id;
  }
  return count;
}
