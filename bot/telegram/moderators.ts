import { GrammyError, type Api } from 'grammy';
import type { ChatMember, UserFromGetMe } from 'grammy/types';
import type { Log } from '../shared/log.ts';
import type { BotRight, Messenger } from '../shared/messenger.ts';
import { formatUser, readUser } from './place.ts';

type BotSelf = Pick<UserFromGetMe, 'id' | 'can_read_all_group_messages'>;

/** Whether Telegram says that this person runs the group; undefined where it does not answer. Never from memory. */
export type IsModerator = (chat: number, user: number) => Promise<boolean | undefined>;

export function createModerators(api: Api, log: Log): IsModerator {
  return async (chat, user) => {
    try {
      return await isRunBy(api, chat, user);
    } catch (error) {
      log.warn({ error: String(error) }, 'could not read who moderates');
      return undefined;
    }
  };
}

async function isRunBy(api: Api, chat: number, user: number): Promise<boolean> {
  try {
    const { status } = await api.getChatMember(chat, user);
    return status === 'creator' || status === 'administrator';
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    // Where members are hidden, only a bot that is an administrator may ask for one; who runs the group is no secret.
    const administrators = await api.getChatAdministrators(chat);
    return administrators.some((member) => member.user.id === user);
  }
}

/** Without an answer nobody knows it: the group may hide its members from a bot that is a plain member. */
export function createUsernames(api: Pick<Api, 'getChatMember'>): NonNullable<Messenger['usernameOf']> {
  return async (communityId, userId) => {
    const { user } = await api.getChatMember(Number(communityId), readUser(userId));
    return user.username ?? null;
  };
}

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

/** What the bot may do in a group, asked now. */
export function createRights(
  api: Pick<Api, 'getChatMember'>,
  self: BotSelf,
): (communityId: string) => Promise<readonly BotRight[]> {
  return async (communityId) => lackedBy(await api.getChatMember(Number(communityId), self.id), self);
}

/** A plain member is shown commands only, unless the bot's privacy mode is off. */
export function lackedBy(member: Pick<ChatMember, 'status'> & { can_send_messages?: boolean }, self: BotSelf) {
  const isSilent = member.status === 'restricted' && member.can_send_messages !== true;
  const seesAll = member.status === 'administrator' || self.can_read_all_group_messages;
  return [...(isSilent ? (['write'] as const) : []), ...(seesAll ? [] : (['read'] as const))] satisfies BotRight[];
}
