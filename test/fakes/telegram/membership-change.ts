/** The bot comes, goes, is promoted or blocked: it is told by my_chat_member, whatever privacy mode says. */
import type { Update, User } from 'grammy/types';
import { toChatMember } from './members.ts';
import type { Platform } from './platform.ts';
import { type FakeChat, type Membership, nowSeconds } from './world.ts';

export function changeBotMembership(
  { world, queue }: Platform,
  chat: FakeChat,
  by: User,
  next: Membership,
): Update | null {
  const before: Membership = chat.members.get(world.bot.id) ?? { status: 'left' };
  chat.members.set(world.bot.id, next);
  return queue.add({
    my_chat_member: {
      chat: chat.info,
      from: by,
      date: nowSeconds(world),
      old_chat_member: toChatMember(world.bot, before, true),
      new_chat_member: toChatMember(world.bot, next, true),
    },
  });
}
