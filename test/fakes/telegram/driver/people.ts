/** Who is there: people, groups, and who comes and goes. */
import type { ChatMember, Update, User } from 'grammy/types';
import { toChatMember } from '../members.ts';
import { changeBotMembership } from '../membership-change.ts';
import type { Platform } from '../platform.ts';
import {
  type AdminRights,
  type ChatInfo,
  type FakeChat,
  type Membership,
  chatOf,
  isAdmin,
  isPresent,
  newChat,
  nowSeconds,
  store,
} from '../world.ts';

export type UserOptions = {
  firstName?: string;
  lastName?: string;
  username?: string;
  languageCode?: string;
  isBot?: boolean;
  /** Whether they have talked to the bot in private before: else it cannot write to them. False, unless told. */
  started?: boolean;
};

export type GroupOptions = {
  title?: string;
  /** A supergroup, unless told; only supergroups have topics and a username. */
  kind?: 'group' | 'supergroup';
  username?: string;
  /** Ordinary members besides the owner, who is a user of its own when none is named. */
  members?: User[];
  owner?: User;
  admins?: User[];
  /** Titles; the ids are in the answer. */
  topics?: string[];
  bot?: 'member' | 'administrator' | 'absent';
  botMayDelete?: boolean;
  membersMayWrite?: boolean;
  membersHidden?: boolean;
  allowsReactions?: boolean;
};

export type Group = { id: number; chat: ChatInfo; owner: User; topicIds: Record<string, number> };

export type People = {
  createUser: (options?: UserOptions) => User;
  /** The bot is in it from the start and is told nothing of that; `addBot` tells. */
  createGroup: (options?: GroupOptions) => Group;
  addBot: (chat: { id: number }, by: User) => void;
  removeBot: (chat: { id: number }, by: User) => void;
  promoteBot: (chat: { id: number }, by: User, rights?: AdminRights) => void;
  demoteBot: (chat: { id: number }, by: User) => void;
  /** It stays, and may not write until it is promoted or demoted. */
  muteBot: (chat: { id: number }, by: User) => void;
  promote: (user: User, chat: { id: number }) => void;
  join: (user: User, chat: { id: number }) => void;
  leave: (user: User, chat: { id: number }) => void;
  setMembersMayWrite: (chat: { id: number }, may: boolean) => void;
  /** The bot is told by my_chat_member, and may not write until `unblock`. */
  block: (user: User) => void;
  unblock: (user: User) => void;
  /** Whether ephemeral messages reach this user's screen; Telegram does not promise it. */
  setAway: (user: User, away: boolean) => void;
};

const FIRST_USER_ID = 5_000_000_001;

