import type { RewardModerators } from '../../core/rewards/reward-cards.ts';
import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { hasRoles } from '../communities/settings-facts.ts';
import { askStanding, type TreasuryPlace } from '../treasury/treasury-place.ts';

/** Which of the people asked about may decide about rewards now, and how many of them it takes. */
export type RewardDeciders = { deciderIds: readonly string[]; moderators: RewardModerators };

type Place = Pick<TreasuryPlace, 'transport' | 'communityId'>;

/** Asked of the platform now, never remembered; null where it does not say. */
export async function askDeciders(
  deps: Pick<CoreDeps, 'store' | 'messengers' | 'log'>,
  place: Place,
  userIds: readonly string[],
): Promise<RewardDeciders | null> {
  const { rewardRole, rewardQuorum } = await readCommunitySettings(deps.store, place);
  const isGuild = hasRoles(place.transport);
  const role = isGuild ? rewardRole : null;
  const standing = await askStanding(deps, place, userIds, role?.id);
  if (standing === null) return null;
  const { ownerId, moderatorIds, isOwnerAlone } = standing;
  const deciderIds = userIds.filter((userId) => userId === ownerId || moderatorIds.includes(userId));
  // The members of a guild are never listed, so there its owner says how many must confirm.
  const isOneEnough = isGuild ? rewardQuorum === 1 : isOwnerAlone;
  const isLone = isOneEnough || (isOwnerAlone && role === null);
  return { deciderIds, moderators: { isOneEnough, isLone } };
}
