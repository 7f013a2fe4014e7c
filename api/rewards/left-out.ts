import type { DistributionOrder, Excluded } from '../../core/bodies/rewards.ts';
import { AppError } from '../../core/errors.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { Engagement } from '../../core/rewards/engagement.ts';
import type { LeftOutPeople } from '../../core/rewards/share-out.ts';
import { optedOutAmong } from '../../db/rewards/opted-out.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';

/** Names are asked for so many at a time. */
const LOOKUPS_AT_ONCE = 8;

type Asking = Pick<ApiDependencies, 'identity' | 'store'>;

/**
 * The names that the caller excludes. Resolved before the post is read, so that a wrong name does not cost a long
 * reading.
 */
export async function excludedBy(
  { identity }: Pick<Asking, 'identity'>,
  { excluded, creator }: Pick<DistributionOrder, 'excluded' | 'creator'>,
): Promise<Required<Pick<LeftOutPeople, 'creator' | 'excluded'>>> {
  const found = new Set<string>();
  for (let start = 0; start < excluded.length; start += LOOKUPS_AT_ONCE) {
    const several = excluded.slice(start, start + LOOKUPS_AT_ONCE).map((one) => userIdOf(identity, one));
    for (const userId of await Promise.all(several)) found.add(userId);
  }
  const creators = creator === null ? [] : [await lookUp(identity, creator, 'creator')];
  return { excluded: found, creator: new Set(creators) };
}

/** All who engaged and get nothing, whatever the ranking; those without a name are found later. */
export async function leftOutOf(
  { store }: Pick<Asking, 'store'>,
  { platform, authorId, people }: Engagement,
  named: LeftOutPeople,
): Promise<LeftOutPeople> {
  const ids = people.map(({ userId }) => userId);
  return { ...named, author: new Set([authorId]), opted_out: await optedOutAmong(store, platform, ids) };
}

function userIdOf(identity: Asking['identity'], one: Excluded): Promise<string> {
  return 'userId' in one ? Promise.resolve(one.userId) : lookUp(identity, one.recipient, one.field);
}

/** An unknown name was mistyped, and the person who was meant would be paid: so nothing is created. */
async function lookUp(identity: Asking['identity'], recipient: Recipient, field: string): Promise<string> {
  const resolution = await identity.resolve(recipient);
  switch (resolution.kind) {
    case 'found':
      return resolution.stableId;
    case 'not-found': {
      const detail = `Nobody is called "${recipient.display}" on ${recipient.platform}.`;
      throw new AppError('receiver_not_found', { field, detail });
    }
    case 'unavailable': {
      const detail = `${recipient.platform} did not say in time who "${recipient.display}" is. Nothing was created.`;
      throw new AppError('upstream_unavailable', { field, detail });
    }
  }
}