export function createPeople(platform: Platform): People {
  const { world } = platform;
  let lastUserId = FIRST_USER_ID - 1;
  let lastGroup = 0;

  function createUser(options: UserOptions = {}): User {
    lastUserId += 1;
    const number = lastUserId - FIRST_USER_ID + 1;
    const user: User = {
      id: lastUserId,
      is_bot: options.isBot ?? false,
      first_name: options.firstName ?? `User ${number}`,
      ...(options.lastName === undefined ? {} : { last_name: options.lastName }),
      ...(options.username === undefined ? {} : { username: options.username }),
      ...(options.languageCode === undefined ? {} : { language_code: options.languageCode }),
    };
    world.users.set(user.id, user);
    const { id, first_name, last_name, username } = user;
    const info: ChatInfo = { id, type: 'private', first_name };
    if (last_name !== undefined) info.last_name = last_name;
    if (username !== undefined) info.username = username;
    const chat = newChat(world, info);
    chat.members.set(id, { status: 'member' });
    chat.members.set(world.bot.id, { status: 'member' });
    if (options.started) world.started.add(id);
    return user;
  }

  function createGroup(options: GroupOptions = {}): Group {
    lastGroup += 1;
    const owner = options.owner ?? createUser({ firstName: 'Owner' });
    const chat = newChat(world, groupInfo(options, lastGroup));
    chat.membersMayWrite = options.membersMayWrite ?? true;
    chat.membersHidden = options.membersHidden ?? false;
    chat.allowsReactions = options.allowsReactions ?? true;
    for (const member of options.members ?? []) chat.members.set(member.id, { status: 'member' });
    for (const admin of options.admins ?? []) chat.members.set(admin.id, administrator());
    chat.members.set(owner.id, { status: 'creator' });
    if (options.bot === 'administrator') chat.members.set(world.bot.id, administrator(options.botMayDelete));
    else if (options.bot !== 'absent') chat.members.set(world.bot.id, { status: 'member' });
    const topicIds: Record<string, number> = {};
    for (const title of options.topics ?? []) topicIds[title] = createTopic(platform, chat, owner, title);
    return { id: chat.info.id, chat: chat.info, owner, topicIds };
  }

  function setBot(chatId: number, by: User, next: Membership): void {
    changeBotMembership(platform, chatOf(world, chatId), by, next);
  }

  return {
    createUser,
    createGroup,
    addBot({ id }, by) {
      setBot(id, by, { status: 'member' });
      const chat = chatOf(world, id);
      const { message } = store(world, chat, { from: by, new_chat_members: [world.bot] });
      platform.queue.add({ message });
    },
    removeBot: ({ id }, by) => setBot(id, by, { status: 'kicked' }),
    promoteBot: ({ id }, by, rights) => setBot(id, by, administrator(rights?.canDeleteMessages)),
    demoteBot: ({ id }, by) => setBot(id, by, { status: 'member' }),
    muteBot: ({ id }, by) => setBot(id, by, { status: 'restricted' }),
    promote: (user, { id }) => changeMember(platform, chatOf(world, id), user, administrator()),
    join(user, { id }) {
      const chat = chatOf(world, id);
      changeMember(platform, chat, user, { status: 'member' });
      announce(platform, chat, user, { new_chat_members: [user] });
    },
    leave(user, { id }) {
      const chat = chatOf(world, id);
      announce(platform, chat, user, { left_chat_member: user });
      changeMember(platform, chat, user, { status: 'left' });
    },
    setMembersMayWrite: ({ id }, may) => void (chatOf(world, id).membersMayWrite = may),
    block(user) {
      world.blocked.add(user.id);
      setBot(user.id, user, { status: 'kicked' });
    },
    unblock(user) {
      world.blocked.delete(user.id);
      setBot(user.id, user, { status: 'member' });
    },
    setAway: (user, away) => void (away ? world.away.add(user.id) : world.away.delete(user.id)),
  };
}

function groupInfo(options: GroupOptions, number: number): ChatInfo {
  const title = options.title ?? `Group ${number}`;
  const topics = options.topics ?? [];
  if (options.kind === 'group') {
    if (topics.length > 0 || options.username) throw new Error('only a supergroup has topics or a username');
    return { id: -4_000_000_000 - number, type: 'group', title };
  }
  const info: ChatInfo = { id: -1_002_000_000_000 - number, type: 'supergroup', title };
  if (options.username !== undefined) info.username = options.username;
  if (topics.length > 0) info.is_forum = true;
  return info;
}

/** A topic has the id of the service message that made it. */
function createTopic(platform: Platform, chat: FakeChat, owner: User, title: string): number {
  const { message } = store(platform.world, chat, {
    from: owner,
    forum_topic_created: { name: title, icon_color: 7_322_096 },
  });
  message.message_thread_id = message.message_id;
  message.is_topic_message = true;
  chat.topics.set(title, message.message_id);
  return message.message_id;
}

function administrator(canDeleteMessages = true): Membership {
  return { status: 'administrator', rights: { canDeleteMessages } };
}

function announce(
  platform: Platform,
  chat: FakeChat,
  user: User,
  what: { new_chat_members: User[] } | { left_chat_member: User },
): void {
  const { message } = store(platform.world, chat, { from: user, ...what });
  if (isPresent(chat, platform.world.bot.id)) platform.queue.add({ message });
}

/** Of others' coming and going a bot hears only as an admin, and only when it asked. */
function changeMember({ world, queue }: Platform, chat: FakeChat, user: User, next: Membership): Update | null {
  const before: ChatMember = toChatMember(user, chat.members.get(user.id) ?? { status: 'left' }, false);
  chat.members.set(user.id, next);
  if (!isAdmin(chat, world.bot.id)) return null;
  return queue.add({
    chat_member: {
      chat: chat.info,
      from: user,
      date: nowSeconds(world),
      old_chat_member: before,
      new_chat_member: toChatMember(user, next, false),
    },
  });
}
