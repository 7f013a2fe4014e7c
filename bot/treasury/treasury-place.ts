import { isRenumbered, treasuryWalletOf } from '../../core/treasury/treasury.ts';
import { openTreasury } from '../../db/treasury/treasury.ts';
import type { Standing } from '../../db/treasury/treasury-confirm.ts';
import { within } from '../../queue/deadline.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import type { TreasuryProblem } from '../../texts/treasury/problem.ts';

/** Where a community talks, and the wallet that is its own. */
export type TreasuryPlace = { transport: string; communityId: string; walletId: string };

const STANDING_LIMIT_MS = 10_000;

/** The treasury of the community that this was said in. */
export async function findTreasuryPlace(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  { transport, communityId }: Pick<Origin, 'transport' | 'communityId'>,
): Promise<{ kind: 'place'; place: TreasuryPlace } | { kind: 'problem'; problem: TreasuryProblem }> {
  if (communityId === undefined) return { kind: 'problem', problem: { code: 'elsewhere' } };
  const walletId = treasuryWalletOf({ transport, communityId });
  if (walletId === null) {
    const code = isRenumbered({ transport, communityId }) ? 'small_group' : 'elsewhere';
    return { kind: 'problem', problem: { code } };
  }
  const place = { transport, communityId, walletId };
  await openTreasury(store, place, clock.now());
  return { kind: 'place', place };
}

/**
 * Who runs the community, asked of the platform now and never remembered. Null where it does not say: a bot that was
 * removed is told nothing, so nothing can leave a treasury while it is away.
 */
export async function askStanding(
  deps: Pick<CoreDeps, 'messengers' | 'log'>,
  { transport, communityId }: Pick<TreasuryPlace, 'transport' | 'communityId'>,
  userIds: readonly string[],
  roleId?: string,
): Promise<Standing | null> {
  const ask = deps.messengers[transport]?.standing;
  if (!ask) return null;
  try {
    return await within(ask(communityId, userIds, roleId), STANDING_LIMIT_MS, 'asking who runs a community');
  } catch (error) {
    deps.log.warn({ transport, error: String(error) }, 'could not read who runs the community');
    return null;
  }
}
