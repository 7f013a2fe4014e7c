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
   * A reward for a post, as it was previewed. Only its rejection and its first payment try are written later. What paid
   * it stands in `purchases` and in the payment alone, so that no two places can disagree.
   */
  distributions: k.table(
    'distributions',
    {
      /** 128 random bits: anyone who knows it may see the distribution and pay for it. */
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
      /** When the first payment took it, whatever its outcome; null: never tried, so the row may be deleted. */
      triedAtMs: k.int('tried_at_ms'),
      /** The caller whose limit it counts against: an address, so null from the first payment try on. Null for none. */
      caller: k.text('caller'),
      createdAtMs: k.int('created_at_ms').notNull(),
      expiresAtMs: k.int('expires_at_ms').notNull(),
    },
    // Neither index holds distributions that a payment has tried: those are kept for good.
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
