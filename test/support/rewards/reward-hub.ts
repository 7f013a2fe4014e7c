/** A hub that is a list: one post, and the accounts that a test says engaged with it. */
import { createRateLimiter } from '../../../queue/rate-limiter.ts';
import { createRewards, type Rewards } from '../../../api/rewards/offers/offer.ts';
import { AppError } from '../../../core/errors.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import type { Engaged, EngagementKind } from '../../../core/rewards/engagement.ts';
import { localUserId } from '../../../local/identity.ts';
import { CAST } from './distributions.ts';

export type Fan = { name: string; kinds: readonly EngagementKind[]; isNameless?: boolean; address?: string };

export type ListedHub = {
  rewards: Rewards;
  fans: Fan[];
  /** What goes wrong from now on. */
  trouble: 'reading' | 'describing' | null;
  /** Until it is told to go on, a reading waits. */
  hold: Promise<void>;
  asked: { readings: number };
};

/** The same ids as the local platform's, so that names that are written elsewhere mean these people. */
export const fidOf = (name: string): string => localUserId(parseRecipient('decsocial', name));

const PUBLISHED_AT_MS = Date.UTC(2026, 10, 20, 12);
export const AUTHOR = 'marta';

export function createListedHub(fans: readonly Fan[], perMinute = 0, untriedMax = 100): ListedHub {
  const state: Omit<ListedHub, 'rewards'> = {
    fans: [...fans],
    trouble: null,
    hold: Promise.resolve(),
    asked: { readings: 0 },
  };
  const hub: Rewards['hub'] = {
    readEngagement: async (contentId) => {
      state.asked.readings += 1;
      await state.hold;
      if (state.trouble === 'reading') throw new AppError('upstream_unavailable');
      if (contentId !== CAST) throw new AppError('content_not_found', { field: 'content_id' });
      return {
        platform: 'decsocial',
        contentId,
        authorId: fidOf(AUTHOR),
        authorName: AUTHOR,
        url: `https://farcaster.xyz/${AUTHOR}/${CAST.slice(0, 10)}`,
        excerpt: 'Bread is out of the oven.',
        publishedAtMs: PUBLISHED_AT_MS,
        people: state.fans.map(toEngaged),
      };
    },
    describePeople: async (userIds) => {
      if (state.trouble === 'describing') throw new AppError('upstream_unavailable');
      return new Map(
        userIds.map((userId) => {
          const fan = state.fans.find(({ name }) => fidOf(name) === userId);
          const addresses =
            fan?.address === undefined ? [] : [{ network: 'base' as const, address: fan.address, isProvenHere: false }];
          return [userId, { userId, username: fan?.isNameless === true ? null : (fan?.name ?? null), addresses }];
        }),
      );
    },
  };
  const rewards = createRewards(hub, {
    creationLimiter: createRateLimiter(perMinute, () => PUBLISHED_AT_MS),
    untriedMax: perMinute === 0 ? null : untriedMax,
  });
  return Object.assign(state, { rewards });
}

function toEngaged({ name, kinds }: Fan, index: number): Engaged {
  const atMs = PUBLISHED_AT_MS + index * 60_000;
  return { userId: fidOf(name), firstAtMs: Object.fromEntries(kinds.map((kind) => [kind, atMs])) };
}
