/** Who and what exists: people, chats, messages. It holds state and finds things in it; what is allowed stands elsewhere. */
import type { Message, MessageEntity, ReactionTypeEmoji, Update, User, UserFromGetMe } from 'grammy/types';

export type ChatMessage = Message & Update.NonChannel;
export type ChatInfo = ChatMessage['chat'];
export type Emoji = ReactionTypeEmoji['emoji'];

export type AdminRights = { canDeleteMessages: boolean };

export type Membership =
  /** Restricted: it is there, and may not write. */
  | { status: 'creator' | 'member' | 'restricted' | 'left' | 'kicked' }
  | { status: 'administrator'; rights: AdminRights };

/** A message as it was at one time; a message without text that has a caption shows that. */
export type Version = {
  text: string;
  entities: MessageEntity[];
  buttons: string[][];
  atMs: number;
};

export type StoredMessage = {
  message: ChatMessage;
  versions: Version[];
  deletedAtMs: number | null;
  /** The member who sees it besides the bot; null is everybody in the chat. */
  onlyFor: number | null;
  /** For whom an ephemeral message stands in its place. */
  hiddenFor: Set<number>;
  reactions: Map<number, Emoji>;
};

export type FakeChat = {
  info: ChatInfo;
  members: Map<number, Membership>;
  messages: Map<number, StoredMessage>;
  /** Ephemeral messages have numbers of their own; their message_id is 0. */
  ephemeral: Map<number, StoredMessage>;
  /** Topic id by title; empty where there are none. */
  topics: Map<string, number>;
  /** False where the group's permissions keep ordinary members from writing. */
  membersMayWrite: boolean;
  /** False where the group has turned reactions off. */
  allowsReactions: boolean;
  /** True where only admins may look up members. */
  membersHidden: boolean;
  lastMessageId: number;
  lastEphemeralId: number;
};

export type World = {
  bot: UserFromGetMe;
  users: Map<number, User>;
  chats: Map<number, FakeChat>;
  /** Who has talked to the bot in private: it cannot write to others. */
  started: Set<number>;
  blocked: Set<number>;
  /** Whose clients are away: an ephemeral message is accepted and never shown, as the documentation warns. */
  away: Set<number>;
  nowMs: () => number;
};

export function createWorld(bot: UserFromGetMe, nowMs: () => number): World {
  return {
    bot,
    users: new Map([[bot.id, bot]]),
    chats: new Map(),
    started: new Set(),
    blocked: new Set(),
    away: new Set(),
    nowMs,
  };
}

export const nowSeconds = (world: World) => Math.floor(world.nowMs() / 1000);

export function newChat(world: World, info: ChatInfo): FakeChat {
  const chat: FakeChat = {
    info,
    members: new Map(),
    messages: new Map(),
    ephemeral: new Map(),
    topics: new Map(),
    membersMayWrite: true,
    allowsReactions: true,
    membersHidden: false,
    // Every chat counts its messages from the same number, so a program that takes a message id for unique fails at
    // once.
    lastMessageId: 0,
    lastEphemeralId: 1000,
  };
  world.chats.set(info.id, chat);
  return chat;
}

/** For the driver: a test that names a chat that does not exist is wrong. */
export function chatOf(world: World, id: number): FakeChat {
  const chat = world.chats.get(id);
  if (!chat) throw new Error(`no chat has the id ${id}`);
  return chat;
}

export function userOf(world: World, id: number): User {
  const user = world.users.get(id);
  if (!user) throw new Error(`no user has the id ${id}`);
  return user;
}

/** Which message a driver's caller means: also an ephemeral one, whose message_id is 0. */
export function storedOf(
  world: World,
  named: { chat: { id: number }; message_id: number; ephemeral_message_id?: number },
): StoredMessage {
  const chat = chatOf(world, named.chat.id);
  const stored =
    named.ephemeral_message_id === undefined
      ? chat.messages.get(named.message_id)
      : chat.ephemeral.get(named.ephemeral_message_id);
  if (!stored)
    throw new Error(`chat ${named.chat.id} has no message ${named.ephemeral_message_id ?? named.message_id}`);
  return stored;
}

export function isPresent(chat: FakeChat, userId: number): boolean {
  const status = chat.members.get(userId)?.status;
  return status !== undefined && status !== 'left' && status !== 'kicked';
}

export function isAdmin(chat: FakeChat, userId: number): boolean {
  const status = chat.members.get(userId)?.status;
  return status === 'creator' || status === 'administrator';
}

/** Puts a message into its chat and gives it the next id there. */
export function store(
  world: World,
  chat: FakeChat,
  content: Omit<ChatMessage, 'message_id' | 'date' | 'chat'>,
  onlyFor: number | null = null,
): StoredMessage {
  const place = { date: nowSeconds(world), chat: chat.info };
  let message: ChatMessage;
  if (onlyFor === null) {
    chat.lastMessageId += 1;
    message = { message_id: chat.lastMessageId, ...place, ...content };
  } else {
    chat.lastEphemeralId += 1;
    message = { message_id: 0, ephemeral_message_id: chat.lastEphemeralId, ...place, ...content };
  }
  const stored: StoredMessage = {
    message,
    versions: [toVersion(world, message)],
    deletedAtMs: null,
    onlyFor,
    hiddenFor: new Set(),
    reactions: new Map(),
  };
  if (onlyFor === null) chat.messages.set(message.message_id, stored);
  else chat.ephemeral.set(chat.lastEphemeralId, stored);
  return stored;
}

export function toVersion(world: World, message: ChatMessage): Version {
  return {
    text: message.text ?? message.caption ?? '',
    entities: message.entities ?? message.caption_entities ?? [],
    buttons: (message.reply_markup?.inline_keyboard ?? []).map((row) => row.map((button) => button.text)),
    atMs: world.nowMs(),
  };
}

/** A reply names its original without what that one replied to. */
export function asReplied(message: ChatMessage): NonNullable<Message['reply_to_message']> {
  return { ...message, reply_to_message: undefined };
}
