import type { DropProblem } from '../../core/drops/drops.ts';
import type { Drop } from '../../db/drops/drops.ts';
import { confirmationsOfDrop, confirmDrop, type DropConfirmed, type DropPress } from '../../db/drops/treasury-drops.ts';
import type { OrderDraft } from '../../db/tips/orders.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { askDeciders } from '../rewards/reward-deciders.ts';
import type { Origin } from '../shared/messenger.ts';
import { findTreasuryPlace } from '../treasury/treasury-place.ts';

type Deps = Pick<CoreDeps, 'store' | 'clock' | 'messengers' | 'log'>;

/** A round fails only when another moderator confirms meanwhile. */
const ROUNDS_MAX = 20;

/** The treasury whose drops this person may ask for and look after there; a problem where that is none. */
export async function treasuryOf(deps: Deps, origin: Origin): Promise<{ walletId: string } | DropProblem> {
  const found = await findTreasuryPlace(deps, origin);
  if (found.kind === 'problem') return found.problem.code === 'small_group' ? 'small_group' : 'elsewhere';
  const { place } = found;
  const problem = await findDeciderProblem(deps, place, origin.userId);
  return problem ?? { walletId: place.walletId };
}

/** Asked of the platform at every press, about the community of the drop, wherever its list is shown. */
export async function findDeciderProblem(
  deps: Deps,
  place: Pick<Drop, 'transport' | 'communityId'>,
  userId: string,
): Promise<DropProblem | null> {
  const deciders = await askDeciders(deps, place, [userId]);
  if (deciders === null) return 'standing_unknown';
  return deciders.deciderIds.includes(userId) ? null : 'not_decider';
}

type Confirming = Pick<DropPress, 'userId' | 'names' | 'payees'>;

/** Asks the platform about all who have confirmed, and about those who do so meanwhile. */
export async function confirmWithStanding(
  deps: Deps,
  drop: Drop,
  confirming: Confirming,
  draft: OrderDraft,
): Promise<Exclude<DropConfirmed, { kind: 'ask_again' }> | { kind: 'problem'; problem: DropProblem }> {
  const { store, clock } = deps;
  const { id } = drop;
  const { userId } = confirming;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = await confirmationsOfDrop(store, id);
    const askedIds = [...new Set([userId, ...before.map((one) => one.userId)])];
    const deciders = await askDeciders(deps, drop, askedIds);
    if (deciders === null) return { kind: 'problem', problem: 'standing_unknown' };
    if (!deciders.deciderIds.includes(userId)) return { kind: 'problem', problem: 'not_decider' };
    const press = { id, ...confirming, askedIds, ...deciders, nowMs: clock.now() };
    const confirmed = await confirmDrop(store, press, draft);
    if (confirmed.kind !== 'ask_again') return confirmed;
  }
  throw new Error(`${ROUNDS_MAX} others have confirmed the drop ${id} while one confirmed it`);
}
