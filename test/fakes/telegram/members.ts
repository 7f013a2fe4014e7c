/** Membership in the words of the Bot API, and what it allows. */
import type { ChatMember, User } from 'grammy/types';
import { type FakeChat, type Membership, type World, isPresent } from './world.ts';
import { badRequest, forbidden } from './refusal.ts';

export function toChatMember(user: User, membership: Membership, isBot: boolean): ChatMember {
  switch (membership.status) {
    case 'creator':
      return { status: 'creator', user, is_anonymous: false };
    case 'administrator':
      return toAdministrator(user, membership.rights.canDeleteMessages, isBot);
    case 'kicked':
      return { status: 'kicked', user, until_date: 0 };
    case 'member':
      return { status: 'member', user };
    case 'left':
      return { status: 'left', user };
    case 'restricted':
      return toSilent(user);
  }
}

function toSilent(user: User): ChatMember {
  return {
    status: 'restricted',
    user,
    is_member: true,
    can_send_messages: false,
    can_send_audios: false,
    can_send_documents: false,
    can_send_photos: false,
    can_send_videos: false,
    can_send_video_notes: false,
    can_send_voice_notes: false,
    can_send_polls: false,
    can_send_other_messages: false,
    can_add_web_page_previews: false,
    can_change_info: false,
    can_invite_users: true,
    can_pin_messages: false,
    can_manage_topics: false,
    can_react_to_messages: false,
    can_edit_tag: false,
    until_date: 0,
  };
}

function toAdministrator(user: User, canDeleteMessages: boolean, canBeEdited: boolean): ChatMember {
  return {
    status: 'administrator',
    user,
    can_be_edited: canBeEdited,
    is_anonymous: false,
    can_manage_chat: true,
    can_delete_messages: canDeleteMessages,
    can_manage_video_chats: false,
    can_restrict_members: false,
    can_promote_members: false,
    can_change_info: false,
    can_invite_users: true,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_send_welcome_messages: false,
  };
}

/** Finds a chat for a method of the bot, and refuses as the Bot API does when the bot may not look into it. */
export function reachableChat(world: World, id: number | string): FakeChat {
  const chat = typeof id === 'number' ? world.chats.get(id) : findByUsername(world, id);
  if (!chat) throw badRequest('chat not found');
  if (chat.info.type === 'private') {
    if (!knownUser(world, chat.info.id)) throw badRequest('chat not found');
    return chat;
  }
  const membership = chat.members.get(world.bot.id);
  if (!membership) throw badRequest('chat not found');
  if (membership.status === 'kicked') throw forbidden(`bot was kicked from the ${chat.info.type} chat`);
  if (membership.status === 'left') throw forbidden(`bot is not a member of the ${chat.info.type} chat`);
  return chat;
}

/** As above, and the bot may also write there. */
export function writableChat(world: World, id: number | string): FakeChat {
  const chat = reachableChat(world, id);
  if (chat.info.type === 'private') {
    if (world.blocked.has(chat.info.id)) throw forbidden('bot was blocked by the user');
    if (!world.started.has(chat.info.id)) throw forbidden("bot can't initiate conversation with a user");
    return chat;
  }
  const { status } = chat.members.get(world.bot.id) ?? { status: 'left' };
  if (status === 'restricted' || (!chat.membersMayWrite && status === 'member')) {
    throw badRequest('not enough rights to send text messages to the chat');
  }
  return chat;
}

function findByUsername(world: World, name: string): FakeChat | undefined {
  const username = name.replace(/^@/, '').toLowerCase();
  // Only public groups have names that a bot may use as a chat id; people are addressed by number.
  return [...world.chats.values()].find(
    (chat) => chat.info.type === 'supergroup' && chat.info.username?.toLowerCase() === username,
  );
}

/** People whom the bot has met: in private, or in a group where both are. For it there are no others. */
export function knownUser(world: World, id: number): User | undefined {
  return world.started.has(id) || sharesGroup(world, id) ? world.users.get(id) : undefined;
}

function sharesGroup(world: World, userId: number): boolean {
  return [...world.chats.values()].some(
    (chat) => chat.info.type !== 'private' && isPresent(chat, userId) && isPresent(chat, world.bot.id),
  );
}
