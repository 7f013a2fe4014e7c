import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notInArray, or } from 'drizzle-orm';
import { COOLDOWN_MAX_S } from '../../core/communities/community-settings.ts';
import { REQUESTS_DAY_MS } from '../../core/money-requests/money-requests.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';
import { erasedNameOf } from './erased-name.ts';

const OVER = ['answered', 'failed'] as const;

/**
 * Erases whom a user tipped and with which words, and where they were seen. Open orders stay, and so does everything about money: wallets,
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
    botMessages,
    communityTips,
    keptAnswers,
    knownRecipients,
    requestChoices,
  } = store.tables;
  const isOver = and(
    // One with news was shown before.
    or(isNotNull(orders.shownAtMs), gt(orders.newsCount, 0)),
    inArray(orders.status, OVER),
    isNull(orders.erasedAtMs),
    madeUntilMs === undefined ? undefined : lte(orders.createdAtMs, madeUntilMs),
  );
  const erasedName = await erasedNameOf(store, userId);
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
    await db
      .delete(chatButtons)
      .where(
        and(eq(chatButtons.userId, userId), or(isNotNull(chatButtons.pressedByEvent), eq(chatButtons.action, 'say'))),
      );
    await db.delete(chatFiles).where(eq(chatFiles.userId, userId));
    await db.delete(keptAnswers).where(eq(keptAnswers.userId, userId));
    await db.delete(requestChoices).where(eq(requestChoices.userId, userId));
    await eraseMember(db, store.tables, userId);
    await eraseReceived(db, store.tables, userId);
    await eraseDrops(db, store.tables, userId);
    await eraseRequests(db, store.tables, { userId, erasedName, orderIds: ids, nowMs });
    await db.delete(knownRecipients).where(eq(knownRecipients.userId, userId));
    await db.update(chatUsers).set({ language: null }).where(eq(chatUsers.id, userId));
    // Views that wait to be shown repeat the orders' contents; the cards of open orders are still needed.
    const open = db
      .select({ messageId: orders.messageId })
      .from(orders)
      .where(and(eq(orders.userId, userId), isNull(orders.shownAtMs), isNull(orders.erasedAtMs)));
    const isOwn = and(eq(botMessages.userId, userId), isNotNull(botMessages.view));
    await db
      .update(botMessages)
      .set({ view: null, pendingSinceMs: null })
      .where(and(isOwn, notInArray(botMessages.key, open)));
    // A younger row may still be needed for the pause between two tips.
    const over = lte(communityTips.lastTipAtMs, nowMs - COOLDOWN_MAX_S * 1_000);
    await db.delete(communityTips).where(and(eq(communityTips.userId, userId), over));
    return erased.length;
  });
}

type Erased = { userId: string; erasedName: string; orderIds: string[]; nowMs: number };

/** `orderIds`: orders that are erased with them, so nobody has to follow them any more. */
async function eraseRequests(
  db: Db,
  { moneyRequests }: Tables,
  { userId, erasedName, orderIds, nowMs }: Erased,
): Promise<void> {
  const { askerId, askedId, nextLookAtMs, orderId, createdAtMs } = moneyRequests;
  const isOver = or(isNull(nextLookAtMs), inArray(orderId, orderIds));
  const isTheirs = and(or(eq(askerId, userId), eq(askedId, userId)), isOver);
  const sinceMs = nowMs - REQUESTS_DAY_MS;
  await db.delete(moneyRequests).where(and(isTheirs, lte(createdAtMs, sinceMs)));
  // What still counts against a limit of the day stays until that is over, with nothing in it but that it was asked.
  const bare = { billId: null, chatId: '', messageId: null, language: null, reason: null, nextLookAtMs: null };
  const isIn = (column: typeof askerId) => and(eq(column, userId), isOver);
  await db
    .update(moneyRequests)
    .set({ ...bare, askerId: erasedName })
    .where(isIn(askerId));
  await db
    .update(moneyRequests)
    .set({ ...bare, askedId: erasedName })
    .where(isIn(askedId));
  // A card that is still open goes on without the words on it, also one that was not shown yet: it is written again now.
  await db.update(moneyRequests).set({ reason: null, nextLookAtMs: nowMs }).where(eq(askerId, userId));
}

/** Where the person was seen, who was in their private chat, whom others answered, and the list of those who thank many. */
async function eraseMember(
  db: Db,
  { communityPeople, communityAnswers, topMembers }: Tables,
  userId: string,
): Promise<void> {
  for (const table of [communityPeople, communityAnswers, topMembers])
    await db.delete(table).where(eq(table.userId, userId));
  const [transport = ''] = userId.split(':');
  const isPrivate = and(eq(communityPeople.transport, transport), eq(communityPeople.communityId, userId));
  await db.delete(communityPeople).where(isPrivate);
  // An answer goes on to count for the person who got it.
  await db.update(communityAnswers).set({ byId: '' }).where(eq(communityAnswers.byId, userId));
}

/** How they want to hear of small tips, and whose words they read; what they gave goes on to count for others. */
async function eraseReceived(
  db: Db,
  { acceptedGivers, quietPeople, quietTips }: Tables,
  userId: string,
): Promise<void> {
  await db.delete(quietPeople).where(eq(quietPeople.userId, userId));
  await db.delete(quietTips).where(eq(quietTips.userId, userId));
  await db.update(quietTips).set({ giverId: '' }).where(eq(quietTips.giverId, userId));
  await db.delete(acceptedGivers).where(or(eq(acceptedGivers.userId, userId), eq(acceptedGivers.giverId, userId)));
}

/** Asks no longer for a share that is not paid yet. A drop of this person that is still open goes on. */
async function eraseDrops(
  db: Db,
  { drops, dropTakers, dropConfirmations, orders }: Tables,
  userId: string,
): Promise<void> {
  // What was agreed to stays agreed to, by whom and for whom, until its order is over: the signer counts both.
  const unpaid = db
    .select({ id: drops.id })
    .from(drops)
    .innerJoin(orders, eq(orders.id, drops.orderId))
    .where(and(eq(drops.status, 'agreed'), notInArray(orders.status, [...OVER])));
  const isOver = and(inArray(drops.status, ['agreed', 'ended']), notInArray(drops.id, unpaid));
  const over = db.select({ id: drops.id }).from(drops).where(isOver);
  const isTaker = eq(dropTakers.userId, userId);
  await db.delete(dropTakers).where(and(isTaker, inArray(dropTakers.dropId, over)));
  await db
    .update(dropTakers)
    .set({ isStruck: true, names: [] })
    .where(and(isTaker, notInArray(dropTakers.dropId, unpaid)));
  await db
    .delete(dropConfirmations)
    .where(and(eq(dropConfirmations.userId, userId), notInArray(dropConfirmations.dropId, unpaid)));
  const isShown = and(isOver, isNull(drops.nextLookAtMs));
  await db.delete(drops).where(and(eq(drops.giverId, userId), isShown));
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
