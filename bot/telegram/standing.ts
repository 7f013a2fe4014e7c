import type { Api } from 'grammy';
import type { Messenger } from '../shared/messenger.ts';
import { formatUser } from './place.ts';

/** Who runs a group, asked now: Telegram lists all of them, also to a bot that is a plain member. */
export function createStanding(api: Pick<Api, 'getChatAdministrators'>): NonNullable<Messenger['standing']> {
  return async (communityId, userIds) => {
    const people = (await api.getChatAdministrators(Number(communityId))).filter(({ user }) => !user.is_bot);
    const owner = people.find(({ status }) => status === 'creator');
    const others = people.filter(({ status }) => status !== 'creator').map(({ user }) => formatUser(user.id));
    return {
      ownerId: owner === undefined ? null : formatUser(owner.user.id),
      moderatorIds: others.filter((id) => userIds.includes(id)),
      isOwnerAlone: others.length === 0,
      // Telegram tells that once, when it happens (intake.ts).
      botSinceMs: null,
    };
  };
}
