import { findPlatform } from '../../core/platforms/platforms.ts';
import { findChatRow } from '../../core/chats/chats.ts';
import type { Named } from '../../core/grammar/recipient.ts';
import type { TakeProblem } from '../../core/drops/drops.ts';
import { isBanned } from '../../db/communities/community-bans.ts';
import { isAnyoneKnown, longKnownAmong } from '../../db/communities/community-answers.ts';
import { readCommunitySettings, type Community } from '../../db/communities/community-settings.ts';
import type { Drop } from '../../db/drops/drops.ts';
import { optedOutAmong } from '../../db/rewards/opted-out.ts';
import { blockedBy } from '../../db/tips/blocks.ts';
import { hasRoles } from '../communities/settings-facts.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { identitiesOf } from '../tips/blocking.ts';
import { askStanding } from '../treasury/treasury-place.ts';

type Deps = Pick<CoreDeps, 'store' | 'clock' | 'messengers' | 'log'>;

/** Who may take a share there: those with this role; null: those who are known there for long. */
export type DropRule = { role: Named | null };

/** What holds in this community; a problem where nobody could take a share. */
export async function ruleOf(deps: Deps, community: Community): Promise<DropRule | 'no_role' | 'nobody_known'> {
  const { transport } = community;
  if (hasRoles(transport)) {
    const { dropRole: role } = await readCommunitySettings(deps.store, community);
    return role === null ? 'no_role' : { role };
  }
  if (findChatRow(transport)?.seesMembers !== true) return 'no_role';
  return (await isAnyoneKnown(deps.store, community, deps.clock.now())) ? { role: null } : 'nobody_known';
}

type Asking = { userId: string; names: readonly string[] };

/** Asked at the press: whether this person may take a share of this drop, apart from how many there are left. */
export async function findTakeProblem(deps: Deps, drop: Drop, { userId, names }: Asking): Promise<TakeProblem | null> {
  const { store } = deps;
  if (drop.giverId === userId || (await identitiesOf(deps, drop.giverId)).some((name) => names.includes(name))) {
    return 'own';
  }
  if (await isBanned(store, { ...placeOf(drop), userId })) return 'not_eligible';
  const standing = await hasStanding(deps, drop, userId);
  if (standing !== null) return standing;
  return (await takesNothing(deps, drop, { userId, names })) ? 'takes_nothing' : null;
}

async function hasStanding(deps: Deps, drop: Drop, userId: string): Promise<'not_eligible' | 'unknown' | null> {
  const { store, clock } = deps;
  if (drop.role === null) {
    const known = await longKnownAmong(store, placeOf(drop), [userId], clock.now());
    return known.has(userId) ? null : 'not_eligible';
  }
  const standing = await askStanding(deps, drop, [userId], drop.role.id);
  if (standing === null) return 'unknown';
  return standing.ownerId === userId || standing.moderatorIds.includes(userId) ? null : 'not_eligible';
}

/** One who takes no payments would stop the payment for all. */
async function takesNothing(
  { store }: Pick<Deps, 'store'>,
  { giverId, walletId, transport }: Drop,
  { userId, names }: Asking,
): Promise<boolean> {
  if ((await blockedBy(store, names)).has(walletId ?? giverId)) return true;
  const platform = findPlatform(transport);
  const stableId = userId.slice(`${transport}:`.length);
  return platform !== null && (await optedOutAmong(store, platform, [stableId])).has(stableId);
}

/** What may have changed since the press, for the list: whom the moderators have banned, and who takes nothing by now. */
export async function isStillWanted(deps: Pick<Deps, 'store'>, drop: Drop, asking: Asking): Promise<boolean> {
  if (await isBanned(deps.store, { ...placeOf(drop), userId: asking.userId })) return false;
  return !(await takesNothing(deps, drop, asking));
}

function placeOf({ transport, communityId }: Drop): Community {
  return { transport, communityId };
}
