/** What people do. Each act answers the update that the bot gets of it, or null where the bot does not see it. */
import type { CallbackQuery, MessageEntity, Update, User } from 'grammy/types';
import { menuFor } from '../methods/commands.ts';
import type { Platform, Press } from '../platform.ts';
import { botSees } from '../privacy.ts';
import { typedText } from '../text/formatted.ts';
import {
  type ChatMessage,
  type Emoji,
  type FakeChat,
  type StoredMessage,
  asReplied,
  chatOf,
  isAdmin,
  isPresent,
  nowSeconds,
  store,
  storedOf,
  toVersion,
} from '../world.ts';

export type SayOptions = {
  replyTo?: MessageName;
  topicId?: number;
  /** A mention of a member without a username, as clients insert it: text_mention with offset and length. */
  entities?: MessageEntity[];
  /** Sent as the client does for a command that the bot's menu calls ephemeral: nobody else sees it. */
  ephemeral?: boolean;
  /** By an admin in the name of the group: the sender is then a bot that stands for all anonymous admins. */
  anonymous?: boolean;
};

export type MessageName = { chat: { id: number }; message_id: number; ephemeral_message_id?: number };
export type Said = { message: ChatMessage; update: Update | null };

export type Acting = {
  say: (user: User, chat: { id: number }, text: string, options?: SayOptions) => Said;
  /** Opens the bot in private by its link, with what follows `?start=`. */
  start: (user: User, payload?: string) => Said;
  edit: (user: User, message: MessageName, text: string) => Said;
  /** By a button's text, or by its data. `forged` sends data that no button has, or presses on what is already deleted. */
  press: (user: User, message: MessageName, textOrData: string, options?: { forged?: boolean }) => Press;
  /** Null takes the reaction back. */
  react: (user: User, message: MessageName, emoji: Emoji | null) => Update | null;
};

/** Who Telegram says has written when an admin writes anonymously; the number is the real one. */
const ANONYMOUS: User = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };

const START_PAYLOAD = /^[\w-]{1,64}$/;

