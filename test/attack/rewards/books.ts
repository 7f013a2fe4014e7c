import { eq, inArray, isNotNull } from 'drizzle-orm';
import type { Store } from '../../../db/store/store.ts';
import type { RewardCard } from '../../../db/rewards/reward-cards.ts';
import type { StoredShare } from '../../../db/tables/rewards.ts';

export type RewardRow = Pick<
  RewardCard,
  'walletId' | 'status' | 'budgetMicroUsdc' | 'payerAddress' | 'nextLookAtMs'
> & {
  /** As the API has frozen them. */
  shares: readonly StoredShare[];
};

export type RewardBooks = {
  /** In the order in which they were asked for. */
  rows: readonly RewardRow[];
  /** How many payments have landed, by the payer's address in lower case. */
  landed: ReadonlyMap<string, number>;
};

export async function readRewardBooks({ read, tables }: Store): Promise<RewardBooks> {
  const { rewardCards: cards, distributions, payments } = tables;
  const { walletId, status, budgetMicroUsdc, payerAddress, nextLookAtMs } = cards;
  const rows = await read
    .select({ walletId, status, budgetMicroUsdc, payerAddress, nextLookAtMs, shares: distributions.shares })
    .from(cards)
    .innerJoin(distributions, eq(distributions.id, cards.distributionId))
    .orderBy(cards.createdAtMs);
  const payers = await read
    .select({ payer: payments.payer })
    .from(payments)
    .where(inArray(payments.status, ['settled', 'final']));
  const landed = new Map<string, number>();
  for (const { payer } of payers) {
    const key = payer.toLowerCase();
    landed.set(key, (landed.get(key) ?? 0) + 1);
  }
  return { rows, landed };
}

/** So little that it can be asked for again and again. A card that waits for words is one of these. */
export async function countOpen({ read, tables: { rewardCards: cards } }: Store): Promise<number> {
  return (await read.select({ id: cards.id }).from(cards).where(isNotNull(cards.nextLookAtMs))).length;
}
