/** Distributions as they are kept, for tests that need no post to share out. */
import { randomBytes } from 'node:crypto';
import { DISTRIBUTION_LIFE_MS, type Distribution } from '../../../core/rewards/distribution.ts';
import { createIds } from '../../../core/ids.ts';
import { microUsdc } from '../../../core/money.ts';

export const CAST = '0xb87cf233790dd2d8a3ed9549f9e15069c02b1da0';
const ids = createIds(randomBytes);

/** Two people, three quarters and one quarter of 1 USDC. */
export function newDistribution(createdAtMs: number, change: Partial<Distribution> = {}): Distribution {
  return {
    id: ids.distributionId(),
    platform: 'decsocial',
    contentId: CAST,
    postUrl: `https://farcaster.xyz/marta/${CAST.slice(0, 10)}`,
    authorId: '7',
    authorName: 'marta',
    excerpt: 'Bread is out of the oven.',
    publishedAtMs: createdAtMs - 3_600_000,
    budget: microUsdc(1_000_000n),
    weights: { like: 1, comment: 2, repost: 3 },
    recipientsMax: 100,
    shares: [
      {
        userId: '11',
        username: 'ada',
        weightMillionths: 750_000,
        amount: microUsdc(750_000n),
        walletAddress: `0x${'aa'.repeat(20)}`,
      },
      { userId: '12', username: 'ben', weightMillionths: 250_000, amount: microUsdc(250_000n), walletAddress: null },
    ],
    leftOut: [
      { reason: 'author', count: 1 },
      { reason: 'opted_out', count: 2 },
    ],
    rejectedAtMs: null,
    createdAtMs,
    expiresAtMs: createdAtMs + DISTRIBUTION_LIFE_MS,
    ...change,
  };
}
