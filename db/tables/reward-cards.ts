import { NETWORKS } from '../../core/networks.ts';
import { sql } from 'drizzle-orm';
import type { RewardCounts } from '../../core/rewards/reward-cards.ts';
import { REWARD_STATES } from '../../core/states.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** What a card shows of the frozen list; the distribution's page shows all of it. */
export type RewardPreview = {
  /** `like`, `comment` and `repost`, as they were weighed. */
  weights: { like: number; comment: number; repost: number };
  author: string;
  postUrl: string | null;
  page: string;
  csv: string;
  count: number;
  /** Amounts are decimal text of micro-USDC: JSON has no integers of that size. */
  top: { name: string; amountMicroUsdc: string }[];
  leftOut: { reason: string; count: number }[];
};

/** Rewards that communities decide about. Times in epoch milliseconds; `user_id` and the like are accounts of the chat. */
export const defineRewardCardTables = (k: Kit) => ({
  /** A distribution of the API that a community may pay for out of its treasury, and how far that has come. */
  rewardCards: k.table(
    'reward_cards',
    {
      /** Random; sent as `Idempotency-Key` with the payment. */
      id: k.text('id').primaryKey(),
      /** The event that asked for it: a repeated delivery is the same row. */
      requestKey: k.text('request_key').notNull(),
      /** The API's id of the distribution. No two cards pay for the same one. */
      distributionId: k.text('distribution_id').notNull(),
      /** The community's treasury. */
      walletId: k.text('wallet_id').notNull(),
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      /** The card; its message is null until it stood there. */
      chatId: k.text('chat_id').notNull(),
      messageId: k.text('message_id'),
      language: k.text('language'),
      proposedBy: k.text('proposed_by').notNull(),
      /** The post as it was typed, to make the next card with fewer people. */
      post: k.text('post').notNull(),
      excluded: k.json<string[]>('excluded').notNull(),
      preview: k.json<RewardPreview>('preview').notNull(),
      budgetMicroUsdc: k.bigint('budget_micro_usdc').notNull(),
      /** With the fee. */
      totalMicroUsdc: k.bigint('total_micro_usdc').notNull(),
      /** What the card allows on top for the cost of the transaction, and what the last price asked of it; null before one. */
      costMaxMicroUsdc: k.bigint('cost_max_micro_usdc').notNull(),
      costMicroUsdc: k.bigint('cost_micro_usdc'),
      status: k.oneOf('status', REWARD_STATES).notNull(),
      /** What was known of the community's moderators at the last press that could have confirmed it. */
      isOneEnough: k.bool('is_one_enough'),
      isLone: k.bool('is_lone'),
      /** Where it is paid from, decided when enough had confirmed; null until then. */
      network: k.oneOf('network', NETWORKS),
      payerAddress: k.text('payer_address'),
      /** A visitor's wallet pays by the card's link; null: the treasury pays. */
      viaLink: k.bool('via_link'),
      /** Why the last payment by the link came to nothing: a word of the API. */
      refusal: k.text('refusal'),
      /** The signed header, stored before it is first sent; only this one is sent again. */
      header: k.text('header'),
      /** Seconds; after it a header for Base can no longer land. */
      validBefore: k.int('valid_before'),
      /** The last block that a header for Solana can be in. */
      lastValidHeight: k.int('last_valid_height'),
      /** Why it failed: an error word of the API, or one of ours. */
      failure: k.text('failure'),
      counts: k.json<RewardCounts>('counts'),
      /** Whose press ended the waiting; null where time did. */
      endedBy: k.text('ended_by'),
      createdAtMs: k.int('created_at_ms').notNull(),
      expiresAtMs: k.int('expires_at_ms').notNull(),
      /** When it was confirmed, rejected, replaced or over. */
      endedAtMs: k.int('ended_at_ms'),
      paidAtMs: k.int('paid_at_ms'),
      /** When the bot next looks at it without a press; null: never again. */
      nextLookAtMs: k.int('next_look_at_ms'),
    },
    (t) => [
      k.uniqueIndex('reward_cards_request_uq').on(t.requestKey),
      k.uniqueIndex('reward_cards_distribution_uq').on(t.distributionId),
      k.index('reward_cards_wallet_idx').on(t.walletId, t.status),
      k.index('reward_cards_look_idx').on(t.nextLookAtMs),
      k.check(
        'reward_cards_amounts_positive',
        sql`${t.budgetMicroUsdc} > 0 AND ${t.totalMicroUsdc} >= ${t.budgetMicroUsdc} AND ${t.costMaxMicroUsdc} >= 0`,
      ),
    ],
  ),

  /** Who has confirmed. Each press removes those who are no longer moderators. */
  rewardConfirmations: k.table(
    'reward_confirmations',
    {
      cardId: k.text('card_id').notNull(),
      userId: k.text('user_id').notNull(),
      confirmedAtMs: k.int('confirmed_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.cardId, t.userId] })],
  ),
});
