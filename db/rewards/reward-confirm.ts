import { and, eq, inArray } from 'drizzle-orm';
import { counts, countConfirmations, quorumOf, type RewardModerators } from '../../core/rewards/reward-cards.ts';
import type { Network } from '../../core/networks.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { confirmationsOf, isOpenAt, type RewardCard } from './reward-cards.ts';

export type RewardPress = {
  id: string;
  userId: string;
  /** The members the platform was asked about, and those of them who may confirm now. */
  askedIds: readonly string[];
  deciderIds: readonly string[];
  moderators: RewardModerators;
  /** Where the treasury has enough, and its address there; null where it has not. */
  paying: { network: Network; payerAddress: string } | null;
  nowMs: number;
};

export type RewardConfirmed =
  /** It waits for more confirmations. */
  | { kind: 'recorded' }
  /** Nothing was written: this member proposed it. */
  | { kind: 'own' }
  /** A member has confirmed whom the platform was not asked about: it has to be asked again. */
  | { kind: 'ask_again' }
  /** It has enough confirmations, but the treasury has too little: it waits for money, or for a payer by the link. */
  | { kind: 'unfunded' }
  /** It has enough confirmations: it may now be paid, on one fixed network. */
  | { kind: 'confirmed' }
  | { kind: 'over' };

/**
 * Records a member's confirmation, and releases the reward for payment in the same transaction once there are enough.
 * No member counts twice, and confirmations of members who may no longer confirm do not count.
 */
export async function confirmReward(store: Store, press: RewardPress): Promise<RewardConfirmed> {
  return store.tx(async (db): Promise<RewardConfirmed> => {
    const { tables } = store;
    const { id, userId, askedIds, deciderIds, moderators, nowMs } = press;
    if (!deciderIds.includes(userId)) throw new Error(`${userId} confirms a reward, and may not`);
    const card = await lock(db, tables, press);
    if (card === null) return { kind: 'over' };
    if (!counts(card, moderators, { userId, confirmedAtMs: nowMs })) return { kind: 'own' };
    const confirmations = await confirmationsOf(db, tables, id);
    if (confirmations.some((confirmation) => !askedIds.includes(confirmation.userId))) return { kind: 'ask_again' };
    const { rewardConfirmations: table } = tables;
    await db.insert(table).values({ cardId: id, userId, confirmedAtMs: nowMs }).onConflictDoNothing();
    const struck = confirmations
      .filter((confirmation) => !deciderIds.includes(confirmation.userId))
      .map((confirmation) => confirmation.userId);
    await db.delete(table).where(and(eq(table.cardId, id), inArray(table.userId, struck)));
    const standing = await confirmationsOf(db, tables, id);
    if (countConfirmations(card, moderators, standing) < quorumOf(card, moderators)) return { kind: 'recorded' };
    if (press.paying === null) return { kind: 'unfunded' };
    await release(db, tables, press, press.paying);
    return { kind: 'confirmed' };
  });
}

/** Of two presses at once the later one waits here for the earlier one, and sees what it has written. */
async function lock(db: Db, tables: Tables, { id, moderators, nowMs }: RewardPress): Promise<RewardCard | null> {
  const { rewardCards: table } = tables;
  const [card] = await db
    .update(table)
    .set({ isOneEnough: moderators.isOneEnough, isLone: moderators.isLone })
    .where(and(eq(table.id, id), isOpenAt(tables, nowMs)))
    .returning();
  return card ?? null;
}

/** Once: the card leaves `proposed` here. */
async function release(
  db: Db,
  { rewardCards: table }: Tables,
  { id, userId, nowMs }: RewardPress,
  paying: NonNullable<RewardPress['paying']>,
): Promise<void> {
  const agreed = { ...paying, refusal: null, endedBy: userId, endedAtMs: nowMs };
  const rows = await move(db, table, {
    from: ['proposed'],
    where: eq(table.id, id),
    set: { ...agreed, status: 'confirmed', nextLookAtMs: nowMs },
  });
  if (rows.length !== 1) throw new Error(`the card ${id} of a reward vanished while it was confirmed`);
}