export function createActing(platform: Platform): Acting {
  const { world, queue } = platform;

  function say(user: User, { id }: { id: number }, text: string, options: SayOptions = {}): Said {
    const chat = chatOf(world, id);
    checkMayWrite(platform, chat, user);
    if (options.ephemeral) checkEphemeralCommand(platform, { chat, user }, text);
    if (options.anonymous && !isAdmin(chat, user.id)) throw new Error('only admins of a group write anonymously');
    const answered = options.replyTo ? storedOf(world, options.replyTo) : null;
    const threadId = options.topicId ?? answered?.message.message_thread_id;
    // What answers nothing else in a topic answers the message that opened it.
    const original = answered ?? (threadId === undefined ? undefined : chat.messages.get(threadId)) ?? null;
    const typed = typedText(text, options.entities);
    const stored = store(
      world,
      chat,
      {
        ...(options.anonymous ? { from: ANONYMOUS, sender_chat: chat.info } : { from: user }),
        ...(threadId === undefined ? {} : { message_thread_id: threadId, is_topic_message: true }),
        ...(original ? { reply_to_message: asReplied(original.message) } : {}),
        text: typed.text,
        ...(typed.entities.length > 0 ? { entities: typed.entities } : {}),
      },
      options.ephemeral ? user.id : null,
    );
    if (options.ephemeral) stored.message.receiver_user = world.bot;
    if (chat.info.type === 'private') world.started.add(user.id);
    const { message } = stored;
    const seen = options.ephemeral || botSees(world, chat, message);
    return { message: structuredClone(message), update: seen ? queue.add({ message }) : null };
  }

  function start(user: User, payload?: string): Said {
    if (payload !== undefined && !START_PAYLOAD.test(payload)) {
      throw new Error(`a start payload is 1 to 64 of A-Z, a-z, 0-9, _ and -, not "${payload}"`);
    }
    return say(user, user, payload === undefined ? '/start' : `/start ${payload}`);
  }

  function edit(user: User, named: MessageName, text: string): Said {
    const stored = storedOf(world, named);
    const { message } = stored;
    if (message.from.id !== user.id || message.text === undefined) throw new Error('people edit texts of their own');
    const typed = typedText(text);
    message.text = typed.text;
    if (typed.entities.length > 0) message.entities = typed.entities;
    else delete message.entities;
    const editDate = nowSeconds(world);
    message.edit_date = editDate;
    stored.versions.push(toVersion(world, message));
    const seen = botSees(world, chatOf(world, named.chat.id), message);
    const update = seen ? queue.add({ edited_message: { ...message, edit_date: editDate } }) : null;
    return { message: structuredClone(message), update };
  }

  function press(user: User, named: MessageName, textOrData: string, { forged = false } = {}): Press {
    const stored = storedOf(world, named);
    const chat = chatOf(world, named.chat.id);
    const data = forged ? textOrData : dataOf(stored, chat, user, textOrData);
    const pressed: Press = {
      queryId: `${BigInt(user.id) * 1_000_000n + BigInt(platform.presses.size + 1)}`,
      userId: user.id,
      chatId: chat.info.id,
      messageId: stored.message.message_id,
      onEphemeral: stored.onlyFor !== null,
      pressedAtMs: world.nowMs(),
      update: null,
      answer: null,
    };
    platform.presses.set(pressed.queryId, pressed);
    const query: CallbackQuery = {
      id: pressed.queryId,
      from: user,
      // Of what was deleted meanwhile, the bot learns the place only.
      message: stored.deletedAtMs === null ? stored.message : inaccessible(stored),
      chat_instance: `${chat.info.id}00`,
      data,
    };
    pressed.update = queue.add({ callback_query: query });
    return pressed;
  }

  function react(user: User, named: MessageName, emoji: Emoji | null): Update | null {
    const stored = storedOf(world, named);
    const chat = chatOf(world, named.chat.id);
    if (!isPresent(chat, user.id)) throw new Error(`${user.first_name} is not in this chat`);
    const before = stored.reactions.get(user.id);
    if (emoji === null) stored.reactions.delete(user.id);
    else stored.reactions.set(user.id, emoji);
    // Only an admin is told, so never in private or in a group where it is an ordinary member.
    if (!isAdmin(chat, world.bot.id)) return null;
    return queue.add({
      message_reaction: {
        chat: chat.info,
        message_id: stored.message.message_id,
        user,
        date: nowSeconds(world),
        old_reaction: before === undefined ? [] : [{ type: 'emoji', emoji: before }],
        new_reaction: emoji === null ? [] : [{ type: 'emoji', emoji }],
      },
    });
  }

  return { say, start, edit, press, react };
}

const inaccessible = ({ message }: StoredMessage) => ({
  chat: message.chat,
  message_id: message.message_id,
  date: 0 as const,
});

function checkMayWrite({ world }: Platform, chat: FakeChat, user: User): void {
  if (!isPresent(chat, user.id)) throw new Error(`${user.first_name} is not in this chat`);
  if (chat.info.type === 'private' && world.blocked.has(user.id)) {
    throw new Error(`${user.first_name} has blocked the bot, and must unblock it before writing`);
  }
}

/** Clients send a command ephemerally only where the menu says so. */
function checkEphemeralCommand(platform: Platform, { chat, user }: { chat: FakeChat; user: User }, text: string): void {
  const name = /^\/([a-z0-9_]+)/.exec(text)?.[1];
  const declared = menuFor(platform, chat, user).some((entry) => entry.command === name && entry.is_ephemeral === true);
  if (chat.info.type === 'private' || !declared) {
    throw new Error(`"${text}" is no command that the bot's menu calls ephemeral in this chat`);
  }
}

/** What the button sends; a test that presses what this user does not see is wrong. */
function dataOf(stored: StoredMessage, chat: FakeChat, user: User, textOrData: string): string {
  const visible = stored.deletedAtMs === null && (stored.onlyFor === null || stored.onlyFor === user.id);
  if (!visible || !isPresent(chat, user.id)) throw new Error(`${user.first_name} does not see this message`);
  const buttons = (stored.message.reply_markup?.inline_keyboard ?? []).flat();
  for (const button of buttons) {
    if (!('callback_data' in button)) continue;
    if (button.text === textOrData || button.callback_data === textOrData) return button.callback_data;
  }
  throw new Error(
    `no button says or sends "${textOrData}"; there are: ${buttons.map(({ text }) => text).join(', ') || 'none'}`,
  );
}
