import { sql } from 'drizzle-orm';
import type { Kit } from '../dialects/kit-sqlite.ts';

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
   * A reward for a post, as it was previewed: nothing of it ever changes but whether somebody rejected it, or has tried to
   * pay for it. Whether and by what it is paid stands in `purchases` and in the payment, so that two places can never
   * tell two stories.
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
      /** When the first payment took it, whatever became of that one; null: nobody has tried, and it may be forgotten. */
      triedAtMs: k.int('tried_at_ms'),
      /** Whose limit it counts against, until somebody tries to pay, because it is an address; null: nobody's. */
      caller: k.text('caller'),
      createdAtMs: k.int('created_at_ms').notNull(),
      expiresAtMs: k.int('expires_at_ms').notNull(),
    },
    // Neither knows what somebody has tried to pay for, which is kept for good.
    (t) => [
      k
        .index('distributions_untried_idx')
        .on(t.expiresAtMs)
        .where(sql`${t.triedAtMs} IS NULL`),
      k
        .index('distributions_caller_idx')
        .on(t.caller, t.expiresAtMs)
        .where(sql`${t.caller} IS NOT NULL`),
      k.check('distributions_caller_untried', sql`${t.caller} IS NULL OR ${t.triedAtMs} IS NULL`),
    ],
  ),
});
