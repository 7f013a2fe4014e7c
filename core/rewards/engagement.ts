import type { Platform } from '../platforms/platforms.ts';

/** The platform whose posts can be rewarded. */
export const REWARD_PLATFORM = 'decsocial' as const satisfies Platform;

/** The kinds of engagement that rewards count, once per person and kind. */
export const ENGAGEMENT_KINDS = ['like', 'comment', 'repost'] as const;

export type EngagementKind = (typeof ENGAGEMENT_KINDS)[number];

/** A person who did at least one of them. */
export type Engaged = {
  /** The platform's stable id: on Farcaster the fid, as decimal text. */
  userId: string;
  /** The first time of each kind; an absent kind was not done. */
  firstAtMs: Readonly<Partial<Record<EngagementKind, number>>>;
};

/** The basis of a reward: a post, its author, and everyone who engaged with it. */
export type Engagement = {
  platform: typeof REWARD_PLATFORM;
  /** The cast's hash: 0x and 40 lower-case hexadecimal digits, whatever the caller wrote. */
  contentId: string;
  authorId: string;
  /** Null: the author's account has no name. */
  authorName: string | null;
  /** Where people read the post. */
  url: string;
  /** The beginning of the post, written by a stranger: plain text without control characters. */
  excerpt: string;
  publishedAtMs: number;
  /** Each person once, in no particular order. */
  people: readonly Engaged[];
};
