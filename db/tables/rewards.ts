import type { Kit } from '../kit-sqlite.ts';

/** A recipient as it was previewed. Millionths and micro-USDC are decimal text: JSON has no integers that large. */
export type StoredShare = {
  userId: string;
  username: string;
  weightMillionths: number;
  amountMicroUsdc: string;
  walletAddress: string | null;
};

export const defineRewardTables = (k: Kit) => ({
  /**
   * A reward for a post, as it was previewed: nothing of it ever changes but whether somebody rejected it. Whether and by
   * what it is paid stands in `paid_orders` and in the payment, so that two places can never tell two stories.
   */
  distributions: k.table(
    'distributions',
    {
      /** 128 random bits: whoever knows it may see it, and may pay for it. */
      id: k.text('id').primaryKey(),
      /** SHA-256, in hex, of the secret that rejects it. */
      secretHash: k.text('secret_hash').notNull(),
      platform: k.text('platform').notNull(),
      contentId: k.text('content_id').notNull(),
      postUrl: k.text('post_url').notNull(),
      authorId: k.text('author_id').notNull(),
      authorName: k.text('author_name'),
      excerpt: k.text('excerpt').notNull(),
      publishedAtMs: k.int('published_at_ms').notNull(),
      budgetMicroUsdc: k.bigint('budget_micro_usdc').notNull(),
      weights: k.json<{ like: number; comment: number; repost: number }>('weights').notNull(),
      recipientsMax: k.int('recipients_max').notNull(),
      /** Those who are paid, by rank; the order of the payment's lines. */
      shares: k.json<StoredShare[]>('shares').notNull(),
      leftOut: k.json<{ reason: string; count: number }[]>('left_out').notNull(),
      rejectedAtMs: k.int('rejected_at_ms'),
      createdAtMs: k.int('created_at_ms').notNull(),
      expiresAtMs: k.int('expires_at_ms').notNull(),
    },
    (t) => [k.index('distributions_expiry_idx').on(t.expiresAtMs)],
  ),
});
