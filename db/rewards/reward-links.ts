import { and, eq, ne } from 'drizzle-orm';
import { countConfirmations, quorumOf } from '../../core/rewards/reward-cards.ts';
import type { Network } from '../../core/networks.ts';
import { move } from '../store/move.ts';
import type { Store } from '../store/store.ts';
import { confirmationsOf, holdTreasury, isOpenAt, moderatorsOf, type RewardCard } from './reward-cards.ts';

/**
 * A card with enough confirmations may also be paid by a visitor's own wallet, on its link's page. The card stores that
 * payment: it is `signed` with the wallet's header, as it would be with the treasury's.
 */
export async function findRewardOf(store: Store, distributionId: string): Promise<RewardCard | null> {
  const { rewardCards: table } = store.tables;
  const [row] = await store.read.select().from(table).where(eq(table.distributionId, distributionId));
  return row ?? null;
}

export type LinkPayment = { header: string; network: Network; payerAddress: string; nowMs: number };

/**
 * Stores the payment before it is first sent. Of two wallets at once only one succeeds, and none beside the treasury:
 * false when the card is decided or still waits for confirmations.
 */
export async function presentByLink(store: Store, id: string, payment: LinkPayment): Promise<boolean> {
  const { tables } = store;
  const { rewardCards: table } = tables;
  const { nowMs, ...paid } = payment;
  return store.tx(async (db) => {
    const isOpen = and(eq(table.id, id), isOpenAt(tables, nowMs));
    // The update locks the card, so that a confirmation or rejection at the same time comes before or after.
    const [card] = await db.update(table).set({ id }).where(isOpen).returning();
    if (!card || !isAgreed(card, await confirmationsOf(db, tables, id))) return false;
    const waiting = { refusal: null, endedAtMs: nowMs, nextLookAtMs: nowMs };
    const moved = await move(db, table, {
      from: ['proposed'],
      where: isOpen,
      set: { ...paid, ...waiting, status: 'signed', viaLink: true },
    });
    return moved.length > 0;
  });
}

/** Whether it has enough confirmations and waits only for money. */
export function isAgreed(card: RewardCard, confirmations: Awaited<ReturnType<typeof confirmationsOf>>): boolean {
  const moderators = moderatorsOf(card);
  return countConfirmations(card, moderators, confirmations) >= quorumOf(card, moderators);
}

/**
 * The API has refused this payment for good, so another one may come, and the treasury may pay again. If another card
 * was made meanwhile, this one is replaced: two open cards could both be paid. `isShown`: the chat may have shown the
 * payment, so the card is due to be shown as open again.
 */
export async function reopenByLink(
  store: Store,
  { id, walletId, expiresAtMs }: RewardCard,
  { header, refusal, isShown, nowMs }: { header: string; refusal: string; isShown: boolean; nowMs: number },
): Promise<boolean> {
  const { tables } = store;
  const { rewardCards: table } = tables;
  const nobody = { header: null, viaLink: null, network: null, payerAddress: null, refusal };
  return store.tx(async (db) => {
    await holdTreasury(db, tables, walletId);
    const isOther = and(eq(table.walletId, walletId), ne(table.id, id), isOpenAt(tables, nowMs));
    const [other] = await db.select({ by: table.proposedBy }).from(table).where(isOther).limit(1);
    // Otherwise it is next due when it expires, like any open card.
    const nextLookAtMs = isShown ? nowMs : expiresAtMs;
    const waiting = { status: 'proposed', endedAtMs: null, nextLookAtMs } as const;
    const replaced = { status: 'replaced', endedBy: other?.by, endedAtMs: nowMs, nextLookAtMs: nowMs } as const;
    const moved = await move(db, table, {
      from: ['signed'],
      where: and(eq(table.id, id), eq(table.header, header), eq(table.viaLink, true)),
      set: { ...nobody, ...(other === undefined ? waiting : replaced) },
    });
    return moved.length > 0;
  });
}

/** The chat shows the card as open; it is next due when it expires. */
export async function restReward(store: Store, { id, expiresAtMs }: RewardCard): Promise<void> {
  const { rewardCards: table } = store.tables;
  const isWaiting = and(eq(table.id, id), eq(table.status, 'proposed'));
  await store.tx((db) => db.update(table).set({ nextLookAtMs: expiresAtMs }).where(isWaiting));
}
